import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "../../apps/server/src/platform/database/ids.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { plannedFrames } from "../../e2e/testing/planned-light.ts";
import { until, type Server } from "../../e2e/testing/product.ts";
import { isReady, lightPars, upload } from "../../e2e/testing/songs.ts";
import { ART_NET_PORT, type Ask, type Door, type Heard, type Ledger } from "./asks.ts";
import { Compared } from "./compare.ts";
import type { Fault, FaultyNight } from "./faults.ts";
import { lampsOf, VENUES, WORKERS, type Box, type Parts, type Venue } from "./parts.ts";
import type { Row } from "./report.ts";
import { VenueLamps } from "./venue-lamps.ts";

const PARS = 4;
const SONGS = [100, 128];
const SONG_SECONDS = 40;
/** People of the community; everybody may come to both venues. */
const PEOPLE = 900;
const BEFORE_SECONDS = 3;
const AFTER_SECONDS = 5;
/** Everything is there within this, on a machine that does other things as well, ms. */
const START_MS = 240_000;
/** A part that was broken is well again within this, ms. */
const WELL_MS = 90_000;

/** A night in two venues, and everything that happens to it. */
export class Night implements FaultyNight {
  readonly parts: Parts;
  readonly #crowd: ChildProcess;
  readonly #lamps = new Map<Venue, VenueLamps>();
  readonly #tokens = new Map<Venue, string>();
  readonly #compared: Compared;
  readonly #heard = new Set<string>();

  private constructor(
    parts: Parts,
    crowd: ChildProcess,
    made: {
      readonly lamps: ReadonlyMap<Venue, VenueLamps>;
      readonly tokens: ReadonlyMap<Venue, string>;
      readonly compared: Compared;
    },
  ) {
    this.parts = parts;
    this.#crowd = crowd;
    this.#lamps = new Map(made.lamps);
    this.#tokens = new Map(made.tokens);
    this.#compared = made.compared;
  }

  /** Doors are open: songs play at both venues, and everybody listens. @param clients guests who listen and talk */
  static async open(parts: Parts, clients: number, say: (line: string) => void): Promise<Night> {
    const { office } = parts;
    for (const worker of WORKERS) await parts.addWorker(worker);
    say("songs come in");
    const songs: string[] = [];
    for (const tempo of SONGS) {
      const { body } = await upload(office, `House - ${tempo}.wav`, synthesiseSong(SONG_SECONDS, tempo));
      songs.push(body.song.id);
    }
    for (const song of songs) await until(() => isReady(office, song), START_MS);
    const music = (method: string, body: object) => office.call(`music.v1.MusicService/${method}`, body);
    const playlistId = (await music("CreatePlaylist", { name: "Tonight" })).playlist.id;
    for (const song_id of songs) await music("AddSongToPlaylist", { playlist_id: playlistId, song_id });
    const people = await addPeople(parts);
    const eventIds = new Map<Venue, string>();
    for (const venue of VENUES) eventIds.set(venue, await addEvent(office, `Night at ${venue}`));

    say("boxes fetch tonight");
    const lamps = new Map<Venue, VenueLamps>();
    const tokens = new Map<Venue, string>();
    const openDoor = async (venue: Venue): Promise<Door> => {
      const eventId = eventIds.get(venue)!; // made above
      const token = await addVenue(office, venue, { eventId, playlistId });
      tokens.set(venue, token);
      const box = await parts.startBox(venue, office, token);
      await untilHolds(box, songs.length);
      const address = parts.hosts.addressOf(lampsOf(venue));
      await lightPars(box, PARS, ART_NET_PORT, address);
      const machines = [box];
      if (venue === "venue-a") {
        const standby = await addStandby(parts, box);
        await untilHolds(standby, songs.length);
        machines.push(standby);
      }
      const node = parts.startProgram(lampsOf(venue), "bench/hosts/lamps.ts", address);
      lamps.set(venue, new VenueLamps(node, machines, await litOf(box, songs)));
      const codes = await codesOf(office, eventId, people);
      await box.call("music.v1.MusicService/PlayPlaylist", { playlist_id: playlistId, repeat: true });
      return { venue, url: box.url, token: await box.token(), eventId, codes };
    };
    const doors = await Promise.all(VENUES.map(openDoor));

    say(`${clients} guests come in`);
    const guests = await Promise.all(people.slice(0, clients).map((id) => parts.tokenOf(id)));
    const threadId = await joinThread(office, guests, eventIds.get("venue-a")!); // made above
    const crowd = parts.startProgram("crowd", "bench/hosts/crowd.ts");
    const compared = new Compared(parts.sql, { threadId, eventIds: Object.fromEntries(eventIds), songs });
    const night = new Night(parts, crowd, { lamps, tokens, compared });
    const joined = await night.#ask<{ readonly listening: number }>({
      ...{ do: "join", office: office.url, guests, threadId, doors },
      ...{ adminToken: await office.token(), richId: parts.adminId },
    });
    if (joined.listening < clients) throw new Error(`only ${joined.listening} of ${clients} guests listen`);
    return night;
  }

  /** One fault in mid-song under everybody's calls, and what it cost. */
  async suffer(fault: Fault): Promise<Row> {
    await this.#look();
    await this.#ask({ do: "act" });
    await pause(BEFORE_SECONDS * 1000);
    await fault.happen(this);
    await pause(fault.seconds * 1000);
    await fault.mend?.(this);
    await pause(AFTER_SECONDS * 1000);
    const ledger = await this.#ask<Ledger>({ do: "rest" });
    const lights = await this.#look();
    await fault.afterwards?.(this);
    const settled = await this.#compared.add(ledger);
    const messageIds = await this.#compared.newMessages(this.#heard);
    for (const id of messageIds) this.#heard.add(id);
    const heard = await this.#ask<Heard>({ do: "hear", messageIds });
    const isWell = await until(async () => (await this.#lack()) === "", WELL_MS).then(
      () => true,
      () => false,
    );
    const lack = isWell ? "" : await this.#lack();
    return { name: fault.name, ledger, lights, settled, heard, messages: messageIds.length, lack };
  }

  async moveTo(venue: Venue, box: Box): Promise<void> {
    const machine = this.parts.boxes.get(box)!; // every box was started
    this.#lamps.get(venue)!.machines = [machine]; // each venue has lamps
    await this.#ask({ do: "move", venue, url: machine.url, token: await machine.token() });
  }

  async makeBox(standby: Box, venue: Venue): Promise<void> {
    await this.parts.stop(standby);
    const token = this.#tokens.get(venue)!; // each venue has one
    await this.parts.startBox(standby, this.parts.office, token);
    await this.moveTo(venue, standby);
  }

  async busyWorker(): Promise<(typeof WORKERS)[number]> {
    let found: string | undefined;
    const look = async () => {
      const [row] = await this.parts.sql<{ name: string }[]>`
        select workers.name from song_jobs join workers on song_jobs.worker = workers.id where state = 'running' limit 1`;
      found = row?.name;
      return found !== undefined;
    };
    await until(look, 30_000);
    return WORKERS.find((name) => name === found)!; // workers are called as their hosts
  }

  close(): void {
    for (const lamps of this.#lamps.values()) lamps.close();
  }

  async #look() {
    const seen = [];
    for (const venue of VENUES) seen.push(await this.#lamps.get(venue)!.take()); // each venue has lamps
    return seen;
  }

  /** What is broken still; empty where the office says that it is well, and its database has its standby or no other host. */
  async #lack(): Promise<string> {
    try {
      const answer = await fetch(`${this.parts.office.url}/health`, { signal: AbortSignal.timeout(5000) });
      const { reasons } = (await answer.json()) as { readonly reasons: readonly string[] };
      return reasons[0] ?? ((await this.parts.isFollowed()) ? "" : "The database has no standby.");
    } catch (error) {
      return `The office does not answer: ${(error as Error).message}`;
    }
  }

  async #ask<Answer>(ask: Ask): Promise<Answer> {
    const answered = once(this.#crowd, "message");
    this.#crowd.send(ask);
    const [answer] = await answered;
    return answer as Answer;
  }
}

