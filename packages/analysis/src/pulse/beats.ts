import { clamp } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";

/** Range of tempos searched, and how much the tempo may change from beat to beat. */
export interface TempoModel {
  readonly minBpm: number;
  readonly maxBpm: number;
  /** Cost of changing the beat period, λ in exp(-λ |ratio - 1|) of Krebs et al. 2015. */
  readonly changeCost: number;
  /** Largest change of the period from one beat to the next, as a share. */
  readonly maxChange: number;
  /**
   * Largest deviation of a beat period from the median tempo, as a factor, before it counts as another metrical level.
   */
  readonly stray: number;
}

/** Slowest and fastest tempo of the whole search, for players who keep time. */
export const KEPT_TIME: TempoModel = { minBpm: 46, maxBpm: 220, changeCost: 90, maxChange: 0.12, stray: 1.22 };
/** The same tempos in free time, with ritardandi at the end of every phrase. */
export const FREE_TIME: TempoModel = { ...KEPT_TIME, changeCost: 15, maxChange: 0.4, stray: 1.6 };

/** Nats added to every beat. Without them, an uncertain network would be tracked at half its tempo. */
const BEAT_BIAS = 0.6;
const NEVER = -1e9;
/** Score of a path before its first beat. */
const FIRST = 0;

/**
 * Returns the most likely sequence of beats: a bar-pointer hidden Markov model with one observed hop per beat, solved
 * exactly. Between two beats the pointer only advances, so the Viterbi recursion needs one step per (beat, period)
 * instead of one per hop:
 *
 *   D[t, τ] = o[t] + max over τ' of ( D[t - τ', τ'] - λ |τ / τ' - 1| )
 *
 * After F. Krebs, S. Böck, G. Widmer, "An efficient state-space model for joint tempo and meter
 * tracking", ISMIR 2015.
 *
 * @param activation beat likelihood per hop, shape [hops], 0..1
 * @param model      possible tempos and changes of tempo
 * @returns hop index of each beat, ascending; none if the song is shorter than two beats
 */
export function decodeBeats(activation: Float32Array, model: TempoModel = KEPT_TIME): number[] {
  const hops = activation.length;
  const shortest = Math.round((60 * HOP_RATE) / model.maxBpm);
  const longest = Math.round((60 * HOP_RATE) / model.minBpm);
  const periods = longest - shortest + 1;
  if (hops < 2 * shortest || periods < 1) return [];

  const odds = logOdds(activation);
  const changes = changeTable(shortest, longest, model);
  // Score of the best path with a beat at t and period τ, stored in row t + τ, so that the paths that arrive at a hop
  // are adjacent.
  const score = new Float32Array((hops + longest) * periods).fill(NEVER, 0, longest * periods);
  for (let t = 0; t < hops; t++) {
    const row = t * periods;
    for (let i = 0; i < periods; i++) {
      const { first, costs } = changes[i]!;
      let best = t < longest ? FIRST : NEVER;
      // Without a branch, which no processor could predict. The origin of the best path is looked up only for the final
      // beats.
      for (let n = 0; n < costs.length; n++) best = Math.max(best, score[row + first + n]! - costs[n]!);
      score[(t + shortest + i) * periods + i] = best + odds[t]!;
    }
  }
  return traceBack(score, changes, { hops, shortest, longest });
}

interface Lattice {
  readonly hops: number;
  readonly shortest: number;
  readonly longest: number;
}

function traceBack(score: Float32Array, changes: readonly ChangeCosts[], lattice: Lattice): number[] {
  const { hops, shortest, longest } = lattice;
  const periods = changes.length;
  let best = NEVER;
  let t = -1;
  let i = 0;
  for (let h = Math.max(0, hops - shortest - periods); h < hops; h++) {
    for (let p = 0; p < periods; p++) {
      const due = h + shortest + p;
      if (due < hops || score[due * periods + p]! <= best) continue;
      best = score[due * periods + p]!;
      t = h;
      i = p;
    }
  }
  const beats: number[] = [];
  while (t >= 0) {
    beats.push(t);
    const { first, costs } = changes[i]!;
    let before = t < longest ? FIRST : NEVER;
    let origin = -1;
    costs.forEach((cost, n) => {
      const value = score[t * periods + first + n]! - cost;
      if (value <= before) return;
      before = value;
      origin = first + n;
    });
    if (origin < 0) break;
    t -= shortest + origin;
    i = origin;
  }
  return beats.reverse();
}

/** Returns the cost of each plausible period change, per new period. */
function changeTable(shortest: number, longest: number, { changeCost, maxChange }: TempoModel): ChangeCosts[] {
  const table: ChangeCosts[] = [];
  for (let to = shortest; to <= longest; to++) {
    const reach = Math.max(2, Math.round(to * maxChange));
    const low = Math.max(shortest, to - reach);
    const high = Math.min(longest, to + reach);
    const costs = new Float32Array(high - low + 1);
    for (let f = low; f <= high; f++) costs[f - low] = changeCost * Math.abs(to / f - 1);
    table.push({ first: low - shortest, costs });
  }
  return table;
}

interface ChangeCosts {
  readonly first: number;
  readonly costs: Float32Array;
}

/** Returns the log odds of a beat with the network's probability p; limited to ±3.9 before the bias. */
export function beatOdds(p: number): number {
  const q = clamp(p, 0.02, 0.98);
  return Math.log(q / (1 - q)) + BEAT_BIAS;
}

/** Returns beatOdds of the strongest activation within ±1 hop. */
function logOdds(activation: Float32Array): Float32Array {
  const odds = new Float32Array(activation.length);
  for (let t = 0; t < activation.length; t++) {
    odds[t] = beatOdds(Math.max(activation[t - 1] ?? 0, activation[t]!, activation[t + 1] ?? 0));
  }
  return odds;
}

/** Moves each beat to the center of the activation around it (±3 hops). @returns hops, fractional */
export function refineBeats(beats: readonly number[], activation: Float32Array): number[] {
  return beats.map(Math.round).map((beat) => {
    let sum = 0;
    let weighted = 0;
    for (let d = -3; d <= 3; d++) {
      const a = activation[beat + d] ?? 0;
      sum += a * a;
      weighted += d * a * a;
    }
    return sum > 0.01 ? beat + weighted / sum : beat;
  });
}
