import type { Curve } from "@followspot/contract";
import { clamp, mean, round, smooth } from "../basics/maths.ts";
import { SLOW_RATE } from "../hear/rates.ts";
import { FRAME_RATE } from "../network/activations.ts";

/** Half width of the average over the network's output, seconds, because words pause within a phrase. */
const REACH_SECONDS = 0.4;

export interface Vocals {
  readonly presence: Curve;
  readonly mean_presence: number;
}

/**
 * Returns the probability of vocals at 10 Hz.
 *
 * @param vocal the network's head of that name at FRAME_RATE; empty for a silent song
 * @param seconds length of the song
 */
export function detectVocals(vocal: Float32Array, seconds: number): Vocals {
  const calm = smooth(vocal, Math.round(REACH_SECONDS * FRAME_RATE));
  const steps = Math.ceil(seconds * SLOW_RATE);
  const values = Array.from({ length: steps }, (_, s) => {
    const f = Math.min(calm.length - 1, Math.round(((s + 0.5) * FRAME_RATE) / SLOW_RATE));
    return round(clamp(calm[f] ?? 0), 3);
  });
  return { presence: { hop_seconds: 1 / SLOW_RATE, values }, mean_presence: round(mean(values), 3) };
}
