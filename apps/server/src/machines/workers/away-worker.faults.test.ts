import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { lightingPlanSchema, songAnalysisSchema } from "@followspot/contract";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { startOffice, startStickyWay, type AwayWorker } from "../../testing/away-office.ts";
import { openS3, s3Setting, S3_KEYS, startS3 } from "../../testing/s3-store.ts";
import { synthesiseSong } from "../../testing/synthetic-song.ts";

const STEMS = ["bass.mp3", "drums.mp3", "other.mp3", "vocals.mp3"];
const SECONDS = 12;
const LONG = { timeout: 90_000, interval: 200 };
const office = await startOffice(afterAll);
const files = new SongFiles(office.dataDir);
let songs = 0;

beforeEach(async () => {
  await office.sql`delete from songs`;
});

/** Uploads a short song that differs from all others. */
const addSong = () => office.upload(`Song ${++songs}.wav`, new Uint8Array(synthesiseSong(SECONDS, 100 + songs)));

async function startWorker(options?: Parameters<typeof office.startWorker>[1]) {
  const worker = await office.startWorker(await office.enrol(`Machine ${songs}-${Math.random()}`), options);
  onTestFinished(() => stop(worker));
  await expect.poll(worker.said, LONG).toContain("works as");
  return worker;
}

async function stop({ process: child }: AwayWorker): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

const exitCode = async ({ process: child }: AwayWorker) => child.exitCode ?? ((await once(child, "exit"))[0] as number);
const lightingOf = async (id: string) =>
  (await office.sql<{ lighting_status: string }[]>`select lighting_status from songs where id = ${id}`)[0]
    ?.lighting_status;
const activeStep = async (id: string) =>
  (
    await office.sql`select step, state, attempt from song_jobs where song_id = ${id} and state in ('queued', 'running')`
  )[0];
const untilLit = (id: string) => expect.poll(() => lightingOf(id), LONG).toBe("ready");

test("a worker with only an address and a token processes a song with stems, and keeps no files", async () => {
  const worker = await startWorker();
  const id = await addSong();
  await untilLit(id);
  const names = async () => (await readdir(files.folder(id))).sort();
  await expect
    .poll(names, LONG)
    .toEqual(["audio.mp3", ...STEMS, "hybrid.json", "lighting.1.json", "source.wav"].sort());
  const analysis = songAnalysisSchema.parse(await files.readJson(id, "hybrid.json"));
  expect(analysis.tempo).toBeCloseTo(101, 0);
  await expect.poll(async () => songAnalysisSchema.parse(await files.readJson(id, "hybrid.json")).stems.bass, LONG).toBe("bass.mp3"); // prettier-ignore
  expect(lightingPlanSchema.parse(await files.readPlan(id, 1)).song_id).toBe(id);
  const [song] = await office.sql`select duration, tempo, outline is not null as has_outline, palette from songs`;
  expect(song).toMatchObject({ duration: SECONDS, tempo: analysis.tempo, has_outline: true });
  await expect.poll(() => activeStep(id), LONG).toBeUndefined();
  expect(await office.worker(worker.id)).toMatchObject({ state: "waits", songsDone: 1 });
  expect(await readdir(join(worker.folder, "data", "work"))).toEqual([]);
  expect((await fetch(`${office.url}/health`).then((answer) => answer.json())) as object).toMatchObject({ workers: 1 });
  await stop(worker);
  expect(worker.said() + office.said()).not.toContain(worker.token);
});

test("a worker without access to the bucket processes a song stored in it", async () => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const cloud = await startOffice(onTestFinished, { ...S3_KEYS, FOLLOWSPOT_BLOBS: s3Setting(s3.port) });
  const worker = await cloud.startWorker(await cloud.enrol("Attic"));
  await expect.poll(worker.said, LONG).toContain("works as");
  const id = await cloud.upload("Bucket.wav", new Uint8Array(synthesiseSong(12, 124)));
  const status = async () => (await cloud.sql`select lighting_status, stems_generated from songs where id = ${id}`)[0];
  await expect.poll(status, LONG).toEqual({ lighting_status: "ready", stems_generated: true });
  for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
  const kept = new SongFiles(cloud.dataDir, openS3(s3.port));
  expect((await kept.list(id)).map(({ name }) => name).sort()).toEqual(
    ["audio.mp3", ...STEMS, "hybrid.json", "lighting.1.json", "source.wav"].sort(),
  );
  expect(lightingPlanSchema.parse(await kept.readPlan(id, 1)).song_id).toBe(id);
  expect(songAnalysisSchema.parse(await kept.readJson(id, "hybrid.json")).stems.bass).toBe("bass.mp3");
  // No uploaded file remains beside the bucket.
  const work = await readdir(join(cloud.dataDir, "work"), { recursive: true });
  expect(work.filter((name) => name.includes(".mp3") || name.endsWith(".json"))).toEqual([]);
});

