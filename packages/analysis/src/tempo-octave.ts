import { decodeBeats, TEMPO_RANGE, type BeatPath } from "./beats.ts";
import { HOP_RATE } from "./features.ts";
import { clamp, median } from "./maths.ts";
import type { Onsets } from "./onsets.ts";

export interface TempoChoice {
  readonly path: BeatPath;
  /** Median tempo of the path, BPM; 0 when no beat was found. */
  readonly bpm: number;
  /** How far the chosen level stands above the next, 0..1. */
  readonly confidence: number;
}

/** Levels tried against the level the free search finds. */
const LEVELS = [0.5, 2 / 3, 1, 1.5, 2, 3] as const;
/** Log-normal expectation of a tempo: centre in BPM, width in octaves (design judgement). */
const EXPECTED_BPM = 118;
const EXPECTED_WIDTH = 0.62;

/**
 * Choose the metrical level a listener would tap, once for the whole song. Each candidate level
 * is decoded on its own and judged by: activation at its beats, onsets half way between beats
 * (there are eighths in most music), a kick/snare alternation from beat to beat (which speaks
 * for the level), accents of every band on the same alternate beats (which speak for half of
 * it), and the tempo people expect.
 */
export function chooseTempo(activation: Float32Array, onsets: Onsets): TempoChoice {
  const free = decodeBeats(activation);
  const found = bpmOf(free.beats);
  if (free.beats.length < 4) return { path: free, bpm: found, confidence: 0 };

  const tried = LEVELS.map((level) => found * level)
    .filter((bpm) => bpm >= TEMPO_RANGE.minBpm - 4 && bpm <= TEMPO_RANGE.maxBpm + 4)
    .map((bpm) => {
      const path = decodeBeats(activation, {
        minBpm: Math.max(42, bpm / 1.22),
        maxBpm: Math.min(240, bpm * 1.22),
      });
      return { path, bpm: bpmOf(path.beats), score: levelScore(path.beats, activation, onsets) };
    })
    .sort((a, b) => b.score - a.score);
  const best = tried[0]!;
  const next = tried[1]?.score ?? best.score - 1;
  return { path: best.path, bpm: best.bpm, confidence: clamp((best.score - next) / 1.5) };
}

/** Median tempo of beats given as hops, BPM; 0 for fewer than two. */
export function bpmOf(beats: readonly number[]): number {
  if (beats.length < 2) return 0;
  return (60 * HOP_RATE) / median(beats.slice(1).map((t, i) => t - beats[i]!));
}

/** The evidence for one level; exported so that its parts can be looked at. */
export function levelScore(beats: readonly number[], activation: Float32Array, onsets: Onsets): number {
  const bpm = bpmOf(beats);
  if (bpm === 0) return -10;
  const octaves = Math.log2(bpm / EXPECTED_BPM);
  const expected = -(octaves ** 2) / (2 * EXPECTED_WIDTH ** 2);
  const all = levels(beats, activation);
  const low = levels(beats, onsets.low);
  const mid = levels(beats, onsets.mid);
  const high = levels(beats, onsets.high);
  const snare = (mid.alternation + high.alternation) / 2;
  const opposed = clamp(-Math.sign(low.alternation * snare) * Math.min(Math.abs(low.alternation), Math.abs(snare)), -0.3, 0.3);
  const eighths = Math.min(0.5, all.between / Math.max(all.on, 1e-6));
  return expected + 2 * all.on + 0.8 * eighths + 1.5 * opposed - 1.0 * Math.abs(all.alternation);
}

/** Mean of a curve at beats, half way between them, and odd against even beats (-1..1). */
function levels(beats: readonly number[], curve: Float32Array) {
  const sums = [0, 0];
  let between = 0;
  beats.forEach((t, i) => {
    sums[i % 2]! += strongest(curve, t);
    const next = beats[i + 1];
    if (next !== undefined) between += strongest(curve, (t + next) / 2);
  });
  const [even, odd] = sums as [number, number];
  return {
    on: (even + odd) / beats.length,
    between: between / beats.length,
    alternation: even + odd > 0 ? (even - odd) / (even + odd) : 0,
  };
}

function strongest(curve: Float32Array, at: number): number {
  const t = Math.round(at);
  let most = 0;
  for (let d = -2; d <= 2; d++) most = Math.max(most, curve[t + d] ?? 0);
  return most;
}
