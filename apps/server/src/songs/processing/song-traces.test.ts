import { rm } from "node:fs/promises";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { BUILT_IN } from "../audio/engines/engine-choice.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../../platform/broker/nats.ts";
import { OutboxRelay } from "../../platform/broker/outbox-relay.ts";
import { Traces } from "../../platform/process/traces.ts";
import { findNatsServer, startNats } from "../../operations/supervisor/nats.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { startTraceCollector, type CollectedSpan } from "../../testing/trace-collector.ts";
import { BrokerJobs } from "./broker-jobs.ts";
import { retrySong } from "../library/change-song.ts";
import { createStepRunner } from "./run-step.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { SongPipeline } from "./song-pipeline.ts";
import { SongTraces } from "./song-traces.ts";
import { SongWorker } from "./song-worker.ts";
import { findSong } from "../catalog/songs.store.ts";
import { traceSteps } from "./trace-steps.ts";
import { workplaces } from "./workplace.ts";

const WAIT = { timeout: 50_000, interval: 50 };
/** Clock tolerance, ms: database and processes share one clock, and a row stores whole µs. */
const SLACK_MS = 1;
const WORKER = "worker-of-test";

const dataDir = await folderUntil(afterAll);
const files = new SongFiles(dataDir);
const nats = await startNats(dataDir, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {});
openUntil(afterAll, nats, (running) => running.stop());
const broker = openUntil(afterAll, await connectBroker(nats.url, "test"), leaveBroker);
await ensureStreams(broker);
const collector = openUntil(afterAll, await startTraceCollector());
const spansOf = (service: string) =>
  openUntil(
    afterAll,
    new Traces({ endpoint: collector.endpoint, service, warn: () => {}, everyMs: 50, answerMs: 1000 }),
  );
const onImported = (songId: string): void => songTraces.imported(songId);
const server = openUntil(afterAll, await startTestServer({ dataDir, onImported, connections: 8 }));
const songTraces = new SongTraces(server.sql, spansOf("main-api"));
const onSettled: SongTraces["settled"] = (report) => songTraces.settled(report);
const pipeline = openUntil(afterAll, new SongPipeline(server.sql, broker, files, () => {}, { onSettled }));
pipeline.start();
openUntil(afterAll, new OutboxRelay(server.sql, broker, () => {})).start();
const runStep = createStepRunner({
  places: workplaces(files),
  ffmpeg: undefined,
  stems: false,
  engines: () => BUILT_IN,
  videoSite: {} as never, // only uploads are processed
  warn: () => {},
});
const worker = new SongWorker(new BrokerJobs(broker, WORKER), traceSteps(runStep, spansOf("main-worker")), 1, () => {});
openUntil(afterAll, worker).start();
beforeEach(() => {
  collector.spans.splice(0);
  collector.mood = "takes";
});

let songs = 0;
async function upload(): Promise<string> {
  const { token } = await server.person("Ada", ["Admin"]);
  const answer = await fetch(`${server.base}/api/songs/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "x-file-name": `song-${++songs}.wav` },
    body: Uint8Array.from(synthesiseSong(8 + songs, 120)),
  });
  return ((await answer.json()) as { song: { id: string } }).song.id;
}
const lit = (id: string) =>
  expect.poll(async () => (await findSong(server.sql, id))?.lighting_status, WAIT).toBe("ready");
const spansNamed = (name: string) => collector.spans.filter((span) => span.name === name);
const whole = () => expect.poll(() => spansNamed("song")).toHaveLength(1);
const caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin" as const], sessionId: "" };

function expectInside(inner: CollectedSpan, outer: CollectedSpan): void {
  expect(inner.startMs).toBeGreaterThanOrEqual(outer.startMs - SLACK_MS);
  expect(inner.endMs).toBeLessThanOrEqual(outer.endMs + SLACK_MS);
}

test("a song's path from import to plan is one trace with nested spans", async () => {
  const id = await upload();
  await lit(id);
  await whole();
  await expect.poll(() => spansNamed("plan")).toHaveLength(1);
  const [song] = spansNamed("song");
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(collector.spans.map(({ id: spanId }) => spanId)).size).toBe(collector.spans.length);

  const steps = collector.spans.filter(({ parentId }) => parentId === song!.id);
  expect(steps.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["import", "waiting for a worker", "download", "analysis", "plan"]),
  );
  expect(steps.filter(({ name }) => name === "waiting for a worker")).toHaveLength(3);
  for (const step of steps) expectInside(step, song!);

  // The worker's spans lie within the server's span of that attempt.
  const parts = collector.spans.filter(({ service }) => service === "followspot-main-worker");
  for (const part of parts)
    expectInside(
      part,
      steps.find(({ id: spanId }) => spanId === part.parentId)!,
    );
  const [analysis] = spansNamed("analysis");
  expect(parts.filter(({ parentId }) => parentId === analysis!.id).length).toBeGreaterThan(2);
  expect(analysis!.attributes).toEqual({ "song.id": id, "song.step": "analysis", "song.attempt": 1, worker: WORKER });
});

test("a retried step starts a new trace that contains the reason of its failure", async () => {
  const id = await upload();
  await lit(id);
  await whole();
  const [first] = spansNamed("song");
  collector.spans.splice(0);
  await rm(files.path(id, "audio.mp3"));
  await retrySong(server.sql, caller, id, "analysis");
  await expect.poll(async () => (await findSong(server.sql, id))?.analysis_status, WAIT).toBe("error");
  await whole();
  const [song] = spansNamed("song");
  expect(song!.traceId).not.toBe(first!.traceId);
  const { error_message: reason } = (await findSong(server.sql, id))!;
  expect([song!.error, spansNamed("analysis")[0]!.error]).toEqual([reason, reason]);
  expect(spansNamed("import")).toEqual([]);
});

test("songs are processed while the collector hangs", async () => {
  collector.mood = "hangs";
  onTestFinished(() => void (collector.mood = "takes"));
  await lit(await upload());
  expect(collector.spans).toEqual([]);
});