test("a worker killed during an upload leaves no partial file, and another one finishes the song", async () => {
  const way = await startStickyWay(onTestFinished, office.url);
  const first = await startWorker({ server: way.url });
  const id = await addSong();
  await expect.poll(way.isStuck, LONG).toBe(true);
  first.process.kill("SIGKILL");
  const second = await startWorker();
  await untilLit(id);
  expect((await readdir(files.folder(id))).filter((name) => name.includes(".tmp-download"))).toEqual([]);
  await stop(second);
});

test("a worker that shuts down releases its song, and the attempt does not count", async () => {
  const way = await startStickyWay(onTestFinished, office.url);
  const worker = await startWorker({ server: way.url });
  const id = await addSong();
  await expect.poll(way.isStuck, LONG).toBe(true);
  await stop(worker);
  expect(await activeStep(id)).toEqual({ step: "download", state: "queued", attempt: 0 });
});

test("a worker that is revoked during a song ends, and another one gets the song", async () => {
  const way = await startStickyWay(onTestFinished, office.url);
  const first = await startWorker({ server: way.url });
  const id = await addSong();
  await expect.poll(way.isStuck, LONG).toBe(true);
  await office.call("queues.v1.QueuesService/RevokeWorker", { worker_id: first.id });
  expect(await exitCode(first)).toBe(3);
  expect(first.said()).toContain("This worker's token is unknown or was revoked");
  await startWorker();
  await untilLit(id);
});

test("of two workers with one token the second continues, and the first ends with the reason", async () => {
  const first = await startWorker();
  const second = await office.startWorker(first);
  onTestFinished(() => stop(second));
  expect(await exitCode(first)).toBe(3);
  expect(first.said()).toContain("Another worker started with this token");
  await untilLit(await addSong());
  expect(second.process.exitCode).toBeNull();
});

test("a song is finished although the server restarts during it, and its worker logs the outage once", async () => {
  const worker = await startWorker();
  const id = await addSong();
  await expect.poll(async () => (await activeStep(id))?.step, LONG).toBe("analysis");
  await office.kill();
  await office.start();
  await untilLit(id);
  expect(worker.said().match(/does not answer/g)).toHaveLength(1);
  expect(worker.said().match(/answers again/g)).toHaveLength(1);
});

test("a worker waits for an unavailable server, and deletes leftovers of earlier runs at its start", async () => {
  const enrolled = await office.enrol("Attic");
  await office.kill();
  const worker = await office.startWorker(enrolled, { leftover: "01JD0000000000000000000002-1" });
  onTestFinished(() => stop(worker));
  await expect.poll(worker.said, LONG).toContain("does not answer");
  await office.start();
  await expect.poll(worker.said, LONG).toContain("works as");
  expect(await readdir(join(worker.folder, "data", "work"))).toEqual([]);
});

test("a worker runs only the steps in its settings", async () => {
  const id = await addSong();
  const worker = await startWorker({ env: { FOLLOWSPOT_WORKER_STEPS: "download" } });
  await expect.poll(async () => (await activeStep(id))?.step, LONG).toBe("analysis");
  await new Promise((waited) => setTimeout(waited, 1500));
  expect(await activeStep(id)).toMatchObject({ step: "analysis", state: "queued" });
  expect(await office.worker(worker.id)).toMatchObject({ steps: ["download"], songsDone: 1 });
});

test("a worker with an empty token names the option", async () => {
  const worker = await office.startWorker({ id: "", token: "" });
  expect(await exitCode(worker)).toBe(2);
  expect(worker.said()).toContain("--token needs a value");
});
