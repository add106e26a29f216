import { SteadyClock } from "@followspot/playing";
import { expect, test } from "vitest";
import { ShowClock } from "./show-clock.ts";

const HOUR_MS = 3_600_000;
/** Clock errors of ordinary machines and sound cards, relative. */
const PAGE_IS_FAST = 60e-6;
const CARD_IS_SLOW = 200e-6;
/** Offset of a console's clock, ms. */
const PAGE_AHEAD_MS = 5_000_000;
/** Shortest and longest latency to the server on a shared network, ms. */
const WAY_MS = { least: 1, most: 40 };

test("light stays within 5 ms of the sound for an hour, although page, sound card and server have different clocks", () => {
  // Park and Miller's generator: the same hour in each run.
  let state = 24;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const way = () => WAY_MS.least + (WAY_MS.most - WAY_MS.least) * random() ** 4;
  /** Returns the page's clock at a moment of the server's clock. */
  const onPage = (ms: number) => PAGE_AHEAD_MS + ms * (1 + PAGE_IS_FAST);
  /** Returns the song time that has left the speakers by then, seconds. */
  const heard = (ms: number) => (ms / 1000) * (1 - CARD_IS_SLOW);
  const page = new SteadyClock();
  const light = new ShowClock();
  light.run(0, 0);
  const errors: number[] = [];
  for (let ms = 1000; ms <= HOUR_MS; ms += 1000) {
    const [there, back] = [way(), way()];
    page.answered(onPage(ms), ms + there, onPage(ms + there + back));
    // Sent at once: the song time audible at a moment of the server's clock, as estimated by the page.
    const toldAtMs = ms + there + back;
    const momentMs = onPage(toldAtMs) + page.aheadMs!;
    const arrivesMs = toldAtMs + way();
    for (const at of [arrivesMs + 100, arrivesMs + 500])
      if (ms > 10_000) errors.push(Math.abs(light.positionAt(at) - heard(at)) * 1000);
    light.follow(arrivesMs, heard(toldAtMs) + (arrivesMs - momentMs) / 1000);
  }
  const sorted = errors.toSorted((a, b) => a - b);
  const lastMinute = errors.slice(-120);
  expect(sorted[Math.floor(0.95 * sorted.length)]).toBeLessThan(5);
  expect(Math.max(...lastMinute)).toBeLessThan(5);
  // Without the corrections, the light would be 0.75 s off by then.
  expect(Math.abs(HOUR_MS / 1000 - heard(HOUR_MS)) * 1000).toBeGreaterThan(700);
});
