import { afterAll, beforeAll, expect, test } from "vitest";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { processesOn, removeData, startProduct, until, type Product } from "./testing/product.ts";
import { isReady, upload } from "./testing/songs.ts";

const PROCESSES = ["main-api", "main-worker", "main-stage", "nats-server"];

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await product?.stop();
  await removeData(product.dataDir);
});

test("API, worker, stage and broker recover when they are killed together, and the next song is processed", async () => {
  const pids = (await Promise.all(PROCESSES.map((name) => processesOn(product.dataDir, name)))).flat();
  expect(pids.length).toBeGreaterThanOrEqual(PROCESSES.length);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  const add = () => upload(product, "Nightwatch - Again.wav", synthesiseSong(5, 120));
  let song: string | undefined;
  await until(async () => (song = (await add().catch(() => undefined))?.body.song?.id) !== undefined);
  await until(() => isReady(product, song!), 60_000);
  await until(async () => (await fetch(`${product.url}/health`)).ok);
});
