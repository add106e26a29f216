import { subjects, type FoundVideo, type LightingPlan } from "@followspot/contract";
import type { DemoState } from "../night/first-steps/first-steps.store.ts";
import { attendeeCode, attendeeKey } from "../events/attendee-codes.ts";
import type { VideoPorts } from "../songs/library/video.routes.ts";
import { newId } from "../platform/database/ids.ts";
import type { LampPart } from "../lights/standby-role.ts";
import type { SongsByHand } from "./songs-by-hand.ts";
import { insertReadySong } from "./ready-song.ts";
import type { TestServer, Wire } from "./test-server.ts";

/** Returns times of an event whose doors are open. */
const times = () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
  return { starts_at: at(-1), ends_at: at(5) };
};

/** Replaces the video site: every search finds one video. */
export const oneVideo: VideoPorts = {
  find: async () => ({ title: "List", videos: [VIDEO], left_out: 0, is_cut: false }),
  downloaders: () => [{ id: "w", downloader: { version: "2026.10.26", source: "path", problem: "", fetching: null } }],
};
const VIDEO: FoundVideo = { ytid: "ddddddddddd", title: "Song", artist: "Band", duration: 200 };

/** Returns a new custom fixture definition. */
export const ownFixture = (): string =>
  JSON.stringify({
    manufacturer: "Wharf",
    model: newId(),
    type: "par",
    modes: [{ name: "1 channel", channels: [{ kind: "intensity", head: 0, default: 0 }] }],
  });

export type World = ReturnType<typeof createWorld>;

