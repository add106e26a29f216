import { clamp, cosine, standardise, weighed } from "../basics/maths.ts";
import type { BeatFeatures } from "../hear/beat-features.ts";

export interface Metre {
  readonly beatsPerBar: number;
  /** Indices of the downbeats among the beats, ascending. */
  readonly downbeats: readonly number[];
  /** 0..1 */
  readonly confidence: number;
}

/** Meters that are tried, with the nats by which each must exceed 4/4 to be accepted. */
const METRES = [
  { beatsPerBar: 4, handicap: 0 },
  { beatsPerBar: 3, handicap: 0.65 },
  { beatsPerBar: 6, handicap: 1.6 },
  { beatsPerBar: 5, handicap: 1.05 },
  { beatsPerBar: 7, handicap: 1.45 },
  { beatsPerBar: 2, handicap: 2.3 },
] as const;

/** Evidence for a downbeat at a beat, or for a series of them against the other beats. */
export interface DownbeatEvidence {
  /** Log odds of the network. */
  readonly heard: number;
  /**
   * Difference of the chroma of the two beats before and after. This and all following values are in standard
   * deviations over the song.
   */
  readonly chord: number;
  /** Difference of the timbre of the four beats before and after. */
  readonly turn: number;
  /** Difference of the timbre of the sixteen beats before and after. */
  readonly part: number;
  /** Strength of the middle and high onsets, as of snares. */
  readonly snare: number;
}

/**
 * Weight of each kind of evidence relative to the network's own: maximum likelihood of the notated bars
 * (training/fit.ts). Of two fits, to 179 and to 192 held-out songs, the smaller weight is used if they disagree,
 * because it limits how far `layBars` trusts a single beat.
 */
const WEIGHTS: DownbeatEvidence = { heard: 1, chord: 1.25, turn: 0.25, part: 2.5, snare: 1 };

/**
 * Nats by which the best counting must exceed its best rival to be certain. All of the 141 held-out songs that reach it
 * are counted as notated, and 31 of the 39 others.
 */
const CERTAIN_MARGIN = 2;
/** Cost of a bar of odd length within the song, nats. 12 broke the bars of 19 songs in 180 that 30 keeps whole. */
const BREAK_COST = 30;

/**
 * Determines the meter once for the whole song, and then the bars. Each beat is evidence for or against a downbeat: the
 * network's, changes of chord, snares, and places where the sound changes for several bars. The meter is the one whose
 * downbeats stand out most from the other beats. Its most likely series of bars is found by dynamic programming. A bar
 * may be shortened or extended if the evidence is strong.
 *
 * @param downbeat the network's probability of a downbeat at each beat, shape [count]
 * @returns every fourth beat and confidence 0 for fewer than 8 beats
 */
export function findMetre(beats: BeatFeatures, downbeat: Float32Array): Metre {
  if (beats.count < 8) return { beatsPerBar: 4, downbeats: every(4, beats.count), confidence: 0 };
  const curves = downbeatCurves(beats, downbeat);
  const odds = Float32Array.from(downbeat, (_, i) =>
    weighed(
      mapEvidence(curves, (curve) => curve[i]!),
      WEIGHTS,
    ),
  );
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

/**
 * Returns the best score of a counting with downbeats elsewhere. Bars of twice or half the length on the same beats do
 * not count as rivals.
 */
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

/** Returns the log odds of a downbeat with the network's probability p; between -5.3 and 3.9. */
export function downbeatOdds(p: number): number {
  const q = clamp(p, 0.005, 0.98);
  return Math.log(q / (1 - q));
}

/**
 * Returns how far every `beatsPerBar`th beat stands out from the others, at the best phase.
 *
 * @param phases phases to try
 */
export function bestContrast(odds: Float32Array, beatsPerBar: number, phases = { first: 0, step: 1 }): number {
  let best = -Infinity;
  for (let phase = phases.first; phase < beatsPerBar; phase += phases.step) {
    const { on, off } = contrast(odds, beatsPerBar, phase);
    best = Math.max(best, on - off);
  }
  return best;
}

/** Returns the mean evidence on every `beatsPerBar`th beat from `phase`, and on all others. */
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

/** Returns the series of bars with the most evidence above the threshold at its downbeats. @returns indices of beats */
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

/** Returns each kind of evidence for a downbeat at each beat, shape [count]. */
function downbeatCurves(
  beats: BeatFeatures,
  downbeat: Float32Array,
): Readonly<Record<keyof DownbeatEvidence, Float32Array>> {
  const deviations = (curve: Float32Array) => standardise(curve).map((v) => clamp(v, -3, 4));
  return {
    heard: downbeat.map(downbeatOdds),
    chord: deviations(change(beats.chroma, 12, beats.count, 2)),
    turn: deviations(change(beats.timbre, beats.width, beats.count, 4)),
    part: deviations(change(beats.timbre, beats.width, beats.count, 16)),
    snare: deviations(beats.mid.map((v, i) => v + beats.high[i]!)),
  };
}

/** Returns how far the beats of each meter and phase stand out from the others, per kind of evidence. */
export function metreEvidence(beats: BeatFeatures, downbeat: Float32Array) {
  const curves = downbeatCurves(beats, downbeat);
  return METRES.flatMap(({ beatsPerBar }) =>
    Array.from({ length: beatsPerBar }, (_, phase) => ({
      beatsPerBar,
      phase,
      evidence: mapEvidence(curves, (curve) => {
        const { on, off } = contrast(curve, beatsPerBar, phase);
        return on - off;
      }),
    })),
  );
}

function mapEvidence(
  curves: Readonly<Record<keyof DownbeatEvidence, Float32Array>>,
  take: (curve: Float32Array) => number,
): DownbeatEvidence {
  const { heard, chord, turn, part, snare } = curves;
  return {
    heard: take(heard),
    chord: take(chord),
    turn: take(turn),
    part: take(part),
    snare: take(snare),
  };
}

/**
 * Returns the distance between the sound in the `reach` beats before each beat and in the `reach` beats after. Only a
 * local maximum counts fully, so that one change is not evidence for its neighbors.
 */
export function change(rows: Float32Array, width: number, count: number, reach: number): Float32Array {
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
