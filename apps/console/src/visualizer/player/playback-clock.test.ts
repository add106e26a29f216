import { describe, expect, it } from "vitest";
import { PlaybackClock } from "./playback-clock.ts";

function runningAt(time: number): PlaybackClock {
  const clock = new PlaybackClock();
  clock.seek(time, 0);
  clock.run(0);
  return clock;
}

describe("PlaybackClock", () => {
  it("advances with the wall clock between two reports", () => {
    expect(runningAt(10).timeAt(500)).toBeCloseTo(10.5);
  });

  it("advances at half speed if the song does", () => {
    const clock = runningAt(10);
    clock.setRate(0.5, 1000);
    expect(clock.timeAt(3000)).toBeCloseTo(12);
  });

  it("ignores a report within 30 ms, so the playhead does not jitter", () => {
    const clock = runningAt(0);
    clock.observe(0.98, 1000);
    expect(clock.timeAt(1000)).toBeCloseTo(1);
  });

  it("follows a report more than 30 ms off", () => {
    const clock = runningAt(0);
    clock.observe(0.9, 1000);
    expect(clock.timeAt(1100)).toBeCloseTo(1);
  });

  it("ignores stale reports for 100 ms after a seek, then follows again", () => {
    const clock = runningAt(0);
    clock.seek(60, 1000);
    clock.observe(1.05, 1050);
    expect(clock.timeAt(1050)).toBeCloseTo(60.05);
    clock.observe(1.2, 1200);
    expect(clock.timeAt(1200)).toBeCloseTo(1.2);
  });

  it("stands still while held, and continues from there", () => {
    const clock = runningAt(5);
    clock.hold(1000);
    expect(clock.timeAt(9000)).toBeCloseTo(6);
    clock.run(9000);
    expect(clock.timeAt(9500)).toBeCloseTo(6.5);
  });

  it("converges to the element's true position in spite of coarse reports", () => {
    const clock = new PlaybackClock();
    clock.run(0);
    // The audio started 15 ms after play(), and reports come in steps of 10 ms.
    const soundAt = (ms: number) => Math.floor((ms - 15) / 10) / 100;
    const jumps: number[] = [];
    for (let ms = 0; ms < 3000; ms += 16) {
      const before = clock.timeAt(ms);
      if (ms > 15) clock.observe(soundAt(ms), ms);
      jumps.push(Math.abs(clock.timeAt(ms) - before));
    }
    expect(clock.timeAt(3000)).toBeCloseTo(2.985 - 0.005, 2);
    expect(Math.max(...jumps)).toBeLessThan(0.016);
  });
});
