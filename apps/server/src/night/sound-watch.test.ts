import { tmpdir } from "node:os";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { linkKey, newLinkSeed } from "../platform/http/link-key.ts";
import { endOpenPlayers, storeOpenPlayers, type PlayerFacts } from "./players/open-players.store.ts";
import { readPaPlayer, storePaPlayer } from "./players/pa-player.store.ts";
import { PLAYER_LINK } from "./players/players.ts";
import { openUntil } from "../testing/open-until.ts";
import { insertReadySong } from "../testing/ready-song.ts";
import { TestPlayer } from "../testing/test-player.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { SoundWatch } from "./sound-watch.ts";

const server = openUntil(afterAll, await startTestServer({ dataDir: tmpdir() }));
const { sql } = server;
const admin = await server.person("Ada", ["Admin"]);
const call = (method: string, body: object) => server.ask(method, body, admin.token);
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const eventId = (await call("event.v1.EventService/CreateEvent", { title: "Night", starts_at: at(-1), ends_at: at(3) }))
  .event.id;
const songId = await insertReadySong(sql, { title: "Salt", seconds: 179 });

const PA: PlayerFacts = {
  line: "line",
  page: "laptop.1",
  name: "PA",
  is_output: false,
  is_allowed: true,
  loaded_ahead: 1,
  light_minus_sound_ms: null,
  problem: "",
  is_delay_set: true,
  levels_db: [],
};
let now = 0;
let watch: SoundWatch;

beforeEach(async () => {
  await call("music.v1.MusicService/StopMusic", {});
  for (const table of ["night_faults", "played_songs", "open_players"]) await sql`delete from ${sql(table)}`;
  await storePaPlayer(sql, { ...(await readPaPlayer(sql)), heard_page: "", heard_name: "" });
  watch = new SoundWatch(sql);
});

/** Runs the watch once a second for ten seconds. */
async function lookForTenSeconds(): Promise<void> {
  for (let i = 0; i < 10; i++) await watch.look((now += 1000));
}
const play = () => call("music.v1.MusicService/BroadcastSong", { song_id: songId });
/** Moves the start of the current song into the past. */
async function passSeconds(seconds: number): Promise<void> {
  const earlier = sql`make_interval(secs => ${seconds})`;
  await sql`update show_queue set started_at = started_at - ${earlier}, ends_at = ends_at - ${earlier} where started_at is not null`;
  await sql`update played_songs set started_at = started_at - ${earlier}, ended_at = ended_at - ${earlier}`;
}
async function openPlayer(facts: Partial<PlayerFacts> = {}): Promise<void> {
  await storeOpenPlayers(sql, [{ ...PA, ...facts }]);
  // Reported for the whole test, however long it takes.
  await sql`update open_players set seen_at = now() + interval '1 hour'`;
  await storePaPlayer(sql, { ...(await readPaPlayer(sql)), heard_page: PA.page, heard_name: PA.name });
}
const report = async (): Promise<Wire> =>
  (await call("night.v1.NightService/GetNightReport", { event_id: eventId })).report;
const faultsOf = async (): Promise<Wire[]> => (await report()).faults ?? [];

const PLAYERS: readonly (readonly [string, () => Promise<unknown>, string | undefined])[] = [
  ["a connected player", () => openPlayer(), undefined],
  ["no player ever", async () => {}, "No sound: no audio player was connected."],
  ["a player that was closed", async () => {
    await openPlayer();
    await endOpenPlayers(sql, [PA.line], false);
  }, 'No sound: "PA" was not connected.'], // prettier-ignore
  ["a player that was lost", async () => {
    await openPlayer();
    await endOpenPlayers(sql, [PA.line], true);
  }, 'No sound: "PA" was not connected.'], // prettier-ignore
  [
    "a player that waits for a press",
    () => openPlayer({ is_allowed: false }),
    'No sound: "PA" waited for its Start button.',
  ],
  ["a player with a problem", () => openPlayer({ problem: "No sound card." }), 'No sound: "PA": No sound card.'],
  [
    "a player with a problem of the next song",
    () => openPlayer({ problem: "Gone.", levels_db: [-18, -20] }),
    undefined,
  ],
  [
    "a player with a problem and silence",
    () => openPlayer({ problem: "Gone.", levels_db: [-100, -100] }),
    'No sound: "PA": Gone.',
  ],
  ["another player than the active one", async () => {
    await openPlayer();
    await sql`update open_players set page = 'phone.2'`;
  }, 'No sound: "PA" was not connected.'], // prettier-ignore
];

const QUEUES: readonly (readonly [string, boolean, () => Promise<unknown>])[] = [
  ["a song plays", true, play],
  ["a song is paused", false, async () => (await play(), call("music.v1.MusicService/PauseMusic", {}))],
  ["the queue is stopped", false, async () => (await play(), call("music.v1.MusicService/StopMusic", {}))],
  ["the gap before the song lasts", false, async () => (await play(), passSeconds(-60))],
  ["the song is over", false, async () => (await play(), passSeconds(600))],
];

