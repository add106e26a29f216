import { expect, test } from "vitest";
import { FRAME_RATE, type Activations } from "../network/activations.ts";
import { findDrums } from "./drums.ts";

const SECONDS = 4;

/** Returns the network's output for one drum: a bump of 30 ms around each stroke. */
function bumps(strokes: readonly { at: number; certainty: number }[]): Float32Array {
  return Float32Array.from({ length: SECONDS * FRAME_RATE }, (_, f) => {
    const t = (f + 0.25) / FRAME_RATE;
    return Math.max(0, ...strokes.map(({ at, certainty }) => certainty * Math.exp(-(((t - at) / 0.03) ** 2))));
  });
}

function heard(curves: Partial<Record<"kick" | "snare" | "hat", Float32Array>>): Activations {
  const nothing = new Float32Array(SECONDS * FRAME_RATE);
  return new Proxy({} as Activations, { get: (_, head: "kick") => curves[head] ?? nothing });
}

test("finds strokes within a few milliseconds, for each drum separately", () => {
  const at = [0.113, 0.5, 1.0071, 2.25, 3.9];
  const found = findDrums(heard({ kick: bumps(at.map((t) => ({ at: t, certainty: 0.9 }))) }), SECONDS);
  expect(found.kick).toHaveLength(at.length);
  found.kick.forEach((t, i) => expect(Math.abs(t - at[i]!)).toBeLessThan(0.003));
  expect([found.snare, found.hat]).toEqual([[], []]);
});

test("drops improbable strokes, and merges strokes in quick succession", () => {
  const strokes = [
    { at: 1, certainty: 0.8 },
    { at: 1.06, certainty: 0.7 },
    { at: 2, certainty: 0.4 },
    { at: 3, certainty: 0.6 },
  ];
  expect(findDrums(heard({ hat: bumps(strokes) }), SECONDS).hat.map((t) => Math.round(t))).toEqual([1, 3]);
});

test("returns nothing after the end of the song", () => {
  const late = bumps([{ at: 3.99, certainty: 1 }]);
  expect(findDrums(heard({ snare: late }), 3.9).snare).toEqual([]);
});
