import { DEMO_SONGS, type DemoSongName } from "../../songs/demo-songs/demo-songs.ts";
import type { DemoItem } from "./first-steps.store.ts";

const LABEL = "Demo: ";
const DAY_MS = 24 * 3600 * 1000;
const FRIDAY = 5;

/** Users of the demo night; those with a talk speak in this order. */
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

/** Fixtures by universe and group. */
const RIG = [
  { universe: 1, name: "Wash", type: "wash", light_type: "generic_rgbw_par", mode: "6 channels", count: 6 },
  { universe: 1, name: "Pars", type: "par", light_type: "generic_rgb_par", mode: "4 channels", count: 8 },
  { universe: 2, name: "Bars", type: "bar", light_type: "generic_rgb_bar", mode: "8 heads", count: 6 },
  { universe: 3, name: "Movers", type: "spot", light_type: "generic_moving_wash", mode: "12 channels", count: 4 },
] as const;

/** Chat messages: index into PEOPLE, and text. */
const SAID = [
  [0, "Doors are at seven."],
  [1, "Who brings the second extension lead?"],
  [2, "I do. The movers hang. Come and look!"],
] as const;

interface Made {
  readonly id: string;
}

/** Fields of responses that are read here. */
interface Answer {
  readonly event: Made;
  readonly talk: Made;
  readonly user: Made;
  readonly thread: Made;
  readonly playlist: Made;
  readonly song: Made;
  readonly group: Made;
  readonly lights: readonly { readonly id: number }[];
}

interface Making {
  readonly call: (method: string, body: object) => Promise<Answer>;
  /** Calls the API as one of the created users. */
  readonly callAs: (personId: string, method: string, body: object) => Promise<unknown>;
  /** Reports the current step. */
  readonly say: (what: string) => Promise<void>;
  /** Records each item once it exists. */
  readonly note: (item: DemoItem) => Promise<void>;
}

/**
 * Makes a demo night: users with gold, an event with talks and a chat, fixtures in three universes, and a playlist of
 * our own songs. Everything is labeled, and made through the API under its normal rules.
 *
 * @throws ApiError if a call is rejected; the items so far are recorded
 */
export async function makeDemoNight(
  making: Making,
  songs: readonly DemoSongName[] = Object.keys(DEMO_SONGS) as DemoSongName[],
): Promise<void> {
  // Songs take longest, so they are composed in parallel. Both finish before an error is thrown.
  const [composed, rest] = await Promise.allSettled([addSongs(making, songs), makeRest(making)]);
  if (rest.status === "rejected") throw rest.reason;
  if (composed.status === "rejected") throw composed.reason;
  await makePlaylist(making, composed.value);
}

async function addSongs({ call, note }: Making, names: readonly DemoSongName[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const { song } = await call("music.v1.MusicService/AddDemoSong", { song: name });
    await note({ kind: "song", id: song.id });
    ids.push(song.id);
  }
  return ids;
}

async function makeRest(making: Making): Promise<void> {
  await hangLamps(making);
  await planEvent(making, await invitePeople(making));
  await making.say("songs");
}

async function hangLamps({ call, say, note }: Making): Promise<void> {
  await say("lamps in three universes");
  for (const { name, type, ...lamps } of RIG) {
    const { lights, group } = await call("lights.v1.LightsService/AddLights", {
      ...lamps,
      label: `${LABEL}${name.replace(/s$/, "")} #`,
      new_group: { name: `${LABEL}${name}`, type, id: `demo_${type}` },
    });
    for (const light of lights) await note({ kind: "light", id: String(light.id) });
    await note({ kind: "group", id: group.id });
  }
}

/** @returns IDs of the users, in the order of PEOPLE */
async function invitePeople({ call, say, note }: Making): Promise<readonly string[]> {
  await say("people with gold");
  const ids: string[] = [];
  for (const [i, { name }] of PEOPLE.entries()) {
    const phone = `+43 1 55501${String(i + 1).padStart(2, "0")}`;
    const { user } = await call("user.v1.UserService/CreateUser", { name: `${LABEL}${name}`, phone });
    await note({ kind: "person", id: user.id });
    await call("accounting.v1.AccountingService/ProcessTransaction", {
      to_user_id: user.id,
      amount: GOLD,
      reason: `${LABEL}welcome`,
      idempotency_key: `demo-${user.id}`,
    });
    ids.push(user.id);
  }
  return ids;
}

async function planEvent({ call, callAs, say, note }: Making, people: readonly string[]): Promise<void> {
  await say("an event with talks and a chat");
  const start = nextFriday(Date.now());
  const at = (hours: number) => new Date(start.getTime() + hours * 3600 * 1000).toISOString();
  const { event } = await call("event.v1.EventService/CreateEvent", {
    title: `${LABEL}Friday night`,
    starts_at: at(0),
    ends_at: at(4),
    location: "The Wharf",
  });
  await note({ kind: "event", id: event.id });
  for (const [i, person] of PEOPLE.entries()) {
    if (!("talk" in person)) continue;
    const request = {
      title: `${LABEL}${person.talk}`,
      body: "",
      start_at: at(i),
      event_id: event.id,
      user_id: people[i],
    };
    const { talk } = await call("talk.v1.TalkService/CreateTalk", request);
    await note({ kind: "talk", id: talk.id });
  }
  const { thread } = await call("chat.v1.ChatService/CreateThread", {
    title: `${LABEL}Friday night`,
    event_id: event.id,
    member_ids: people,
    client_id: `demo-night-${event.id}`,
  });
  await note({ kind: "thread", id: thread.id });
  for (const [person, text] of SAID) {
    const message = { thread_id: thread.id, text, client_id: `demo-${thread.id}-${person}` };
    await callAs(people[person]!, "chat.v1.ChatService/SendMessage", message); // an index into PEOPLE
  }
}

async function makePlaylist({ call, note }: Making, songs: readonly string[]): Promise<void> {
  const { playlist } = await call("music.v1.MusicService/CreatePlaylist", { name: `${LABEL}Friday night` });
  await note({ kind: "playlist", id: playlist.id });
  for (const song_id of songs)
    await call("music.v1.MusicService/AddSongToPlaylist", { playlist_id: playlist.id, song_id });
}

/** Returns 19:00 UTC of the first Friday after today. */
export function nextFriday(nowMs: number): Date {
  const day = new Date(Math.ceil(nowMs / DAY_MS) * DAY_MS);
  return new Date(day.getTime() + ((FRIDAY - day.getUTCDay() + 7) % 7) * DAY_MS + 19 * 3600 * 1000);
}
