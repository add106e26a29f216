import type { BeatFeatures } from "./beat-features.ts";
import { clamp, cosine, standardise } from "./maths.ts";

export interface Metre {
  readonly beatsPerBar: number;
  /** Index of the first downbeat among the beats, 0 .. beatsPerBar - 1. */
  readonly phase: number;
  /** 0..1 */
  readonly confidence: number;
}

/** Metres tried, with what a metre must overcome to be believed (4 is by far the commonest). */
const METRES = [
  { beatsPerBar: 4, handicap: 0 },
  { beatsPerBar: 3, handicap: 0.12 },
] as const;

/**
 * Choose the metre and the phase of the downbeat once for the whole song, from evidence summed
 * over all beats: chord and bass changes, low-band landings, and the places where the sound
 * changes for several bars (which nearly always do so at a bar line).
 *
 * @returns 4 beats, phase 0 and confidence 0 for fewer than 8 beats
 */
export function findMetre(beats: BeatFeatures): Metre {
  if (beats.count < 8) return { beatsPerBar: 4, phase: 0, confidence: 0 };
  const evidence = downbeatEvidence(beats);
  const tried = METRES.flatMap(({ beatsPerBar, handicap }) =>
    Array.from({ length: beatsPerBar }, (_, phase) => {
      return { beatsPerBar, phase, score: contrast(evidence, beatsPerBar, phase) - handicap };
    }),
  ).sort((a, b) => b.score - a.score);
  const best = tried[0]!;
  const next = tried[1]!;
  return {
    beatsPerBar: best.beatsPerBar,
    phase: best.phase,
    confidence: clamp((best.score - next.score) / 0.8),
  };
}

/** How much each beat looks like the first of a bar; mean 0. @returns shape [count] */
export function downbeatEvidence(beats: BeatFeatures): Float32Array {
  const chord = standardise(change(beats.chroma, 12, beats.count, 2));
  const short = standardise(change(beats.timbre, beats.width, beats.count, 4));
  const long = standardise(change(beats.timbre, beats.width, beats.count, 16));
  const low = standardise(beats.low);
  const snare = standardise(beats.mid.map((v, i) => v + beats.high[i]!));
  return chord.map(
    (v, i) => 1.0 * v + 0.6 * short[i]! + 0.8 * clamp(long[i]!, -1, 4) + 0.5 * low[i]! - 0.25 * snare[i]!,
  );
}

/** Mean evidence on the chosen beats less the mean on all others. */
function contrast(evidence: Float32Array, beatsPerBar: number, phase: number): number {
  let on = 0;
  let onCount = 0;
  let off = 0;
  for (let i = 0; i < evidence.length; i++) {
    if (i % beatsPerBar === phase) {
      on += evidence[i]!;
      onCount++;
    } else off += evidence[i]!;
  }
  return on / Math.max(1, onCount) - off / Math.max(1, evidence.length - onCount);
}

/**
 * Distance between what sounds in the `reach` beats before each beat and in the `reach` after.
 * Only a local maximum counts fully, so that one change is not evidence for its neighbours.
 */
function change(rows: Float32Array, width: number, count: number, reach: number): Float32Array {
  const out = new Float32Array(count);
  for (let i = 1; i < count; i++) {
    const before = sum(rows, width, Math.max(0, i - reach), i);
    const after = sum(rows, width, i, Math.min(count, i + reach));
    out[i] = Math.min(i, reach) >= reach / 2 ? 1 - cosine(before, after) : 0;
  }
  return out.map((v, i) => (v >= (out[i - 1] ?? 0) && v >= (out[i + 1] ?? 0) ? v : v * 0.4));
}

function sum(rows: Float32Array, width: number, from: number, to: number): Float32Array {
  const out = new Float32Array(width);
  for (let i = from; i < to; i++) {
    for (let w = 0; w < width; w++) out[w]! += rows[i * width + w]!;
  }
  return out;
}
