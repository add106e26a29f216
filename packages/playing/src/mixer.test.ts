import { expect, it } from "vitest";
import { Mixer } from "./mixer.ts";

const RATE = 1000;
const ones = (seconds: number) => new Float32Array(seconds * RATE).fill(1);
/** A song whose samples are all 1, so that the output equals the gain. */
const song = (seconds: number) => ({ left: ones(seconds), right: ones(seconds) });
/** Returns the left channel, block by block. */
function left(mixer: Mixer, seconds: number): number[] {
  const blocks = Array.from({ length: seconds * 100 }, () => mixer.mix(RATE / 100));
  return blocks.flatMap((block) => [...block].filter((_, i) => i % 2 === 0));
}
const start = { at: 0, from: 0, level: 1, fadeSeconds: 0 };

it("starts and ends a song at the exact sample", () => {
  const mixer = new Mixer(RATE);
  mixer.play(song(0.5), { ...start, at: 0.203 });
  const heard = left(mixer, 1);
  expect(heard.findIndex((y) => y > 0)).toBe(204); // its first sample is 0 because of the edge fade
  expect(heard.findLastIndex((y) => y > 0)).toBe(702);
  expect(heard[400]).toBe(1);
});

it("starts within a song at the given level", () => {
  const mixer = new Mixer(RATE);
  const pcm = { left: Float32Array.from({ length: 2000 }, (_, i) => i / 2000), right: ones(2) };
  mixer.play(pcm, { ...start, from: 1.5, level: 0.5 });
  expect(left(mixer, 0.2)[100]).toBeCloseTo(0.5 * (1600 / 2000), 6);
});

it("crossfades two songs with the power of one", () => {
  const mixer = new Mixer(RATE);
  // One on each channel, so that they can be measured separately.
  const first = mixer.play({ left: ones(4), right: new Float32Array(4000) }, start);
  mixer.play({ left: new Float32Array(4000), right: ones(4) }, { ...start, at: 2, fadeSeconds: 1 });
  first.end(2, 1);
  const block = mixer.mix(4000);
  for (const frame of [1000, 2250, 2500, 2750, 3500])
    expect(block[2 * frame]! ** 2 + block[2 * frame + 1]! ** 2).toBeCloseTo(1, 5);
  expect([block[2 * 3500], block[2 * 1000 + 1]]).toEqual([0, 0]);
});

it("cancels an end, and a second end continues from the current level without a step", () => {
  const mixer = new Mixer(RATE);
  const played = mixer.play(song(9), start);
  played.end(1, 1);
  expect(left(mixer, 0.5).at(-1)).toBe(1);
  played.goOn();
  expect(left(mixer, 2).at(-1)).toBe(1);
  played.end(0, 2);
  const before = left(mixer, 1).at(-1)!;
  played.end(0, 0.1);
  const after = left(mixer, 0.2);
  expect(Math.abs(after[0]! - before)).toBeLessThan(0.01);
  expect(after.at(-1)).toBe(0);
});

it("follows the volume within 0.3 s, without a click", () => {
  const mixer = new Mixer(RATE);
  mixer.play(song(9), start);
  left(mixer, 0.5);
  mixer.setGain(0);
  const heard = left(mixer, 0.3);
  const steps = heard.slice(1).map((y, i) => Math.abs(y - heard[i]!));
  expect(Math.max(...steps)).toBeLessThan(0.06);
  expect(heard.at(-1)).toBeLessThan(0.001);
});

it("fades to a reduction and back at a constant rate in dB, and continues from the current level without a step", () => {
  const mixer = new Mixer(RATE);
  mixer.play(song(9), start);
  left(mixer, 0.5);
  mixer.duck(0.1, 1);
  const falling = left(mixer, 1.2);
  expect(falling[500]).toBeCloseTo(Math.sqrt(0.1), 3);
  expect(falling.at(-1)).toBeCloseTo(0.1, 6);
  mixer.duck(1, 1);
  const before = left(mixer, 0.5).at(-1)!;
  mixer.duck(0.1, 1);
  const after = left(mixer, 1.2);
  expect(Math.abs(after[0]! - before)).toBeLessThan(0.01);
  expect(after.at(-1)).toBeCloseTo(0.1, 6);
  mixer.duck(1, 0);
  expect(left(mixer, 0.1).at(-1)).toBe(1);
});
