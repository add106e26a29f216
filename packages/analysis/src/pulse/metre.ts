import { clamp, cosine, standardise, weighed } from "../basics/maths.ts";
import type { BeatFeatures } from "../hear/beat-features.ts";

export interface Metre {
  readonly beatsPerBar: number;
  /** Indices of the downbeats among the beats, ascending. */
  readonly downbeats: readonly number[];
  /** 0..1 */
  readonly confidence: number;
}

/** Metres tried, with the nats by which each must be better than 4 to be believed. */
const METRES = [
  { beatsPerBar: 4, handicap: 0 },
  { beatsPerBar: 3, handicap: 0.65 },
  { beatsPerBar: 6, handicap: 1.6 },
  { beatsPerBar: 5, handicap: 1.05 },
  { beatsPerBar: 7, handicap: 1.45 },
  { beatsPerBar: 2, handicap: 2.3 },
] as const;

/** What speaks for a downbeat at a beat, or for a row of them against the other beats. */
export interface DownbeatEvidence {
  /** Log odds by the network. */
  readonly heard: number;
  /** The chroma of the two beats before and after differs; like all that follow in standard deviations over the song. */
  readonly chord: number;
  /** The timbre of the four beats before and after differs. */
  readonly turn: number;
  /** The timbre of the sixteen beats before and after differs. */
  readonly part: number;
  /** Strength of the middle and high onsets, as of snares. */
  readonly snare: number;
}

/**
 * What each kind of evidence counts beside the network's own: the likelihood of the bars notated (training/fit.ts). Of
 * two fits, to 179 and to 192 songs held out, the smaller weight stands where they disagree: `layBars` trusts a single
 * beat as far as this says.
 */
const WEIGHTS: DownbeatEvidence = { heard: 1, chord: 1.25, turn: 0.25, part: 2.5, snare: 1 };

/**
 * Nats by which the best counting must beat its best rival to be certain: all of the 141 songs held out that do are
 * counted as notated, and 31 of the 39 others.
 */
const CERTAIN_MARGIN = 2;
/** What a bar of odd length within the song must explain, in nats: 12 broke the bars of 19 songs in 180 that 30 keeps whole. */
const BREAK_COST = 30;

/**
 * Choose the metre once for the whole song, then the bars: each beat is evidence for or against
 * a downbeat (the network's, changes of chord, snares, places where the sound changes for
 * several bars). The metre is the one whose downbeats stand out most from the other
 * beats; its most likely row of bars is found by dynamic programming, and a bar may be cut short
 * or run on where the song insists.
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

/** Log odds of a downbeat where the network gives it the probability p; between -5.3 and 3.9. */
export function downbeatOdds(p: number): number {
  const q = clamp(p, 0.005, 0.98);
  return Math.log(q / (1 - q));
}

/**
 * How far every `beatsPerBar`th beat stands out from the others, at the phase where it does most.
 * @param phases only these are tried
 */
export function bestContrast(odds: Float32Array, beatsPerBar: number, phases = { first: 0, step: 1 }): number {
  let best = -Infinity;
  for (let phase = phases.first; phase < beatsPerBar; phase += phases.step) {
    const { on, off } = contrast(odds, beatsPerBar, phase);
    best = Math.max(best, on - off);
  }
  return best;
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

/** Each kind of evidence for a downbeat at each beat, shape [count]. */
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

/** How far the beats of each metre and phase stand out from the others, in each kind of evidence. */
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
 * Distance between what sounds in the `reach` beats before each beat and in the `reach` after.
 * Only a local maximum counts fully, so that one change is not evidence for its neighbours.
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
