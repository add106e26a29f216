/** Demo data that cannot be made here; the message says why. */
export class DemoError extends Error {}

const LABEL = "Demo: ";
const DAY_MS = 24 * 3600 * 1000;
const FRIDAY = 5;

interface Place {
  /** Address of the running API. */
  readonly api: string;
  /** Bearer token of an Admin. */
  readonly token: string;
}

/**
 * A community to look around in: people, an evening with talks, eight pars in two groups and three songs
 * of our own. Everything is labelled, and it is made through the API, by the same rules as by hand.
 * @throws DemoError when there is anything real to mix it with
 */
export async function seedDemo(place: Place, say: (line: string) => void): Promise<void> {
  const call = (method: string, body: object) => post(place, `/followspot.${method}`, body);
  const has = async (method: string, list: string) => ((await call(method, {}))[list] ?? []).length > 0;
  if (
    (await has("event.v1.EventService/ListEvents", "events")) ||
    (await has("lights.v1.LightsService/ListLights", "lights")) ||
    (await has("music.v1.MusicService/ListSongs", "songs"))
  ) {
    throw new DemoError(
      "There are events, lights or songs here already. Demo data never mixes with real data: use a fresh data folder.",
    );
  }

  say("people");
  for (const [name, phone] of [
    ["Mira Falk", "+43 1 5550101"],
    ["Oskar Lind", "+43 1 5550102"],
    ["Ann Ferry", "+43 1 5550103"],
  ] as const) {
    await call("user.v1.UserService/CreateUser", { name: `${LABEL}${name}`, phone });
  }
  say("an evening with talks");
  const start = nextFriday(Date.now());
  const { event } = await call("event.v1.EventService/CreateEvent", {
    title: `${LABEL}Friday night`,
    starts_at: start.toISOString(),
    ends_at: new Date(start.getTime() + 4 * 3600 * 1000).toISOString(),
    location: "The Wharf",
  });
  for (const [index, title] of ["How a song becomes light", "Eight second-hand pars"].entries()) {
    const start_at = new Date(start.getTime() + index * 3600 * 1000).toISOString();
    await call("talk.v1.TalkService/CreateTalk", { title: `${LABEL}${title}`, body: "", start_at, event_id: event.id });
  }
  say("eight pars in two groups");
  const ids: number[] = [];
  for (let position = 1; position <= 8; position++) {
    const light = {
      label: `${LABEL}Par ${position}`,
      light_type: "generic_rgb_par",
      mode: "4 channels",
      position: String(position),
    };
    ids.push((await call("lights.v1.LightsService/CreateLight", light)).light.id);
  }
  const groups = {
    demo_wash: ["wash", ids.slice(2, 6)],
    demo_par: ["par", [...ids.slice(0, 2), ...ids.slice(6)]],
  } as const;
  for (const [id, [type, fixture_ids]] of Object.entries(groups)) {
    await call("lights.v1.LightsService/CreateGroup", { id, name: `${LABEL}${type}`, type, fixture_ids });
  }
  say("three songs");
  for (const song of ["house", "rock", "ballad"]) await call("music.v1.MusicService/AddDemoSong", { song });
}

/** Seven in the evening (UTC) of the first Friday after today. */
export function nextFriday(nowMs: number): Date {
  const day = new Date(Math.ceil(nowMs / DAY_MS) * DAY_MS);
  return new Date(day.getTime() + ((FRIDAY - day.getUTCDay() + 7) % 7) * DAY_MS + 19 * 3600 * 1000);
}

/** The parts of answers that the demo reads. */
interface Answer {
  readonly event: { readonly id: string };
  readonly light: { readonly id: number };
  readonly [list: string]: unknown;
}

async function post(
  { api, token }: Place,
  path: string,
  body: object,
): Promise<Answer & Record<string, readonly unknown[]>> {
  const answer = await fetch(`${api}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const reply = (await answer.json()) as Answer & Record<string, readonly unknown[]> & { message?: string };
  if (!answer.ok) throw new DemoError(`${path}: ${reply.message ?? answer.status}`);
  return reply;
}
