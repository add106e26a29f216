import { mean, weighed } from "../basics/maths.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { beatOdds } from "../pulse/beats.ts";
import { bassAnswered } from "../pulse/half-beat.ts";
import { backbeat, levelEvidence, LEVEL_WEIGHTS, strongest } from "../pulse/tempo-octave.ts";
import type { BeatBelief } from "./beat-filter.ts";

/** Input curves, one value per hop: the network's activations, and the onset strength of low and middle bands. */
export type PulseCurve = "beat" | "downbeat" | "kick" | "snare" | "low" | "mid";
export type LiveCurves = Readonly<Record<PulseCurve, Float32Array>>;

/** Length of the past that is analyzed, hops. */
const LISTENED = 24 * HOP_RATE;
/** Number of half beats required before the pulse is counted differently than by the filter. */
const LEAST_HALVES = 24;
/** Number of half beats between two evaluations of the count. */
const THINK_EVERY = 4;
/** Decay of the lead of other counts per evaluation: about ten evaluations count. */
const MEMORY = 0.9;
/** Accumulated lead that another level needs, and that the half beats between those of the filter need, nats. */
const LEVEL_LEAD = 6;
const PHASE_LEAD = 3;
/** Score of the best level below which beats are barely audible and nothing is learned, nats. */
const PLAIN = 1;
/** Lead with which the shown level must be best to be restored when the filter returns to it from another, nats. */
const PLAIN_MARGIN = 1;
/** Upper limit of the alternation of kicks and snares that counts: reggaeton alternates at twice the tempo. */
const MOST_TURNS = 0.1;
/** Range of tempos that are shown, BPM. */
const SLOWEST_BPM = 48;
const FASTEST_BPM = 215;
/** Lead that the other half of the filter's beats needs where every second beat is shown, nats. */
const TURN_MARGIN = 1.2;
/** Weights of the evidence for a phase, nats per unit, as in `half-beat.ts`. */
const HEARD_WEIGHT = 0.6;
const BASS_WEIGHT = 4;
/** Distance within which a note counts for a half beat, hops. */
const STRIKE_REACH = 3;
/** Relative difference above which a period is another pulse. */
const OTHER_PULSE = 0.2;

/** Half beats of the filter from one shown beat to the next: double tempo, same tempo, half tempo. */
const STEPS = [1, 2, 4] as const;
type Step = (typeof STEPS)[number];
/** Score of a level that cannot be shown, nats. */
const OUT_OF_RANGE = -1000;
const NO_LEADS: readonly number[] = STEPS.map(() => 0);

/**
 * Determines how a pulse is counted: at the level of the filter, its half or its double, and on which of its half
 * beats. The filter works hop by hop; alternating kicks and snares, and bass that chords answer, only show over many
 * beats.
 */
