import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTraceCollector, type TraceCollector } from "../../testing/trace-collector.ts";
import { parseSettings } from "../settings.ts";
import { openTraces, spanIdOf, traceIdOf, Traces, type Span } from "./traces.ts";

const SPAN: Span = {
  traceId: traceIdOf("run"),
  id: spanIdOf("run"),
  name: "song",
  startMs: 1_764_000_000_000.25,
  endMs: 1_764_000_001_500,
  attributes: { "song.id": "S1", "song.attempt": 2, share: 0.5 },
};

let collector: TraceCollector;
let warnings: string[];
beforeEach(async () => {
  collector = openUntil(onTestFinished, await startTraceCollector());
  warnings = [];
});
const open = (endpoint = collector.endpoint) =>
  openUntil(
    onTestFinished,
    new Traces({ endpoint, service: "main-api", warn: (line) => warnings.push(line), everyMs: 20, answerMs: 200 }),
  );
const arrived = (count: number) => expect.poll(() => collector.spans).toHaveLength(count);

test("sends spans with their names, times and attributes to the collector", async () => {
  const traces = open();
  traces.add(SPAN);
  traces.add({ ...SPAN, id: spanIdOf("part"), parentId: SPAN.id, name: "download", error: "The site is away." });
  await arrived(2);
  expect(collector.spans).toMatchObject([
    { ...SPAN, service: "followspot-main-api", parentId: "", error: "" },
    { name: "download", traceId: SPAN.traceId, parentId: SPAN.id, error: "The site is away." },
  ]);
});

test("IDs are derived from their key alone, and have the lengths that collectors require", () => {
  expect(traceIdOf("run")).toMatch(/^[0-9a-f]{32}$/);
  expect(spanIdOf("run")).toMatch(/^[0-9a-f]{16}$/);
  expect(traceIdOf("run")).toBe(traceIdOf("run"));
  expect(spanIdOf("a", "bc")).not.toBe(spanIdOf("ab", "c"));
});

test.each(["hangs", "refuses"] as const)(
  "a collector that %s loses spans with a warning, and gets later ones",
  async (mood) => {
    collector.mood = mood;
    const traces = open();
    traces.add(SPAN);
    await expect.poll(() => warnings.join()).toContain("1 were thrown away");
    collector.mood = "takes";
    traces.add({ ...SPAN, name: "later" });
    await arrived(1);
    expect(collector.spans[0]).toMatchObject({ name: "later" });
  },
);

test("a hung collector gets one request at a time, and 100,000 waiting spans are limited in memory", async () => {
  collector.mood = "hangs";
  const traces = new Traces({
    endpoint: collector.endpoint,
    service: "s",
    warn: () => {},
    everyMs: 5,
    answerMs: 60_000,
  });
  for (let i = 0; i < 100_000; i++) traces.add(SPAN);
  await expect.poll(() => collector.requests).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(collector.requests).toBe(1);
  const closing = performance.now();
  await traces.close();
  expect(performance.now() - closing).toBeLessThan(2000);
});

test("sends waiting spans before a process ends", async () => {
  const traces = new Traces({ endpoint: collector.endpoint, service: "s", warn: () => {}, everyMs: 60_000 });
  traces.add(SPAN);
  await traces.close();
  expect(collector.spans).toHaveLength(1);
});

test("nothing is traced without a collector, and an invalid address is refused", () => {
  expect(openTraces(parseSettings({}), "main-api", () => {})).toBeUndefined();
  for (const wrong of ["collector:4318", "ftp://collector", "http://name:secret@collector", "http://collector/?a=1"])
    expect(() => parseSettings({ FOLLOWSPOT_TRACES: wrong })).toThrow(
      "FOLLOWSPOT_TRACES: must be the address of a collector",
    );
});
