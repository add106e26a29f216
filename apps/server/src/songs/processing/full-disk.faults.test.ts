import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GrantedJob, JobStep, PlanInputs, StepResult } from "@followspot/contract";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import type { Caller } from "../../platform/caller.ts";
import { freeBytes } from "../../platform/files/disk.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../../platform/broker/nats.ts";
import { OutboxRelay } from "../../platform/broker/outbox-relay.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { findNatsServer, startNats } from "../../operations/supervisor/nats.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../../testing/small-disk.ts";
import { createDemoAdder } from "../library/add-demo-song.ts";
import { createStepRunner } from "./run-step.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { SongPipeline } from "./song-pipeline.ts";
import { BrokerJobs } from "./broker-jobs.ts";
import { SongWorker } from "./song-worker.ts";
import { findSong } from "../catalog/songs.store.ts";
import { storeOriginal } from "../library/store-original.ts";
import { songFolders } from "./workplace.ts";

const MB = 1e6;
const LONG = "01JD0000000000000000000001";
const SHORT = "01JD0000000000000000000002";
const admin: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

let disk: SmallDisk;
let files: SongFiles;

describe.runIf(canMount)("on a full disk", () => {
  beforeEach(async () => {
    disk = mountSmallDisk(48);
    files = new SongFiles(disk.path);
  });
  afterEach(() => disk.unmount());

  const runner = () =>
    createStepRunner({
      places: songFolders(files),
      ffmpeg: undefined,
      stems: true,
      videoSite: {} as never,
      warn: () => undefined,
    });
  const plan: PlanInputs = {
    ...{ groups: [{ id: "g", type: "ambient" }], wishes: {}, corrections: null, number: 1, kept_numbers: [] },
  } as never; // fields that the step reads
  const step = (run: ReturnType<typeof runner>, song_id: string, name: JobStep, duration = 0): Promise<StepResult> => {
    const job = { job_id: "j", song_id, step: name, attempt: 1, url: "", duration, plan } as unknown as GrantedJob; // fields that steps read
    return run(job, { signal: new AbortController().signal, onProgress: () => undefined });
  };
  const names = async () => (await readdir(files.root, { recursive: true })).map((name) => name.slice(27)).sort();
  async function put(song: string, seconds: number): Promise<void> {
    await files.makeFolder(song);
    await writeFile(files.path(song, "source.wav"), synthesiseSong(seconds, 120));
  }
  /** Stores a song and runs its steps up to the analysis. */
  async function analysed(run: ReturnType<typeof runner>, song: string, seconds: number): Promise<void> {
    await put(song, seconds);
    await step(run, song, "download");
    await step(run, song, "analysis");
    await rm(files.path(song, "source.wav"));
  }

  test("a step waits for the space it needs, and leaves no partial file", async () => {
    await put(SHORT, 20);
    const { size } = await stat(files.path(SHORT, "source.wav"));
    await disk.fill(100_000);
    await expect(step(runner(), SHORT, "download")).rejects.toMatchObject({
      wait: { kind: "room", bytes: 8 * MB + size },
    });
    expect(await names()).toEqual(["", "source.wav"]);
    await disk.makeRoom();
    expect(await step(runner(), SHORT, "download")).toMatchObject({ duration: expect.closeTo(20, 0) });
  });

  // kept: Songs and jobs | Unfinished stems occupied the space that a plan needed | also
  test("stems start only if there is space for twice their size", async () => {
    const run = runner();
    await analysed(run, SHORT, 12);
    const bytes = 8 * MB + 2 * 4 * 24_000 * 12;
    await disk.fill(bytes - 100_000);
    await expect(step(run, SHORT, "stems", 12)).rejects.toMatchObject({ wait: { kind: "room", bytes } });
    await disk.makeRoom();
    await disk.fill(bytes + 200_000);
    await step(run, SHORT, "stems", 12);
    expect(await names()).toContain("drums.mp3");
    const written = await Promise.all(
      ["drums", "bass", "vocals", "other"].map((name) => stat(files.path(SHORT, `${name}.mp3`))),
    );
    // The estimate's bytes per second.
    expect(written.reduce((sum, { size }) => sum + size, 0) / (4 * 24_000 * 12)).toBeCloseTo(1, 1);
  });

  // kept: Songs and jobs | Unfinished stems occupied the space that a plan needed | failed on the old code
  test("a plan is made although unfinished stems fill the disk: they are deleted, and their step waits", async () => {
    const run = runner();
    await analysed(run, SHORT, 12);
    await analysed(run, LONG, 90);
    const stems = step(run, LONG, "stems", 90).catch((error: unknown) => error);
    const half = files.path(LONG, "drums.mp3.tmp-stems-1");
    await expect
      .poll(async () => (await stat(half).catch(() => undefined))?.size ?? 0, { timeout: 20_000, interval: 10 })
      .toBeGreaterThan(200_000);
    await disk.fill(0);
    await step(run, SHORT, "lighting");
    expect(await names()).toContain("lighting.1.json");
    expect(await stems).toMatchObject({ wait: { kind: "room", bytes: 8 * MB + 2 * 4 * 24_000 * 90 } });
    expect((await names()).filter((name) => name.includes(".tmp"))).toEqual([]);
  });

  test("a plan deletes stems of a dead worker, but not those that another worker is writing", async () => {
    const run = runner();
    await analysed(run, SHORT, 12);
    await files.makeFolder(LONG);
    const [dead, alive] = [files.path(LONG, "drums.mp3.tmp-stems-1"), files.path(LONG, "bass.mp3.tmp-stems-2")];
    for (const path of [dead, alive]) await writeFile(path, Buffer.alloc(2 * MB));
    await utimes(dead, new Date(Date.now() - 300_000), new Date(Date.now() - 300_000));
    await disk.fill(0);
    await step(run, SHORT, "lighting");
    expect(await names()).toEqual(expect.arrayContaining(["lighting.1.json", "bass.mp3.tmp-stems-2"]));
    await expect(stat(dead)).rejects.toThrow();
    await disk.fill(0);
    await rm(files.path(SHORT, "lighting.1.json"));
    await disk.fill(0);
    await expect(step(run, SHORT, "lighting")).rejects.toMatchObject({ wait: { kind: "room", bytes: 8 * MB } });
  });

  describe("with the whole pipeline", () => {
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let close: () => Promise<void>;
    let start: () => void;
    let worker: SongWorker;
    let steps = 0;
    beforeAll(async () => void (database = await createTestDatabase()));
    afterAll(() => database.close());
    beforeEach(async () => {
      steps = 0;
      // The broker's folder is on another disk.
      const folder = await mkdtemp(join(tmpdir(), "followspot-full-"));
      const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {});
      const broker = await connectBroker(nats.url, "test");
      await ensureStreams(broker);
      const pipeline = new SongPipeline(database.sql, broker, files, () => undefined);
      pipeline.start();
      const relay = new OutboxRelay(database.sql, broker, () => undefined);
      relay.start();
      const run = runner();
      worker = new SongWorker(
        new BrokerJobs(broker, "worker-1"),
        (job, report) => (steps++, run(job, report)),
        1,
        () => undefined,
      );
      start = () => worker.start();
      close = async () => {
        await worker.close();
        await relay.close();
        await pipeline.close();
        await leaveBroker(broker);
        await nats.stop();
        await rm(folder, { recursive: true, force: true });
      };
    });
    afterEach(() => close());

    // kept: Songs and jobs | Songs that met a full disk stayed failed after space was freed | failed on the old code
    test("a song without space becomes ready once there is some, and is not retried constantly in between", async () => {
      const { song } = await storeOriginal({ sql: database.sql, files }, admin, "Song.wav", async (path) => {
        await writeFile(path, synthesiseSong(12, 120));
        return { size: 1, hash: "0".repeat(64) };
      });
      await disk.fill(100_000);
      start();
      const look = async () => await findSong(database.sql, song.id);
      await expect.poll(async () => (await look())?.note).toMatch(/^waits until \d+ MB are free/);
      expect(await look()).toMatchObject({ analysis_status: "pending", error_message: "" });
      // Longer than its first delay.
      const before = steps;
      await expect
        .poll(
          async () =>
            (await database.sql`select 1 from song_jobs where not_before < now() - interval '3 seconds'`).length,
          { timeout: 20_000 },
        )
        .toBe(1);
      expect(steps).toBe(before);
      await disk.makeRoom();
      await expect
        .poll(async () => [(await look())?.analysis_status, (await look())?.lighting_status], { timeout: 60_000 })
        .toEqual(["ready", "ready"]);
      expect(await database.sql`select 1 from song_jobs where state = 'failed'`).toHaveLength(0);
    });

    test("adding a demo song fails with the reason while the disk is full, and works afterwards", async () => {
      const add = createDemoAdder({ sql: database.sql, files });
      await disk.fill(1000);
      await expect(add(admin, "house")).rejects.toThrow(
        "There is no space left on the server's disk. Free some and upload again.",
      );
      await disk.makeRoom();
      expect((await add(admin, "house")).title).toBe("Harbour Lights (demo)");
      expect(await freeBytes(disk.path)).toBeGreaterThan(20 * MB);
    });
  });
});
