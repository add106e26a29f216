import { setTimeout as pause } from "node:timers/promises";
import { CLOSE, type HeardPosition } from "@followspot/contract";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../platform/database/database.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../../platform/broker/nats.ts";
import { OutboxRelay } from "../../platform/broker/outbox-relay.ts";
import { openCable } from "../../platform/testing/cable.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { EventFeed } from "../../platform/live-events/event-feed.ts";
import { findNatsServer, startNats } from "../../operations/supervisor/nats.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { insertReadySong } from "../../testing/ready-song.ts";
import { TestPlayer } from "../../testing/test-player.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";
import { outputKey } from "./output-key.ts";
import { readOutputProblem } from "./seen-players.ts";

const STAGE_SECRET = "a secret of the stage";
const OUTPUT = { key: outputKey(STAGE_SECRET), page: "sound-output.1", name: "This machine" };
const secret = Buffer.alloc(32, 7);
const dataDir = await folderUntil(afterAll);
const database = openUntil(afterAll, await createTestDatabase());

/** Starts an API on the shared database, without NATS. @param url its connection to the database */
async function startApi(url = database.url) {
  const heard: HeardPosition[] = [];
  const sql = openDatabase(url, 5);
  const own = { sql, url, close: () => sql.end({ timeout: 1 }) };
  const onHeard = async (position: HeardPosition) => (heard.push(position), 4);
  const server = await startTestServer({
    ...{ database: own, secret, dataDir, onHeard },
    settings: { FOLLOWSPOT_STAGE_SECRET: STAGE_SECRET },
  });
  return { ...server, heard };
}

const [one, two] = [openUntil(afterAll, await startApi()), openUntil(afterAll, await startApi())];
const { token } = await one.person("Dora", ["Director"]);
const open: TestPlayer[] = [];
let key = "";

const sound = async (api: TestServer, method: string, body: object = {}): Promise<Wire> =>
  (await api.ask(`sound.v1.SoundService/${method}`, body, token)).sound;
const music = (api: TestServer, method: string, body: object): Promise<Wire> =>
  api.ask(`music.v1.MusicService/${method}`, body, token);

function openPage(api: TestServer, page: string, more: object = {}, heardNow?: object): TestPlayer {
  const player = new TestPlayer(api.base, { key, page, name: page, ...more }, heardNow);
  open.push(player);
  return player;
}

/** Forwards events of one API to another over NATS. */
async function tellOverBroker(from: TestServer, to: TestServer): Promise<void> {
  const binary = await findNatsServer(process.env.NATS_SERVER_BIN, () => {});
  const nats = await startNats(await folderUntil(onTestFinished), binary, () => {});
  openUntil(onTestFinished, nats, ({ stop }) => stop());
  const broker = openUntil(onTestFinished, await connectBroker(nats.url, "players"), leaveBroker);
  await ensureStreams(broker);
  const relay = openUntil(onTestFinished, new OutboxRelay(from.sql, broker, () => {}));
  const feed = openUntil(onTestFinished, new EventFeed(() => {}));
  feed.start(broker, { onEnvelope: (envelope) => to.players.hear(envelope), onGap: () => {} });
  relay.start();
}

beforeEach(async () => {
  await music(one, "StopMusic", {});
  await sound(one, "WithdrawPlayerLink");
  key = (await sound(one, "CreatePlayerLink")).linkPath.split("#")[1];
});
afterEach(async () => {
  for (const player of open.splice(0)) player.leave();
  const openPlayers = () => database.sql`select from open_players where left_at is null`;
  await expect.poll(async () => (await openPlayers()).length).toBe(0);
});

test("players at one API are listed with their state by the other", async () => {
  const player = openPage(one, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  openPage(one, "phone.1");
  player.beat();
  const expected = { heard: { name: "laptop.1", isConnected: true, isAllowed: true, loadedAhead: 1, levelsDb: [-18.5, -20] }, silent: ["phone.1"] }; // prettier-ignore
  await expect.poll(() => sound(two, "GetSound")).toMatchObject(expected);
  player.leave();
  await expect.poll(async () => (await sound(two, "GetSound")).heard.isConnected ?? false).toBe(false);
});

test("of pages that open at two APIs at the same time exactly one is active", async () => {
  let players: readonly TestPlayer[] = [];
  await database.sql.begin(async (tx) => {
    await tx`select from pa_player for update`;
    players = [openPage(one, "laptop.1"), openPage(two, "phone.1")];
    const waiting = () => database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting()).length).toBe(2);
  });
  await Promise.all(players.map((player) => player.hears(({ heard_name }) => heard_name !== "")));
  expect(players.filter(({ state }) => state?.is_heard)).toHaveLength(1);
});

test("a page that opens at another API is inactive, and one that takes over there deactivates the page at the first", async () => {
  const first = openPage(one, "laptop.1");
  await first.hears(({ is_heard }) => is_heard);
  const second = openPage(two, "phone.1");
  await second.hears(({ is_heard, heard_name }) => !is_heard && heard_name === "laptop.1");
  const pressed = performance.now();
  second.say({ type: "hello", key, page: "phone.1", name: "phone.1", take_over: true });
  await second.hears(({ is_heard }) => is_heard);
  await first.hears(({ is_heard, heard_name }) => !is_heard && heard_name === "phone.1");
  // It polls once a second; a machine that also runs other tests gets more time.
  expect(performance.now() - pressed).toBeLessThan(2500);
});

