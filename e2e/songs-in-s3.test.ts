import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { openS3, S3_KEYS, s3Setting, startS3, type S3Store } from "../apps/server/src/testing/s3-store.ts";
import { synthesiseSong } from "../apps/server/src/testing/synthetic-song.ts";
import { removeData, startProduct, until, type Product } from "./testing/product.ts";
import { isReady, upload } from "./testing/songs.ts";

let s3: S3Store;
let env: Record<string, string>;
let product: Product;
let songId: string;
beforeAll(async () => {
  for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
  s3 = await startS3();
  env = { FOLLOWSPOT_BLOBS: s3Setting(s3.port), FOLLOWSPOT_STEMS: "on", ...S3_KEYS };
  product = await startProduct({ env });
});
afterAll(async () => {
  await product?.stop();
  if (product) await removeData(product.dataDir);
  await s3?.close();
});

async function kept(): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of openS3(s3.port).list("songs/")) names.push(key);
  return names.toSorted();
}
async function sound(headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${await product.token()}`;
  return fetch(`${product.url}/proxy/songs/${songId}/audio.mp3`, { headers: { authorization, ...headers } });
}
const below = (folder: string) => readdir(join(product.dataDir, folder)).catch(() => []);

test("a song is analyzed and planned with its files in a bucket, and leaves none in the data folder", async () => {
  const { body } = await upload(product, "House Band - Bucket.wav", synthesiseSong(8, 120));
  songId = body.song.id;
  await until(() => isReady(product, songId), 120_000);
  const stems = ["drums", "bass", "vocals", "other"].map((name) => `songs/${songId}/${name}.mp3`);
  await until(async () => {
    const keys = await kept();
    return stems.every((key) => keys.includes(key));
  }, 180_000);
  expect((await kept()).map((key) => key.split("/")[2])).toEqual(
    expect.arrayContaining(["audio.mp3", "hybrid.json", "lighting.1.json"]),
  );
  expect(await below("songs")).toEqual([]);
  await until(async () => (await below("work")).length === 0);
});

test("after a restart without local copies its sound can be played in parts", async () => {
  const whole = Buffer.from(await (await sound()).arrayBuffer());
  expect(whole.length).toBeGreaterThan(100_000);
  await product.stop();
  await rm(join(product.dataDir, "cache"), { recursive: true });
  product = await startProduct({ env, dataDir: product.dataDir });
  const part = await sound({ range: "bytes=70000-79999" });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 70000-79999/${whole.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(70_000, 80_000))).toBe(true);
});

test("when a deleted song is purged, the bucket is empty", async () => {
  await product.call("music.v1.MusicService/DeleteSong", { song_id: songId });
  const running = JSON.parse(await readFile(join(product.dataDir, "running.json"), "utf8")) as { database: string };
  const sql = openDatabase(running.database, 1);
  await sql`update songs set deleted_at = now() - interval '1 hour' where id = ${songId}`;
  await sql.end();
  await until(async () => (await kept()).length === 0);
});

test("health reports that the bucket does not respond, and the API continues", async () => {
  await s3.close();
  const health = async () => (await (await fetch(`${product.url}/health`)).json()) as { reasons: string[] };
  await until(
    async () => (await health()).reasons.some((reason) => reason.startsWith("The S3 store does not answer")),
    60_000,
  );
  expect((await product.call("music.v1.MusicService/ListSongs", { list: {} })).songs ?? []).toEqual([]);
});