/** @returns their ids */
async function addPeople({ sql }: Parts): Promise<string[]> {
  const people = Array.from({ length: PEOPLE }, (_, i) => ({ id: newId(), name: `Guest ${i + 1}` }));
  await sql`insert into users ${sql(people)}`;
  return people.map(({ id }) => id);
}

async function addEvent(office: Server, title: string): Promise<string> {
  const at = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
  const night = { title, starts_at: at(-1), ends_at: at(5) };
  return (await office.call("event.v1.EventService/CreateEvent", night)).event.id;
}

/** @returns its token */
async function addVenue(
  office: Server,
  name: string,
  tonight: { readonly eventId: string; readonly playlistId: string },
): Promise<string> {
  const { venue, token } = await office.call("venue.v1.VenueService/AddVenue", { name });
  const { eventId, playlistId } = tonight;
  const of = { venue_id: venue.id, event_id: eventId, playlist_ids: [playlistId] };
  await office.call("venue.v1.VenueService/SetTonight", of);
  return token;
}

async function addStandby(parts: Parts, box: Server): Promise<Server> {
  const { token } = await box.call("venue.v1.VenueService/AddVenue", { name: "Spare laptop", is_standby: true });
  return parts.startBox("venue-a2", box, token);
}

async function untilHolds(box: Server, songs: number): Promise<void> {
  await until(async () => (await box.call("venue.v1.VenueService/GetBox", {})).box?.holds?.songs === songs, START_MS);
}

/** Where each song's plan has light, by hundredths of a second. */
async function litOf(box: Server, songs: readonly string[]): Promise<Map<string, readonly boolean[]>> {
  const lit = new Map<string, readonly boolean[]>();
  for (const song of songs) {
    const frames = await plannedFrames(box, song, SONG_SECONDS);
    lit.set(
      song,
      frames.map((slots) => slots.some((level) => level > 0)),
    );
  }
  return lit;
}

async function codesOf(office: Server, eventId: string, people: readonly string[]): Promise<Door["codes"]> {
  const known = new Set(people);
  const codes: [string, string][] = [];
  for (let page_token = ""; ;) {
    const list = { page_size: 200, page_token };
    const page = await office.call("event.v1.EventService/ListAttendeeCodes", { event_id: eventId, list });
    for (const { userId, code } of page.codes) if (known.has(userId)) codes.push([userId, code]);
    page_token = page.nextPageToken ?? "";
    if (page_token === "") return codes;
  }
}

/** Everybody looks at the thread of the event. @returns its id */
async function joinThread(office: Server, guests: readonly string[], eventId: string): Promise<string> {
  let id = "";
  for (const token of guests) {
    const answer = await fetch(`${office.url}/followspot.chat.v1.ChatService/JoinEventThread`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ event_id: eventId }),
    });
    id = ((await answer.json()) as { readonly thread: { readonly id: string } }).thread.id;
  }
  return id;
}
