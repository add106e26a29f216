// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { createStore } from "../lib/store.ts";
import type { MeterView } from "../sound-input/delay-meter.ts";
import { press, show } from "../testing/show.tsx";
import { MeasureDelay } from "./measure-delay.tsx";
import type { PaPlayer } from "./pa-player.ts";

/** View that the meter reports when it opens. */
let told: MeterView;
vi.mock("../sound-input/delay-meter.ts", () => ({
  DelayMeter: class {
    open: () => Promise<void>;
    constructor(_nextClick: unknown, onView: (view: MeterView) => void) {
      this.open = async () => onView(told);
    }
    close = () => undefined;
  },
}));

const node = { gain: { value: 0 }, connect: () => undefined, disconnect: () => undefined };
const context = {
  sampleRate: 48_000,
  currentTime: 0,
  createBuffer: () => ({ copyToChannel: () => undefined }),
  createGain: () => node,
};

beforeEach(() => vi.stubGlobal("isSecureContext", true));

/** Renders a measurement with this view; returns the page and the delays that were applied. */
async function measured(view: MeterView, mode = "stopped") {
  told = view;
  const used: number[] = [];
  const player = { context, allow: async () => undefined, view: createStore({ isHeard: true, queue: { mode } }) };
  const page = await show(<MeasureDelay player={player as unknown as PaPlayer} onUse={(ms) => used.push(ms)} />);
  await press("Measure");
  return { page, used };
}
const done = (result: (MeterView & { kind: "done" })["result"]): MeterView => ({
  kind: "done",
  result,
  inputMs: undefined,
  outputMs: 0,
});
const late = (delayMs: number) => done({ kind: "measured", heard: 8, delayMs, spreadMs: 3 });

test.each([
  [{ kind: "missing" }, "No microphone was found"],
  [{ kind: "denied" }, "The microphone is not allowed here"],
  [done({ kind: "unheard", heard: 1 }), "Only 1 of 8 clicks were heard"],
  [done({ kind: "unsure", heard: 9, spreadMs: 140 }), "It is too noisy: half of the clicks lie 140 ms apart"],
  [late(1400), "more than a second late"],
] as const)("shows why nothing was measured: %o", async (view, words) => {
  const { page } = await measured(view);
  expect(page.querySelector("[role=alert]")?.textContent).toContain(words);
});

test("reports that browsers provide no microphone over plain http", async () => {
  vi.stubGlobal("isSecureContext", false);
  const { page } = await measured({ kind: "missing" });
  expect(page.querySelector("[role=alert]")?.textContent).toContain("Over plain http browsers give no microphone");
});

test("proposes the measured delay, and applies or discards it", async () => {
  const first = await measured(late(183.4));
  expect(first.page.textContent).toContain("Sound is heard 183 ms later than the machine says");
  await press("Discard");
  expect([first.used, first.page.textContent]).toEqual([[], expect.not.stringContaining("183")]);
  await press("Measure");
  await press("Use 183 ms");
  expect(first.used).toEqual([183]);
});

test("clamps a negative delay to 0 ms", async () => {
  const { page } = await measured(late(-6));
  expect(page.textContent).toContain("Use 0 ms");
});

test("waits until the music stops", async () => {
  const { page } = await measured(late(20), "playing");
  expect(page.textContent).toContain("Pause or stop it");
  expect(page.textContent).not.toContain("Use 20 ms");
});
