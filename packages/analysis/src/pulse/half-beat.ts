import { mean, weighed } from "../basics/maths.ts";
import { chromaBetween } from "../hear/beat-features.ts";
import type { SongFeatures } from "../hear/features.ts";
import type { Onsets } from "../hear/onsets.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { beatOdds } from "./beats.ts";
import { bestContrast, change, downbeatOdds } from "./metre.ts";
import { strongest, type PulseCurves } from "./tempo-octave.ts";

/** What speaks for one of two pulses that lie half a beat apart, before they are compared. */
export interface PhaseEvidence {
  /** Mean log odds of a beat. */
  readonly heard: number;
  /** Nats by which downbeats on every fourth of its beats stand out from all other half beats. */
  readonly bars: number;
  /** How much the chroma changes at its beats, 0..1. */
  readonly chords: number;
  /** How much plainer the bass is on its beats than the chords are, 0..2; 0 where the bass is not on them. */
  readonly bass: number;
}

/** What each kind of evidence counts, in nats per unit: the likelihood of the beats notated (training/fit.ts). */
const WEIGHTS: PhaseEvidence = { heard: 0.6, bars: 1, chords: 26, bass: 4 };

/** A note counts for a half beat when it is struck this near to it, hops. */
const STRIKE_REACH = 3;

/** Of 44 songs in their true phase 17 have a bass this plain, all of them on the beat; a march that was half a beat off is one. */
const PLAIN_BASS = 0.5;

/** Half beats over which chords are compared on either side. */
const CHORD_REACH = 8;

/**
 * The beats, or what lies half-way between them where more speaks for that: off-beat hats, stabs and basses are
 * louder than the beat in much dance music, but chords and bars begin on it.
 *
 * @param beats hops, ascending
 */
export function settlePhase(
  beats: readonly number[],
  heard: PulseCurves,
  features: SongFeatures,
  onsets: Onsets,
): readonly number[] {
  if (beats.length < CHORD_REACH) return beats;
  const [on, off] = phaseEvidence(beats, heard, features, onsets);
  return weighed(off, WEIGHTS) > weighed(on, WEIGHTS) ? halfWay(beats) : beats;
}

/** The evidence for the beats, and for what lies half-way between them. */
export function phaseEvidence(
  beats: readonly number[],
  heard: PulseCurves,
  features: SongFeatures,
  onsets: Onsets,
): readonly [PhaseEvidence, PhaseEvidence] {
  const between = halfWay(beats);
  const halves = beats.flatMap((t, i) => [t, between[i]!]);
  const odds = halves.map((t) => beatOdds(strongest(heard.beat, t, 3)));
  const downbeats = Float32Array.from(halves, (t) => downbeatOdds(strongest(heard.downbeat, t, 3)));
  const chroma = new Float32Array(halves.length * 12);
  halves.forEach((t, i) => {
    const next = halves[i + 1] ?? 2 * t - halves[i - 1]!;
    chroma.set(chromaBetween(features, t / HOP_RATE, next / HOP_RATE), 12 * i);
  });
  const chords = change(chroma, 12, halves.length, CHORD_REACH);
  const strikes = (curve: Float32Array) => halves.map((t) => strongest(curve, t, STRIKE_REACH));
  const answered = bassAnswered(strikes(onsets.low), strikes(onsets.mid));
  const evidence = (parity: 0 | 1): PhaseEvidence => ({
    heard: mean(odds.filter((_, i) => i % 2 === parity)),
    bars: bestContrast(downbeats, 8, { first: parity, step: 2 }),
    chords: mean(chords.filter((_, i) => i % 2 === parity)),
    bass: Math.max(0, parity === 0 ? answered : -answered),
  });
  return [evidence(0), evidence(1)];
}

/**
 * Bass on the beat that chords answer half a beat later, as in a polka, a march or ska: how much more of the bass than of the
 * chords falls on even half beats, -2..2. 0 unless three quarters of the bass are on one side: a bass that plays between
 * the beats as well tells nothing.
 *
 * @param low how hard the bass is struck at each half beat @param mid the same of the octaves above it
 */
export function bassAnswered(low: readonly number[], mid: readonly number[]): number {
  const bass = contrastOf(low);
  const answer = bass - contrastOf(mid);
  return Math.abs(bass) >= PLAIN_BASS && bass * answer > 0 ? answer : 0;
}

/** What is struck on even half beats less what is on odd ones, as a share of both, -1..1. */
function contrastOf(strikes: readonly number[]): number {
  const on = mean(strikes.filter((_, i) => i % 2 === 0));
  const off = mean(strikes.filter((_, i) => i % 2 === 1));
  return on + off > 0 ? (on - off) / (on + off) : 0;
}

/** As many times as there are beats, each half a beat later. */
function halfWay(beats: readonly number[]): number[] {
  return beats.map((t, i) => (i + 1 < beats.length ? (t + beats[i + 1]!) / 2 : t + (t - beats[i - 1]!) / 2));
}
