import { mean, weighed } from "../basics/maths.ts";
import { chromaBetween } from "../hear/beat-features.ts";
import type { SongFeatures } from "../hear/features.ts";
import type { Onsets } from "../hear/onsets.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { beatOdds } from "./beats.ts";
import { bestContrast, change, downbeatOdds } from "./metre.ts";
import { strongest, type PulseCurves } from "./tempo-octave.ts";

/** Evidence for one of two pulses half a beat apart, before they are compared. */
export interface PhaseEvidence {
  /** Mean log odds of a beat. */
  readonly heard: number;
  /** How far downbeats on every fourth of its beats stand out from all other half beats, nats. */
  readonly bars: number;
  /** Mean change of the chroma at its beats, 0..1. */
  readonly chords: number;
  /** How much more clearly the bass is on its beats than the chords are, 0..2; 0 if the bass is not on them. */
  readonly bass: number;
}

/** Weight of each kind of evidence, nats per unit: maximum likelihood of the notated beats (training/fit.ts). */
const WEIGHTS: PhaseEvidence = { heard: 0.6, bars: 1, chords: 26, bass: 4 };

/** Distance within which a note counts for a half beat, hops. */
const STRIKE_REACH = 3;

/**
 * Contrast from which the bass counts. Of 44 songs in their true phase 17 have such a bass, all on the beat; a march
 * that was half a beat off is one.
 */
const PLAIN_BASS = 0.5;

/** Number of half beats on either side over which chords are compared. */
const CHORD_REACH = 8;

/**
 * Returns the beats, or the positions halfway between them if there is more evidence for those. Off-beat hats, stabs
 * and basses are louder than the beat in much dance music, but chords and bars begin on it.
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

/** Returns the evidence for the beats, and for the positions halfway between them. */
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
 * Detects bass on the beat that chords answer half a beat later, as in a polka, a march or ska. Returns how much more
 * of the bass than of the chords falls on even half beats, -2..2. 0 unless three quarters of the bass are on one side,
 * because a bass that also plays between the beats is no evidence.
 *
 * @param low bass onset strength at each half beat
 * @param mid the same for the octaves above it
 */
export function bassAnswered(low: readonly number[], mid: readonly number[]): number {
  const bass = contrastOf(low);
  const answer = bass - contrastOf(mid);
  return Math.abs(bass) >= PLAIN_BASS && bass * answer > 0 ? answer : 0;
}

/** Returns the onset strength on even half beats minus that on odd ones, as a share of both, -1..1. */
function contrastOf(strikes: readonly number[]): number {
  const on = mean(strikes.filter((_, i) => i % 2 === 0));
  const off = mean(strikes.filter((_, i) => i % 2 === 1));
  return on + off > 0 ? (on - off) / (on + off) : 0;
}

/** Returns as many times as there are beats, each half a beat later. */
function halfWay(beats: readonly number[]): number[] {
  return beats.map((t, i) => (i + 1 < beats.length ? (t + beats[i + 1]!) / 2 : t + (t - beats[i - 1]!) / 2));
}