export class CountFinder {
  readonly #curves: LiveCurves = {
    beat: new Float32Array(LISTENED),
    downbeat: new Float32Array(LISTENED),
    kick: new Float32Array(LISTENED),
    snare: new Float32Array(LISTENED),
    low: new Float32Array(LISTENED),
    mid: new Float32Array(LISTENED),
  };
  /** Positions of the half beats in the curves, oldest first; the last is half beat number `#last`. */
  #halves: number[] = [];
  #last = 0;
  /** Half beats since the beginning, fractional, at the last belief. */
  #position = 0;
  #hop = 0;
  #period = 0;
  #step: Step = 2;
  /** A shown beat is on each half beat whose number is this modulo the step. */
  #first = 0;
  /** Recent lead of each level, and of even half beats over odd ones, nats. */
  #leads = NO_LEADS;
  #evenLead = 0;
  /** Hops between the beats of the level that was clearly the best, 0 before there was one. */
  #sure = 0;

  /** Half beats of the filter from one shown beat to the next. */
  get step(): number {
    return this.#step;
  }

  /** Appends the curves of the next hops. */
  push(heard: LiveCurves): void {
    const hops = heard.beat.length;
    for (const [name, curve] of Object.entries(this.#curves)) {
      curve.copyWithin(0, hops);
      curve.set(heard[name as PulseCurve], LISTENED - hops);
    }
    this.#halves = this.#halves.map((place) => place - hops).filter((place) => place >= 0);
  }

  /**
   * Returns the beat to show for a belief of the filter.
   *
   * @param hop time of the belief
   * @param ago hops from it to the last one pushed
   */
  count(belief: BeatBelief, hop: number, ago: number): BeatBelief {
    if (this.#period > 0 && !isNear(belief.period, this.#period)) this.#takeOver(belief.period);
    const half = belief.period / 2;
    const expected = this.#period === 0 ? 0 : this.#position + (hop - this.#hop) / half;
    // A filter that switches to the off-beats keeps the numbers of the half beats.
    const own = Math.round(expected - 2 * belief.phase);
    this.#position = own + 2 * belief.phase;
    this.#hop = hop;
    this.#period = belief.period;
    while (this.#last < Math.floor(this.#position)) {
      this.#last++;
      this.#halves.push(LISTENED - 1 - ago - (this.#position - this.#last) * half);
      if (this.#last % THINK_EVERY === 0) this.#think(modulo(own, 2));
    }
    if (this.#halves.length < LEAST_HALVES && this.#step === 2) this.#first = modulo(own, 2);
    const shown = (this.#position - this.#first) / this.#step;
    return { period: half * this.#step, phase: shown - Math.floor(shown), share: belief.share };
  }

  /** Switches to another period. The history is kept if the new period is double or half the old one. */
  #takeOver(period: number): void {
    const ratio = this.#period / period;
    this.#leads = NO_LEADS;
    this.#evenLead = 0;
    if (isNear(ratio, 2)) {
      this.#halves = this.#halves.flatMap((at, i, all) => (i === 0 ? [at] : [(all[i - 1]! + at) / 2, at]));
      this.#position *= 2;
      this.#last *= 2;
      this.#first = modulo(2 * this.#first, 4);
    } else if (isNear(ratio, 0.5)) {
      const odd = this.#first % 2;
      this.#halves = this.#halves.filter((_, i) => modulo(this.#numberOf(i), 2) === odd);
      this.#position = (this.#position - odd) / 2;
      this.#last = Math.floor((this.#last - odd) / 2);
      this.#first = (this.#first - odd) / 2;
    } else {
      this.#halves = [];
      this.#position = 0;
      this.#last = 0;
      this.#first = 0;
    }
    this.#step = STEPS.find((step) => isNear((period * step) / 2, this.#sure)) ?? 2;
    this.#first = modulo(this.#first, this.#step);
  }

  /** @param own 0 or 1: whether the filter's beats are even or odd half beats; levels are evaluated on them */
  #think(own: number): void {
    if (this.#halves.length < LEAST_HALVES) return;
    const scores = STEPS.map((step) => this.#scoreOf(step, this.#firstOf(step, own)));
    const best = Math.max(...scores);
    if (best < PLAIN) return;
    const current = scores[STEPS.indexOf(this.#step)]!;
    this.#leads = this.#leads.map((lead, i) =>
      Math.max(0, lead * MEMORY + Math.max(-LEVEL_LEAD, scores[i]! - current)),
    );
    const most = Math.max(...this.#leads);
    const phase = this.#phase(own);
    const step = most > LEVEL_LEAD ? STEPS[this.#leads.indexOf(most)]! : this.#step;
    this.#first = this.#firstOf(step, phase);
    const isPlain = scores.every((score, i) => STEPS[i] === this.#step || score < current - PLAIN_MARGIN);
    if (isPlain || step !== this.#step) this.#sure = (this.#period * step) / 2;
    if (step !== this.#step) this.#leads = NO_LEADS;
    this.#step = step;
  }

  /**
   * Returns whether beats are on even or odd half beats: 0 or 1. The filter's choice is kept without strong evidence
   * against it.
   */
  #phase(own: number): number {
    const even = this.#phaseScore(0) - this.#phaseScore(1);
    this.#evenLead = this.#evenLead * MEMORY + even;
    const other = own === 0 ? -this.#evenLead : this.#evenLead;
    return other > PHASE_LEAD ? 1 - own : own;
  }

  #phaseScore(parity: number): number {
    const beats = this.#beatsOf(2, parity);
    const heard = mean(beats.map((t) => beatOdds(strongest(this.#curves.beat, t, STRIKE_REACH))));
    const turns = LEVEL_WEIGHTS.alternating * backbeat(beats, this.#curves.kick, this.#curves.snare);
    const halves = this.#halves.slice(modulo(this.#numberOf(0) - parity, 2));
    const strikes = (curve: Float32Array) => halves.map((t) => strongest(curve, t, STRIKE_REACH));
    const bass = Math.max(0, bassAnswered(strikes(this.#curves.low), strikes(this.#curves.mid)));
    return turns + HEARD_WEIGHT * heard + BASS_WEIGHT * bass;
  }

  /** Returns the first half beat to count every `step`th from, with beats on the half beats of a phase. */
  #firstOf(step: Step, phase: number): number {
    if (step === 1) return 0;
    if (step === 2) return phase;
    const heard = (first: number) =>
      mean(this.#beatsOf(4, first).map((t) => beatOdds(strongest(this.#curves.beat, t, STRIKE_REACH))));
    const isCurrent = this.#step === 4 && this.#first % 2 === phase;
    const current = isCurrent ? this.#first : phase;
    const other = (current + 2) % 4;
    return heard(other) > heard(current) + (isCurrent ? TURN_MARGIN : 0) ? other : current;
  }

  #scoreOf(step: Step, first: number): number {
    const bpm = (120 * HOP_RATE) / (this.#period * step);
    const beats = this.#beatsOf(step, first);
    if (bpm < SLOWEST_BPM || bpm > FASTEST_BPM || beats.length < 4) return OUT_OF_RANGE;
    const heard = { ...this.#curves, drums: 1 };
    const evidence = levelEvidence(beats, heard, this.#halves.length / 2);
    return weighed({ ...evidence, alternating: Math.min(MOST_TURNS, evidence.alternating) }, LEVEL_WEIGHTS);
  }

  /** Returns the positions of every `step`th half beat in the curves. */
  #beatsOf(step: number, first: number): number[] {
    return this.#halves.filter((_, i) => modulo(this.#numberOf(i) - first, step) === 0);
  }

  #numberOf(i: number): number {
    return this.#last - (this.#halves.length - 1 - i);
  }
}

function isNear(value: number, wanted: number): boolean {
  return Math.abs(value / wanted - 1) < OTHER_PULSE;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
