import { describe, expect, it } from "vitest";
import { clicksBetween, SongClock } from "./beat-click.ts";

const beats = Array.from({ length: 16 }, (_, i) => i * 0.5);
const downbeats = beats.filter((_, i) => i % 4 === 0);

describe("clicksBetween", () => {
  it("clicks on every beat once, whatever the steps, and accents the first beat of a bar", () => {
    const heard = Array.from({ length: 80 }, (_, i) => clicksBetween(beats, downbeats, i * 0.1, (i + 1) * 0.1)).flat();
    expect(heard.map(({ time }) => time)).toEqual(beats);
    expect(heard.filter(({ isAccent }) => isAccent).map(({ time }) => time)).toEqual(downbeats);
  });

  it("is silent without beats", () => {
    expect(clicksBetween([], [], 0, 10)).toEqual([]);
  });
});

describe("SongClock", () => {
  it("is smoother than a media element that reports in steps of 20 ms", () => {
    const songClock = new SongClock();
    for (let i = 0; i < 20; i++) {
      const now = 100 + i * 0.041;
      const exact = i * 0.041;
      expect(songClock.measure(now, Math.floor(exact / 0.02) * 0.02, 1)).toBe(false);
    }
    expect(Math.abs(songClock.zero() - 100)).toBeLessThan(0.02);
  });

  it("follows a seek immediately", () => {
    const songClock = new SongClock();
    songClock.measure(10, 0, 1);
    expect(songClock.measure(10.04, 30, 1)).toBe(true);
    expect(songClock.zero()).toBeCloseTo(-19.96, 6);
  });

  it("supports half speed", () => {
    const songClock = new SongClock();
    songClock.measure(10, 4, 0.5);
    expect(songClock.zero() + 5 / 0.5).toBe(12);
  });
});