test("a change at one API reaches players at the other, also while NATS is unavailable", async () => {
  const song = await insertReadySong(database.sql, { title: "Glass Harbour" });
  const player = openPage(one, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  await music(two, "BroadcastSong", { song_id: song });
  await player.hears(({ queue }) => queue.song?.title === "Glass Harbour");
  await sound(two, "SetSound", { volume: 0.3 });
  await player.hears(({ settings }) => settings.volume === 0.3);
  await sound(two, "WithdrawPlayerLink");
  await player.until(() => player.closed === CLOSE.unauthenticated);
});

test("after an API is killed its player reconnects at the other and stays active, and no other becomes active meanwhile", async () => {
  const killed = await startApi();
  const player = openPage(killed, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  // It no longer writes anything, not even that its players left; writes already sent arrive.
  await killed.sql.end({ timeout: 5 });
  await killed.close();
  await player.until(() => player.closed !== undefined);
  const other = openPage(two, "phone.1");
  await other.hears(({ is_heard, heard_name }) => !is_heard && heard_name === "laptop.1");
  const back = openPage(two, "laptop.1");
  await back.hears(({ is_heard }) => is_heard);
  expect(await sound(one, "GetSound")).toMatchObject({ heard: { isConnected: true }, silent: ["phone.1"] });
  expect(other.state!.is_heard).toBe(false);
});

test("if one API alone loses the database, exactly one of its page and the page that replaces it elsewhere is active", async () => {
  const way = openUntil(onTestFinished, await openCable(database.url));
  const alone = openUntil(onTestFinished, await startApi(way.url));
  await tellOverBroker(two, alone);
  const player = openPage(alone, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  way.hold();
  const other = openPage(two, "phone.1");
  await other.hears(({ heard_name }) => heard_name === "laptop.1");
  const asks = async () => {
    player.beat();
    other.say({ type: "hello", key, page: "phone.1", name: "phone.1" });
    return other.state!.is_heard;
  };
  await expect.poll(asks, { interval: 500, timeout: 30_000 }).toBe(true);
  const told = () => {
    player.beat();
    return [player.state!.is_heard, player.state!.heard_name];
  };
  await expect.poll(told).toEqual([false, "phone.1"]);
  expect(player.closed).toBeUndefined();
});

test("a page that moves to another API leads the lights there, by that API's clock only", async () => {
  const song = await insertReadySong(database.sql, { title: "Glass Harbour" });
  const player = openPage(one, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  await music(one, "BroadcastSong", { song_id: song });
  await player.hears(({ queue }) => queue.mode === "playing");
  const { queue, server_ms } = player.state!;
  player.beat(song, (server_ms - queue.starts_at) / 1000);
  await expect.poll(() => one.heard.length).toBeGreaterThan(0);
  // The other API knows the queue before the page arrives.
  await openPage(two, "phone.1").hears(({ queue: told }) => told.mode === "playing");
  player.close();
  const moved = openPage(two, "laptop.1", {}, { song_id: song, position: 60, at: server_ms, revision: queue.revision });
  await moved.hears(({ is_heard, queue: told }) => is_heard && told.mode === "playing");
  expect(two.heard).toEqual([]);
  const before = one.heard.length;
  moved.beat(song, 5);
  await expect.poll(() => two.heard.length).toBeGreaterThan(0);
  expect(two.heard[0]!.position).toBeCloseTo(5, 6);
  expect(one.heard).toHaveLength(before);
});

test("the sound output at one API is inactive while a page is active at the other, and every API reports its problem", async () => {
  const output = openPage(one, OUTPUT.page, OUTPUT);
  await output.hears(({ is_heard }) => is_heard);
  output.say({ type: "beat", sent_at: 1, is_allowed: true, loaded_ahead: 0, problem: "No such device." });
  await expect.poll(() => readOutputProblem(two.sql)).toBe("No such device.");
  const page = openPage(two, "phone.1", { take_over: true });
  await page.hears(({ is_heard }) => is_heard);
  await output.hears(({ is_heard }) => !is_heard);
  page.leave();
  await expect.poll(async () => (await sound(one, "GetSound")).heard.isConnected ?? false).toBe(false);
  await database.sql`update open_players set left_at = left_at - interval '10 s' where left_at is not null`;
  output.say({ type: "hello", ...OUTPUT });
  await output.hears(({ is_heard }) => is_heard);
});

test("at most twenty players may be open, at all APIs together", async () => {
  const players = Array.from({ length: 20 }, (_, i) => openPage(i % 2 ? one : two, `page${i}.1`));
  await Promise.all(players.map((player) => player.hears(({ heard_name }) => heard_name !== "")));
  const late = openPage(one, "late.1");
  await late.until(() => late.closed === CLOSE.tooSlow);
});

test("while the database is locked players are answered and stay, and a page that opens meanwhile gets its state afterwards", async () => {
  const player = openPage(one, "laptop.1");
  await player.hears(({ is_heard }) => is_heard);
  const answers = () => player.told.filter(({ type }) => type === "beat").length;
  let other: TestPlayer | undefined;
  await database.sql.begin(async (tx) => {
    await tx`lock table open_players in access exclusive mode`;
    other = openPage(two, "phone.1");
    for (let half = 0; half < 4; half++) {
      const before = answers();
      player.beat();
      await player.until(() => answers() > before);
      await pause(500);
    }
  });
  await other!.hears(({ is_heard, heard_name }) => !is_heard && heard_name === "laptop.1");
  expect(player.closed).toBeUndefined();
});
