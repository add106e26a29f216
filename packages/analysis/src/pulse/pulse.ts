import { clamp, mean } from "../basics/maths.ts";
import type { SongFeatures } from "../hear/features.ts";
import { beatActivation, type Onsets } from "../hear/onsets.ts";
import { HOP_RATE } from "../hear/rates.ts";
import { atHopRate, atTimes, type Activations } from "../network/activations.ts";
import type { Span } from "./bars.ts";
import { refineBeats } from "./beats.ts";
import { settlePhase } from "./half-beat.ts";
import { smoothBeats } from "./smooth-beats.ts";
import { chooseTempo, type PulseCurves } from "./tempo-octave.ts";
import { intervalsOf } from "./tempo.ts";

/** The beats of a song before they are grouped into bars. */
export interface Pulse {
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  /** Whether they lie within 12 ms rms of a straight line. */
  readonly stable: boolean;
  /** 0..1 */
  readonly confidence: number;
}

/** Distance within which a beat belongs to the first or last sound. */
const EDGE_SECONDS = 0.1;

export const NO_PULSE: Pulse = { beats: [], stable: false, confidence: 0 };

/** Detects the beats at the level that a listener taps and a musician would count, while the song sounds. */
export function findPulse(features: SongFeatures, heard: Activations, onsets: Onsets, span: Span): Pulse {
  const curves = pulseCurves(heard, features.hops);
  const choice = chooseTempo(curves);
  const settled = settlePhase(choice.beats, curves, features, onsets);
  const found = (choice.isSteady ? settled : refineBeats(settled, curves.beat)).map((hop) => hop / HOP_RATE);
  const { beats: smoothed, stable } = smoothBeats(found);
  const beats = smoothed.filter((t) => t > span.from - EDGE_SECONDS && t < span.to + EDGE_SECONDS);
  if (beats.length === 0) return NO_PULSE;
  const sure = clamp((mean(atTimes(heard.beat, beats)) - 0.1) / 0.6);
  return {
    beats,
    stable,
    confidence: clamp(
      regularity(found) * sure * (0.7 + 0.3 * choice.confidence) * (0.6 + 0.4 * audibility(found, onsets)),
    ),
  };
}

/** Returns the curves for the choice of a metrical level. */
export function pulseCurves(heard: Activations, hops: number): PulseCurves {
  const curve = (activation: Float32Array) => atHopRate(activation, hops);
  return {
    beat: curve(heard.beat),
    downbeat: curve(heard.downbeat),
    kick: curve(heard.kick),
    snare: curve(heard.snare),
    drums: mean(heard.drums),
  };
}

/** Returns the share of beat periods within 8 % of their neighbor: 1 for a machine, low for a path through noise. */
function regularity(beats: readonly number[]): number {
  if (beats.length < 4) return 0.1;
  const periods = intervalsOf(beats);
  return mean(periods.slice(1).map((p, i) => (Math.abs(p / periods[i]! - 1) < 0.08 ? 1 : 0)));
}

/**
 * Returns how far plain onsets stand out at the beats, 0..1. This cross-checks a network that was trained on
 * machine-made music and may be overconfident.
 */
function audibility(beats: readonly number[], onsets: Onsets): number {
  const activation = beatActivation(onsets);
  const on = mean(beats.map((t) => activation[Math.round(t * HOP_RATE)] ?? 0));
  const everywhere = mean(activation);
  return everywhere > 0 ? clamp((on / everywhere - 1.5) / 3) : 0;
}
