import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { findNatsServer, startNats, type RunningNats } from "../../apps/server/src/operations/supervisor/nats.ts";
import { startPostgres, type RunningPostgres } from "../../apps/server/src/operations/supervisor/postgres.ts";
import { listenForArtNet } from "../testing/art-net-listener.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, lightPars, upload } from "../testing/songs.ts";

/** Two machines on one database and one broker, both started by `npm start`. */
let folder: string;
let database: RunningPostgres;
let broker: RunningNats;
let first: Product;
let second: Product;
let node: Awaited<ReturnType<typeof listenForArtNet>>;
let env: Record<string, string>;

const quiet = () => {};
const queueOf = async (of: Product) => (await of.call("music.v1.MusicService/GetShowQueue", {})).queue;
const HELD = /uses the same database and drives the fixtures/;
/** Whether a machine reports that another one drives the fixtures; undefined while its stage is being replaced. */
const isSilent = async (of: Product): Promise<boolean | undefined> => {
  const health = await of.call("lights.v1.LightsService/GetOutputHealth", {}).catch(() => undefined);
  return health && HELD.test(health.notices?.join());
};
const warningsOf = async (of: Product): Promise<string[]> => (await (await fetch(`${of.url}/health`)).json()).warnings;
const stageOf = async (of: Product) => {
  const headers = { authorization: `Bearer ${await of.token()}` };
  return (await fetch(`${of.url}/api/stage/health`, { headers })).json() as Promise<{ mode?: string }>;
};
/** Senders of the next packets. */
async function sendersFromNow(): Promise<Set<number>> {
  const from = node.packets.length;
  await until(() => node.packets.length >= from + 60);
  return new Set(node.packets.slice(from).map((packet) => packet.from));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-machines-"));
  await chmod(folder, 0o755);
  const program = await findNatsServer(process.env.NATS_SERVER_BIN, quiet);
  [database, broker, node] = await Promise.all([
    startPostgres(folder, quiet),
    startNats(folder, program, quiet),
    listenForArtNet(),
  ]);
  env = { DATABASE_URL: database.url, NATS_URL: broker.url };
  first = await startProduct({ env });
  const { body } = await upload(first, "Test Artist - Song 120.wav", synthesiseSong(60, 120));
  await lightPars(first, 4, node.port);
  await until(() => isReady(first, body.song.id), 90_000);
  const { playlist } = await first.call("music.v1.MusicService/CreatePlaylist", { name: "Friday" });
  await first.call("music.v1.MusicService/AddSongToPlaylist", { playlist_id: playlist.id, song_id: body.song.id });
  await first.call("music.v1.MusicService/PlayPlaylist", { playlist_id: playlist.id, repeat: true });
  await until(() => node.packets.some(({ slots }) => slots.some((level) => level > 0)));
});
afterAll(async () => {
  for (const product of [second, first]) {
    await product?.stop();
    if (product) await removeData(product.dataDir);
  }
  node?.close();
  await broker?.stop();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

// kept: Stage and lamps | Two servers started on one database both drove the fixtures, and a blackout at one left them lit | failed on the old code
test("a second machine on the same database stays silent and reports why, and the music continues", async () => {
  let isStarting = true;
  const modes = new Set<string>();
  const watching = (async () => {
    while (isStarting) {
      const queue = await queueOf(first).catch(() => undefined); // a busy machine may answer too late
      if (queue) modes.add(queue.mode);
    }
  })();
  second = await startProduct({ env });
  isStarting = false;
  await watching;
  expect(modes).toEqual(new Set(["playing"]));
  await cp(join(first.dataDir, "songs"), join(second.dataDir, "songs"), { recursive: true });
  await until(async () => (await stageOf(second)).mode === "playing");
  expect((await sendersFromNow()).size).toBe(1);
  await until(async () => (await isSilent(second)) === true);
  await until(async () => (await isSilent(first)) === false);
  await until(async () => HELD.test((await warningsOf(second)).join()));
  expect(second.output()).toMatch(HELD);
});

test("the second machine takes over when the first one dies, which stays silent when it returns", async () => {
  const place = { env, dataDir: first.dataDir, port: Number(new URL(first.url).port) };
  const [dead] = await sendersFromNow();
  first.process.kill("SIGKILL");
  for (const pid of await processesOn(first.dataDir)) process.kill(pid, "SIGKILL");
  await until(() => node.packets.at(-1)!.from !== dead);
  const [taker] = await sendersFromNow();
  await until(async () => (await isSilent(second)) === false);

  const returned = node.packets.length;
  first = await startProduct(place);
  await until(async () => (await isSilent(first)) === true);
  await until(async () => (await stageOf(first)).mode === "playing");
  await sendersFromNow();
  expect(new Set(node.packets.slice(returned).map(({ from }) => from))).toEqual(new Set([taker]));
  expect((await queueOf(first)).mode).toBe("playing");

  await second.stop();
  await until(() => node.packets.at(-1)!.from !== taker);
  await until(async () => (await isSilent(first)) === false);
});
