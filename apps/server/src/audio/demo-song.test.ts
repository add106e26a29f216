import { expect, it } from "vitest";
import { synthesiseDemo } from "./demo-song.ts";
import { sniffAudio } from "./sniff-audio.ts";

it("is always the same song, 73.5 s long, with quiet and loud parts, and lets others be served", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const [song, again] = [await synthesiseDemo(), await synthesiseDemo()];
  clearInterval(timer);
  expect(turns).toBeGreaterThan(40);
  expect(song.equals(again)).toBe(true);
  expect(sniffAudio(song)).toBe("wav");
  const frames = (song.length - 44) / 4;
  expect(frames / 44_100).toBeCloseTo(73.5, 0);
  const loudness = (from: number) => {
    let sum = 0;
    for (let i = 0; i < 44_100; i++) sum += song.readInt16LE(44 + 4 * (from * 44_100 + i)) ** 2;
    return Math.sqrt(sum / 44_100) / 32_767;
  };
  const [intro, drop, rest] = [loudness(2), loudness(35), loudness(48)];
  expect(drop).toBeGreaterThan(2 * intro);
  expect(drop).toBeGreaterThan(2 * rest);
  // Nothing is clipped.
  let most = 0;
  for (let i = 44; i < song.length; i += 2) most = Math.max(most, Math.abs(song.readInt16LE(i)));
  expect(most).toBeLessThan(32_000);
  expect(most).toBeGreaterThan(12_000);
});