// kept: Shows | The night's report counted songs as heard while no player was connected, and named no fault | failed on the old
// code
describe.each(QUEUES)("while %s", (_queue, isOn, startQueue) => {
  test.each(PLAYERS)("%s makes the fault its state deserves", async (_player, startPlayer, says) => {
    await startPlayer();
    await startQueue();
    await lookForTenSeconds();
    const expected = isOn && says !== undefined ? [{ kind: "sound", says }] : [];
    expect((await faultsOf()).map((fault) => ({ kind: fault.kind, says: fault.says }))).toEqual(expected);
  });
});

test("a sound fault is one row, and ends when the player is back", async () => {
  await openPlayer();
  await endOpenPlayers(sql, [PA.line], false);
  await play();
  await lookForTenSeconds();
  await Promise.all([lookForTenSeconds(), lookForTenSeconds()]);
  const [open, ...others] = await faultsOf();
  expect([open.endedAt, others]).toEqual([undefined, []]);
  await sql`update open_players set left_at = null`;
  await watch.look((now += 1000));
  expect((await faultsOf()).map(({ endedAt }) => endedAt)).toEqual([expect.any(String)]);
});

test.each([
  ["the music is paused", "PauseMusic"],
  ["the music is stopped", "StopMusic"],
])("a fault of sound ends when %s", async (_what, method) => {
  await play();
  await lookForTenSeconds();
  await call(`music.v1.MusicService/${method}`, {});
  await watch.look((now += 1000));
  expect((await faultsOf()).map(({ endedAt }) => endedAt)).toEqual([expect.any(String)]);
});

test("a player that disconnects for less than five seconds makes no fault", async () => {
  await play();
  for (let i = 0; i < 4; i++) await watch.look((now += 1000));
  await openPlayer();
  await lookForTenSeconds();
  expect(await faultsOf()).toEqual([]);
});

describe("seconds played in report and CSV", () => {
  /** Stores a song that ended 60 s ago: it began 260 s ago and lasted 200 s. */
  async function playedSong(): Promise<void> {
    await sql`
      insert into played_songs (id, turn, song_id, title, artist, seconds, started_at, ended_at, heard_seconds, playlist, event_id)
      values ('P', -1, 'S', 'Salt', 'Mira', 200, now() - interval '260 seconds', now() - interval '60 seconds', 200, '', ${eventId})`;
  }
  const fault = (kind: string, from: number, to: number | undefined) => sql`
    insert into night_faults (id, kind, says, began_at, ended_at)
    select ${`${kind} ${from}`}, ${kind}, 'x', ended_at - make_interval(secs => ${from}),
      ended_at - make_interval(secs => ${to ?? null}) from played_songs where id = 'P'`;

  test.each([
    ["no fault", async () => {}, 200],
    ["a minute without sound", () => fault("sound", 100, 40), 140],
    ["two faults", async () => (await fault("sound", 100, 90), fault("sound", 50, 30)), 170],
    ["no sound from before its start", () => fault("sound", 500, 150), 150],
    ["no sound to after its end", () => fault("sound", 20, -30), 180],
    ["no sound to this day", () => fault("sound", 20, undefined), 180],
    ["no sound at all", () => fault("sound", 500, -30), 0],
    ["faults before and after it", async () => (await fault("sound", 500, 300), fault("sound", -10, -30)), 200],
    ["an output that was down", () => fault("output", 100, 40), 200],
  ] as const)("%s", async (_what, happened, heard) => {
    await playedSong();
    await happened();
    const [song] = (await report()).songs;
    expect(song.heardSeconds ?? 0).toBeCloseTo(heard, 1);
    const answer = await fetch(`${server.base}/api/night/${eventId}/report.csv`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(await answer.text()).toContain(`,${heard},200,`);
  });

  test("do not increase while a song plays without sound", async () => {
    await play();
    await passSeconds(60);
    await lookForTenSeconds();
    const [song] = (await report()).songs;
    expect(song).toMatchObject({ isOn: true });
    expect(song.heardSeconds ?? 0).toBeCloseTo(0, 1);
  });
});

describe("a player whose connection was lost", () => {
  const key = async () => {
    const seed = newLinkSeed();
    await storePaPlayer(sql, { ...(await readPaPlayer(sql)), seed: Buffer.from(seed) });
    return linkKey(server.secret, PLAYER_LINK, "", seed);
  };
  const playing = { song_id: songId, position: 30 };

  test.each([
    ["played on, and removes the fault", "laptop.1", { playing }, 0],
    ["does not play, and leaves the fault", "laptop.1", {}, 1],
    ["was opened again as another page, and leaves the fault", "laptop.2", { playing }, 1],
  ])("%s", async (_what, page, more, left) => {
    const link = await key();
    await openPlayer();
    await endOpenPlayers(sql, [PA.line], true);
    await play();
    await lookForTenSeconds();
    expect(await faultsOf()).toHaveLength(1);
    const player = new TestPlayer(server.base, { key: link, page, ...more });
    await player.hears(({ is_heard }) => is_heard);
    await watch.look((now += 1000));
    expect(await faultsOf()).toHaveLength(left);
    player.leave();
    await expect.poll(() => server.players.count).toBe(0);
  });
});
