import type { BeatFeatures } from "./beat-features.ts";
import { clamp, cosine, standardise } from "./maths.ts";

export interface Metre {
  readonly beatsPerBar: number;
  /** Indices of the downbeats among the beats, ascending. */
  readonly downbeats: readonly number[];
  /** 0..1 */
  readonly confidence: number;
}

/** Metres tried, with the contrast in nats that each must show more than 4 to be believed. */
const METRES = [
  { beatsPerBar: 4, handicap: 0 },
  { beatsPerBar: 3, handicap: 0.3 },
  { beatsPerBar: 6, handicap: 0.5 },
  { beatsPerBar: 5, handicap: 0.5 },
  { beatsPerBar: 7, handicap: 0.6 },
  { beatsPerBar: 2, handicap: 0.8 },
] as const;

/** Nats that one standard deviation of classical evidence is worth beside the network's own. */
const EVIDENCE_WEIGHT = 0.35;
/** Nats above the best rival from which the bars are taken as certain: half of the songs whose bars are right reach 1.5, of the wrong ones one in eight. */
const CERTAIN_MARGIN = 1.8;
/** What a bar of odd length within the song must explain, in nats. */
const BREAK_COST = 12;

/**
 * Choose the metre once for the whole song, then the bars: each beat is evidence for or against
 * a downbeat (the network's, chord and bass changes, low-band landings, places where the sound
 * changes for several bars). The metre is the one whose downbeats stand out most from the other
 * beats; its most likely row of bars is found by dynamic programming, and a bar may be cut short
 * or run on where the song insists.
 *
 * @param downbeat the network's probability of a downbeat at each beat, shape [count]
 * @returns every fourth beat and confidence 0 for fewer than 8 beats
 */
export function findMetre(beats: BeatFeatures, downbeat: Float32Array): Metre {
  if (beats.count < 8) return { beatsPerBar: 4, downbeats: every(4, beats.count), confidence: 0 };
  const classical = downbeatEvidence(beats);
  const odds = downbeat.map((p, i) => {
    const q = clamp(p, 0.005, 0.98);
    return Math.log(q / (1 - q)) + EVIDENCE_WEIGHT * clamp(classical[i]!, -4, 4);
  });
  const tried = METRES.flatMap(({ beatsPerBar, handicap }) =>
    Array.from({ length: beatsPerBar }, (_, phase) => {
      const { on, off } = contrast(odds, beatsPerBar, phase);
      return { beatsPerBar, phase, threshold: (on + off) / 2, score: on - off - handicap };
    }),
  ).sort((a, b) => b.score - a.score);
  const best = tried[0]!;
  return {
    beatsPerBar: best.beatsPerBar,
    downbeats: layBars(
      odds.map((v) => v - best.threshold),
      best.beatsPerBar,
    ),
    confidence: clamp((best.score - rivalOf(best, tried)) / CERTAIN_MARGIN),
  };
}

/** The best score that would put downbeats elsewhere: bars of twice or half the length on the same beats do not. */
function rivalOf(best: { readonly beatsPerBar: number; readonly phase: number }, tried: readonly Counting[]): number {
  const agrees = ({ beatsPerBar, phase }: Counting) => {
    const [short, long] = [Math.min(beatsPerBar, best.beatsPerBar), Math.max(beatsPerBar, best.beatsPerBar)];
    return long % short === 0 && (phase - best.phase) % short === 0;
  };
  return tried.find((other) => !agrees(other))?.score ?? 0;
}

interface Counting {
  readonly beatsPerBar: number;
  readonly phase: number;
  readonly score: number;
}

/** Mean evidence on every `beatsPerBar`th beat from `phase`, and on all others. */
function contrast(odds: Float32Array, beatsPerBar: number, phase: number): { on: number; off: number } {
  let on = 0;
  let onCount = 0;
  let off = 0;
  for (let i = 0; i < odds.length; i++) {
    if (i % beatsPerBar === phase) {
      on += odds[i]!;
      onCount++;
    } else off += odds[i]!;
  }
  return { on: on / Math.max(1, onCount), off: off / Math.max(1, odds.length - onCount) };
}

/** The row of bars with the most evidence above the threshold at its downbeats. @returns indices of beats */
function layBars(evidence: Float32Array, beatsPerBar: number): number[] {
  const n = evidence.length;
  const score = new Float64Array(n);
  const from = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    let best = i < beatsPerBar ? 0 : -Infinity;
    for (let length = 1; length < 2 * beatsPerBar && length <= i; length++) {
      const value = score[i - length]! - (length === beatsPerBar ? 0 : BREAK_COST);
      if (value > best) {
        best = value;
        from[i] = i - length;
      }
    }
    score[i] = best + evidence[i]!;
  }
  let last = n - 1;
  for (let i = Math.max(0, n - beatsPerBar); i < n; i++) if (score[i]! > score[last]!) last = i;
  const downbeats: number[] = [];
  for (let i = last; i >= 0; i = from[i]!) downbeats.unshift(i);
  return downbeats;
}

function every(step: number, count: number): number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
}

/** How much each beat looks like the first of a bar by its sound alone; mean 0. @returns shape [count] */
function downbeatEvidence(beats: BeatFeatures): Float32Array {
  const chord = standardise(change(beats.chroma, 12, beats.count, 2));
  const short = standardise(change(beats.timbre, beats.width, beats.count, 4));
  const long = standardise(change(beats.timbre, beats.width, beats.count, 16));
  const low = standardise(beats.low);
  const snare = standardise(beats.mid.map((v, i) => v + beats.high[i]!));
  return chord.map(
    (v, i) => 1.0 * v + 0.6 * short[i]! + 0.8 * clamp(long[i]!, -1, 4) + 0.5 * low[i]! - 0.25 * snare[i]!,
  );
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
