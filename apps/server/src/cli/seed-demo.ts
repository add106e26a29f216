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

/** People of the night; those with a talk speak in this order. */
const PEOPLE = [
  { name: "Mira Falk", talk: "How a song becomes light" },
  { name: "Oskar Lind", talk: "Eight second-hand pars" },
  { name: "Ann Ferry", talk: "What a haze machine is for" },
  { name: "Jonas Reed" },
  { name: "Salma Osei" },
  { name: "Vera Quist" },
  { name: "Tomas Brandt" },
  { name: "Lina Haas" },
] as const;
const GOLD = 50;

/** Lamps by universe and group. */
const RIG = [
  { universe: 1, name: "Wash", type: "wash", light_type: "generic_rgbw_par", mode: "6 channels", count: 6 },
  { universe: 1, name: "Pars", type: "par", light_type: "generic_rgb_par", mode: "4 channels", count: 8 },
  { universe: 2, name: "Bars", type: "bar", light_type: "generic_rgb_bar", mode: "8 heads", count: 6 },
  { universe: 3, name: "Movers", type: "spot", light_type: "generic_moving_wash", mode: "12 channels", count: 4 },
] as const;

const WORDS = ["Doors are at seven.", "Who brings the second extension lead?", "The movers hang. Come and look!"];

/**
 * A night to look around in: people with gold, an event with talks and a chat, lamps in three universes, and a playlist of
 * three songs of our own. Everything is labelled, and it is made through the API, by the same rules as by hand.
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

  say("lamps in three universes");
  for (const { name, type, ...lamps } of RIG)
    await call("lights.v1.LightsService/AddLights", {
      ...lamps,
      label: `${LABEL}${name.replace(/s$/, "")} #`,
      new_group: { name: `${LABEL}${name}`, type, id: `demo_${type}` },
    });

  say("people with gold");
  const people: string[] = [];
  for (const [i, { name }] of PEOPLE.entries()) {
    const phone = `+43 1 55501${String(i + 1).padStart(2, "0")}`;
    const { user } = await call("user.v1.UserService/CreateUser", { name: `${LABEL}${name}`, phone });
    people.push(user.id);
    await call("accounting.v1.AccountingService/ProcessTransaction", {
      to_user_id: user.id,
      amount: GOLD,
      reason: `${LABEL}welcome`,
      idempotency_key: `demo-${user.id}`,
    });
  }

  say("an event with talks and a chat");
  const start = nextFriday(Date.now());
  const at = (hours: number) => new Date(start.getTime() + hours * 3600 * 1000).toISOString();
  const { event } = await call("event.v1.EventService/CreateEvent", {
    title: `${LABEL}Friday night`,
    starts_at: at(0),
    ends_at: at(4),
    location: "The Wharf",
  });
  for (const [i, person] of PEOPLE.entries()) {
    if (!("talk" in person)) continue;
    const talk = { title: `${LABEL}${person.talk}`, body: "", start_at: at(i), event_id: event.id, user_id: people[i] };
    await call("talk.v1.TalkService/CreateTalk", talk);
  }
  const { thread } = await call("chat.v1.ChatService/CreateThread", {
    title: `${LABEL}Friday night`,
    event_id: event.id,
    member_ids: people,
    client_id: "demo-night",
  });
  for (const [i, text] of WORDS.entries())
    await call("chat.v1.ChatService/SendMessage", { thread_id: thread.id, text, client_id: `demo-${i}` });

  say("three songs on a playlist");
  const { playlist } = await call("music.v1.MusicService/CreatePlaylist", { name: `${LABEL}Friday night` });
  for (const name of ["house", "rock", "ballad"]) {
    const { song } = await call("music.v1.MusicService/AddDemoSong", { song: name });
    await call("music.v1.MusicService/AddSongToPlaylist", { playlist_id: playlist.id, song_id: song.id });
  }
}

/** Seven in the evening (UTC) of the first Friday after today. */
export function nextFriday(nowMs: number): Date {
  const day = new Date(Math.ceil(nowMs / DAY_MS) * DAY_MS);
  return new Date(day.getTime() + ((FRIDAY - day.getUTCDay() + 7) % 7) * DAY_MS + 19 * 3600 * 1000);
}

interface Made {
  readonly id: string;
}

/** The parts of answers that the demo reads. */
interface Answer {
  readonly event: Made;
  readonly user: Made;
  readonly thread: Made;
  readonly playlist: Made;
  readonly song: Made;
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
