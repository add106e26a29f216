import { clamp } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";

/** Range of possible tempos, BPM. */
const SLOWEST_BPM = 48;
const FASTEST_BPM = 215;
/** Prior of the tempo: log-normal around this. */
const USUAL_BPM = 115;
const USUAL_SPREAD = 0.6;
/** Share of its period that a beat occupies, λ of Krebs et al. */
const BEAT_SHARE = 1 / 10;
/** Position of the beat itself within that share. Without it, light was 16 ms early on average. */
const BEAT_CENTRE = BEAT_SHARE / 3;
/** Cost of changing the period from beat to beat, λ in exp(-λ |ratio - 1|) of Krebs et al. */
const CHANGE_COST = 100;
/** Minimum probability of every state, so that another tempo can be found at any time. */
const DOUBT = 1e-6;
const SURE = 0.98;
/** Tolerances within which periods count as one tempo, and phases as one beat. */
const TEMPO_WINDOW = 0.04;
const PHASE_WINDOW = 0.08;
const PHASE_BINS = 64;
/** Period changes less likely than this are omitted. */
const RARE = 1e-4;

/** The most probable state of the filter. */
export interface BeatBelief {
  /** Hops from beat to beat. */
  readonly period: number;
  /** Part of the period since the last beat, 0..1. */
  readonly phase: number;
  /** Share of the total probability in this state, 0..1. */
  readonly share: number;
}

/**
 * Tracks beat and tempo from past audio alone: the bar-pointer state space of F. Krebs, S. Böck, G. Widmer, "An
 * efficient state-space model for joint tempo and meter tracking", ISMIR 2015, for one beat, solved forward. A pointer
 * advances hop by hop from 0 to its period and may change its period at a beat. The probability of each pointer follows
 * from how beat-like each hop sounds.
 */
export class BeatFilter {
  readonly #shortest = Math.round((60 * HOP_RATE) / FASTEST_BPM);
  readonly #periods = Math.round((60 * HOP_RATE) / SLOWEST_BPM) - this.#shortest + 1;
  /** Probability by period and position: position n of a period of p hops is at (start + n) % p. */
  readonly #belief: readonly Float64Array[];
  readonly #starts = new Int32Array(this.#periods);
  readonly #prior: Float64Array;
  readonly #changes: readonly { readonly first: number; readonly shares: Float64Array }[];
  readonly #arriving = new Float64Array(this.#periods);
  readonly #tempi = new Float64Array(this.#periods);
  readonly #phases = new Float64Array(PHASE_BINS);

  constructor() {
    const periods = Array.from({ length: this.#periods }, (_, i) => this.#shortest + i);
    const usual = periods.map(
      (period) => Math.exp(-0.5 * (Math.log((60 * HOP_RATE) / period / USUAL_BPM) / USUAL_SPREAD) ** 2) / period, // per BPM
    );
    const sum = usual.reduce((all, one) => all + one, 0);
    this.#prior = Float64Array.from(usual, (one) => one / sum);
    this.#belief = periods.map((period, i) => new Float64Array(period).fill(this.#prior[i]! / period));
    this.#changes = periods.map((period) => {
      const all = periods.map((to) => Math.exp(-CHANGE_COST * Math.abs(to / period - 1)));
      const total = all.reduce((a, b) => a + b, 0);
      const first = all.findIndex((share) => share > RARE);
      const last = all.findLastIndex((share) => share > RARE);
      return { first, shares: Float64Array.from(all.slice(first, last + 1), (share) => share / total) };
    });
  }

  /** Processes one hop. @param activation probability of a beat, 0..1 */
  push(activation: number): void {
    this.#moveOn();
    const on = clamp(activation, 1 - SURE, SURE);
    const off = (1 - on) / (1 / BEAT_SHARE - 1);
    let sum = 0;
    for (let i = 0; i < this.#periods; i++) {
      const belief = this.#belief[i]!;
      const period = belief.length;
      const start = this.#starts[i]!;
      const beat = Math.round(period * BEAT_SHARE);
      for (let n = 0, at = start; n < period; n++) {
        const value = belief[at]! * (n < beat ? on : off);
        belief[at] = value;
        sum += value;
        if (++at === period) at = 0;
      }
    }
    for (let i = 0; i < this.#periods; i++) {
      const belief = this.#belief[i]!;
      const doubt = (DOUBT * this.#prior[i]!) / belief.length;
      for (let n = 0; n < belief.length; n++) belief[n] = (belief[n]! / sum) * (1 - DOUBT) + doubt;
    }
  }

  /** Advances every pointer by one position; those at their end begin a beat, some with another period. */
  #moveOn(): void {
    const arriving = this.#arriving.fill(0);
    for (let i = 0; i < this.#periods; i++) {
      const belief = this.#belief[i]!;
      const end = this.#starts[i] === 0 ? belief.length - 1 : this.#starts[i]! - 1;
      this.#starts[i] = end;
      const { first, shares } = this.#changes[i]!;
      for (let n = 0; n < shares.length; n++) arriving[first + n]! += belief[end]! * shares[n]!;
    }
    for (let i = 0; i < this.#periods; i++) this.#belief[i]![this.#starts[i]!] = arriving[i]!;
  }

  /** Returns the most probable tempo and its phase. */
  believe(): BeatBelief {
    const [first, last] = this.#likeliestTempo();
    const peak = this.#likeliestPhase(first, last);
    let [share, hops, offset] = [0, 0, 0];
    for (let i = first; i <= last; i++) {
      const belief = this.#belief[i]!;
      const period = belief.length;
      for (let n = 0; n < period; n++) {
        let away = n / period - peak;
        away -= Math.round(away);
        if (Math.abs(away) > PHASE_WINDOW) continue;
        const value = belief[(this.#starts[i]! + n) % period]!;
        share += value;
        hops += value * period;
        offset += value * away;
      }
    }
    const phase = peak + offset / share - BEAT_CENTRE;
    return { period: hops / share, phase: phase - Math.floor(phase), share };
  }

  /** Returns the first and last index of the periods within TEMPO_WINDOW with the highest total probability. */
  #likeliestTempo(): [number, number] {
    const tempi = this.#tempi.fill(0);
    for (let i = 0; i < this.#periods; i++) for (const value of this.#belief[i]!) tempi[i]! += value;
    let best = -1;
    let found: [number, number] = [0, 0];
    for (let i = 0; i < this.#periods; i++) {
      const reach = Math.max(1, Math.round((this.#shortest + i) * TEMPO_WINDOW));
      const [first, last] = [Math.max(0, i - reach), Math.min(this.#periods - 1, i + reach)];
      let sum = 0;
      for (let n = first; n <= last; n++) sum += tempi[n]!;
      if (sum > best) [best, found] = [sum, [first, last]];
    }
    return found;
  }

  #likeliestPhase(first: number, last: number): number {
    const bins = this.#phases.fill(0);
    for (let i = first; i <= last; i++) {
      const belief = this.#belief[i]!;
      const period = belief.length;
      for (let n = 0; n < period; n++) {
        bins[Math.floor((n / period) * PHASE_BINS)]! += belief[(this.#starts[i]! + n) % period]!;
      }
    }
    let best = 0;
    const around = (bin: number) =>
      bins[(bin + PHASE_BINS - 1) % PHASE_BINS]! + bins[bin]! + bins[(bin + 1) % PHASE_BINS]!;
    for (let bin = 1; bin < PHASE_BINS; bin++) if (around(bin) > around(best)) best = bin;
    return (best + 0.5) / PHASE_BINS;
  }
}
