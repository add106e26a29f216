import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { processesOn, removeData, serverAt, startProduct, until, type Product } from "../testing/product.ts";
import { isReady, songOf, upload } from "../testing/songs.ts";

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product?.stop();
  await removeData(product.dataDir);
});

test("finishes a song whose worker is killed during it, without intervention", async () => {
  const { body } = await upload(product, "killed.wav", synthesiseSong(60, 100));
  await until(async () => (await songOf(product, body.song.id)).step !== "");
  for (const pid of await processesOn(product.dataDir, "main-worker")) process.kill(pid, "SIGKILL");
  await until(() => isReady(product, body.song.id), 90_000);
});

test("keeps every song after kill -9 of supervisor and broker, and no orphan process remains", async () => {
  const songsBefore = (await product.call("music.v1.MusicService/ListSongs", {})).songs.length;
  const token = await product.token();
  const killed = await processesOn(product.dataDir);
  const exited = new Promise((done) => product.process.once("exit", done));
  product.process.kill("SIGKILL");
  for (const pid of await processesOn(product.dataDir, "nats-server")) process.kill(pid, "SIGKILL");
  await exited;
  product = await startProduct({ dataDir: product.dataDir });
  // Once it reports that it is ready, the stage is ready as well.
  await serverAt(product.url, async () => token).call("lights.v1.LightsService/GetOutputHealth", {});
  expect((await product.call("music.v1.MusicService/ListSongs", {})).songs).toHaveLength(songsBefore);
  // The old processes have lost their supervisor and broker, and must end without them.
  await until(async () => (await processesOn(product.dataDir)).every((pid) => !killed.includes(pid)));
});

test("stops on Ctrl-C, and with its terminal, without remaining processes", async () => {
  expect(await product.stop()).toBe(0);
  expect(await processesOn(product.dataDir)).toEqual([]);
  product = await startProduct({ dataDir: product.dataDir });
  product.process.stdout!.destroy();
  product.process.stderr!.destroy();
  product.process.kill("SIGHUP");
  expect(await once(product.process, "exit")).toEqual([0, null]);
  expect(await processesOn(product.dataDir)).toEqual([]);
});
