import { mean, weighed } from "../basics/maths.ts";
import { chromaBetween } from "../hear/beat-features.ts";
import type { SongFeatures } from "../hear/features.ts";
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
}

/** What each kind of evidence counts, in nats per unit: the likelihood of the beats notated (training/fit.ts). */
const WEIGHTS: PhaseEvidence = { heard: 0.6, bars: 1, chords: 26 };

/** Half beats over which chords are compared on either side. */
const CHORD_REACH = 8;

/**
 * The beats, or what lies half-way between them where more speaks for that: off-beat hats, stabs and basses are
 * louder than the beat in much dance music, but chords and bars begin on it.
 *
 * @param beats hops, ascending
 */
export function settlePhase(beats: readonly number[], heard: PulseCurves, features: SongFeatures): readonly number[] {
  if (beats.length < CHORD_REACH) return beats;
  const [on, off] = phaseEvidence(beats, heard, features);
  return weighed(off, WEIGHTS) > weighed(on, WEIGHTS) ? halfWay(beats) : beats;
}

/** The evidence for the beats, and for what lies half-way between them. */
export function phaseEvidence(
  beats: readonly number[],
  heard: PulseCurves,
  features: SongFeatures,
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
  const evidence = (parity: 0 | 1): PhaseEvidence => ({
    heard: mean(odds.filter((_, i) => i % 2 === parity)),
    bars: bestContrast(downbeats, 8, { first: parity, step: 2 }),
    chords: mean(chords.filter((_, i) => i % 2 === parity)),
  });
  return [evidence(0), evidence(1)];
}

/** As many times as there are beats, each half a beat later. */
function halfWay(beats: readonly number[]): number[] {
  return beats.map((t, i) => (i + 1 < beats.length ? (t + beats[i + 1]!) / 2 : t + (t - beats[i - 1]!) / 2));
}