/** Creates the data that a valid request needs. Everything is new on each call: no request depends on another. */
export function createWorld(server: TestServer, songs: SongsByHand, admin: { id: string; token: string }) {
  async function make(path: string, body: object): Promise<Wire> {
    const answer = await server.call(path, body, admin.token);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  let plan: LightingPlan | undefined;
  const world = {
    server,
    songs,
    admin,
    make,
    person: async (name = "Bo") => (await server.person(name)).id,
    /** Removes everything that blocks a demo night, and the demo night. */
    emptied: async () => {
      for (const table of ["events", "lights", "playlists", "songs"])
        await server.sql`delete from ${server.sql(table)}`;
      await world.demoNight("none");
    },
    demoNight: async (demo_state: DemoState) => {
      await server.sql`update first_steps set is_hidden = false, demo_state = ${demo_state}`;
    },
    deletedPerson: async () => {
      const user_id = await world.person();
      await make("user.v1.UserService/DeleteUser", { user_id });
      return user_id;
    },
    event: async (more: object = {}): Promise<string> =>
      (await make("event.v1.EventService/CreateEvent", { title: "Night", ...times(), ...more })).event.id,
    /** Creates an event with registration and a registered user. */
    registered: async () => {
      const [event_id, user_id] = [await world.event({ registration: "open" }), await world.person()];
      await make("event.v1.EventService/RegisterPerson", { event_id, user_id });
      return { event_id, user_id };
    },
    checkedIn: async () => {
      const [event_id, user_id] = [await world.event(), await world.person()];
      await make("event.v1.EventService/ScanQr", { event_id, code: world.codeOf(user_id, event_id) });
      return { event_id, user_id };
    },
    codeOf: (userId: string, eventId: string) => attendeeCode(attendeeKey(server.secret), { eventId, userId }),
    talk: async () => (await world.programme()).talk_id,
    /** Creates an event with a talk. */
    programme: async (): Promise<{ event_id: string; talk_id: string }> => {
      const event_id = await world.event();
      const { talk } = await make("talk.v1.TalkService/CreateTalk", { title: "Talk", event_id });
      return { event_id, talk_id: talk.id };
    },
    deletedTalk: async () => {
      const talk_id = await world.talk();
      await make("talk.v1.TalkService/DeleteTalk", { talk_id });
      return talk_id;
    },
    light: async (): Promise<number> =>
      (
        await make("lights.v1.LightsService/CreateLight", {
          label: "Par",
          light_type: "generic_rgb_par",
          mode: "3 channels",
        })
      ).light.id,
    fixture: async (): Promise<number> =>
      (await make("lights.v1.LightsService/SaveFixture", { definition_json: ownFixture() })).fixture.id,
    group: async () => {
      const id = newId().toLowerCase();
      const fixture_ids = [await world.light()];
      await make("lights.v1.LightsService/CreateGroup", { id, name: "Wash", type: "wash", fixture_ids });
      return id;
    },
    /** Adds a remote worker that was never started. */
    worker: async (): Promise<{ worker_id: string }> => {
      const { worker } = await make("queues.v1.QueuesService/AddWorker", { name: newId() });
      return { worker_id: worker.id };
    },
    workerAside: async () => {
      const { worker_id } = await world.worker();
      await server.sql`update workers set set_aside_at = now() where id = ${worker_id}`;
      return { worker_id };
    },
    /** Adds a venue whose server was never started. */
    venue: async (): Promise<{ venue_id: string }> => {
      const { venue } = await make("venue.v1.VenueService/AddVenue", { name: newId() });
      return { venue_id: venue.id };
    },
    /** Makes this installation a venue server. */
    box: async () => {
      await server.sql`insert into box (office, venue) values ('Open Stage', 'Cellar') on conflict do nothing`;
    },
    /** Makes this machine one of a standby pair whose other machine responds. */
    lampPart: async (part: LampPart) => {
      await server.sql`
        insert into lamp_part (part, heard_at) values (${part}, now())
        on conflict (singleton, community_id) do update set part = excluded.part, heard_at = excluded.heard_at`;
    },
    thread: async (): Promise<string> =>
      (await make("chat.v1.ChatService/CreateThread", { title: "Crew", member_ids: [await world.person()] })).thread.id,
    message: async (thread_id?: string): Promise<Wire> => {
      const within = thread_id ?? (await world.thread());
      return (await make("chat.v1.ChatService/SendMessage", { thread_id: within, text: "Hello" })).message;
    },
    /** Inserts a song that counts as downloaded, analyzed and planned in the database. */
    song: () => insertReadySong(server.sql, {}),
    waitingSong: async (): Promise<string> => {
      const url = `https://youtu.be/${newId().slice(-11)}`;
      return (await make("music.v1.MusicService/AddSongFromYoutube", { url })).song.id;
    },
    /** Creates a song whose download failed permanently, and returns the key of the failure group. */
    failedSong: async (): Promise<{ song_id: string; key: string }> => {
      const song_id = await world.waitingSong();
      const reason = `refused by ${newId().replace(/\d/g, "x")}`;
      await songs.report(await songs.claimNext(song_id), { kind: "failed", reason, retry: false });
      // In addition to the record from the outbox, which may arrive too late.
      await server.broker?.js.publish(subjects.failure("download"), JSON.stringify({ song_id, reason }));
      const { groups } = await make("queues.v1.QueuesService/ListFailureGroups", { query: song_id });
      return { song_id, key: groups[0].key };
    },
    /** Publishes a message without subscribers to EVENTS and returns its sequence number. */
    storedMessage: async (): Promise<number> => {
      const envelope = { id: newId(), topics: [], type: "test.told", ts: new Date().toISOString(), payload: {} };
      const stored = await server.broker?.js.publish(subjects.event("test.told"), JSON.stringify(envelope));
      return stored?.seq ?? 0;
    },
    /** Creates a song with a real plan and its files. */
    plannedSong: async () => {
      const id = await songs.analysed();
      // Planning is slow, so later songs reuse the first plan.
      if (plan) await songs.pretendPlan(id, { ...plan, song_id: id });
      else plan = await songs.plan(id);
      return id;
    },
    playlist: async (...songIds: string[]): Promise<string> => {
      const { playlist } = await make("music.v1.MusicService/CreatePlaylist", { name: "Friday" });
      for (const song_id of songIds)
        await make("music.v1.MusicService/AddSongToPlaylist", { playlist_id: playlist.id, song_id });
      return playlist.id;
    },
    /** Creates a playlist and sets whether it accepts requests. */
    opened: async (requests: "closed" | "ask" | "open"): Promise<string> => {
      const playlist_id = await world.playlist();
      await make("music.v1.MusicService/SetSongRequests", { playlist_id, requests });
      return playlist_id;
    },
    /** Creates a song request that waits for approval. */
    request: async (): Promise<string> => {
      const song_id = await world.song();
      await world.opened("ask");
      return (await make("music.v1.MusicService/RequestSong", { song_id })).request.id;
    },
    listed: async () => {
      const song_id = await world.song();
      return { playlist_id: await world.playlist(song_id), song_id };
    },
    playing: async () => {
      const playlist_id = await world.playlist(await world.song(), await world.song());
      await make("music.v1.MusicService/PlayPlaylist", { playlist_id });
    },
    /** Creates a playlist marked as walk-in music that is not playing. */
    walkIn: async () => {
      const playlist_id = await world.playlist(await world.song());
      await make("music.v1.MusicService/SetWalkIn", { playlist_id, is_walk_in: true });
      await make("music.v1.MusicService/StopMusic", {});
    },
    /** Creates an event whose stage screen shows something. */
    screen: async (method: string, more: object = {}) => {
      const event_id = await world.event();
      await make(`director.v1.DirectorService/${method}`, { event_id, ...more });
      return event_id;
    },
    richPerson: async () => {
      const to_user_id = await world.person();
      const grant = { to_user_id, amount: 100, idempotency_key: newId() };
      await make("accounting.v1.AccountingService/ProcessTransaction", grant);
      return to_user_id;
    },
  };
  return world;
}
