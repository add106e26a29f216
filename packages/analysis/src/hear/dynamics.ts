import { FREQUENCY_BANDS, type Curve, type FrequencyBand } from "@followspot/contract";
import { clamp, mean, percentile, round } from "../basics/maths.ts";
import type { SongFeatures } from "./features.ts";
import { integratedLoudness, lufs, SILENCE_LUFS } from "./loudness.ts";
import { SLOW_RATE } from "./rates.ts";

export interface Dynamics {
  readonly energy_curve: Curve;
  readonly frequency_bands: Record<FrequencyBand, Curve>;
  readonly loudness: number;
}

/** Largest and smallest loudness range that is mapped to 0..1, dB. */
const MAX_RANGE_DB = 36;
const MIN_RANGE_DB = 9;

/**
 * Measures energy and bands at 10 Hz. Energy is K-weighted loudness over 400 ms. Energy and every band are scaled
 * within the song between robust percentiles of the audible values.
 *
 * @returns curves 0..1, all zeros for silence
 */
export function measureDynamics(features: SongFeatures): Dynamics {
  const steps = features.loudnessPower.length;
  const energy = Array.from({ length: steps }, (_, s) => lufs(mean(features.loudnessPower, s - 1, s + 3)));
  const bands = FREQUENCY_BANDS.map((name, b) => {
    const decibels = Array.from({ length: steps }, (_, s) => {
      const power = mean([0, 1].map((d) => features.bandPower[(s + d) * 5 + b] ?? features.bandPower[s * 5 + b] ?? 0));
      return Math.max(SILENCE_LUFS - 20, 10 * Math.log10(power + 1e-12));
    });
    return [name, curve(scaled(decibels, SILENCE_LUFS - 15))] as const;
  });
  return {
    energy_curve: curve(scaled(energy, SILENCE_LUFS + 5)),
    frequency_bands: Object.fromEntries(bands) as Record<FrequencyBand, Curve>, // one entry per FREQUENCY_BANDS
    loudness: round(integratedLoudness(features.loudnessPower), 2),
  };
}

/** Returns the peaks for drawing, at most 4000 points, 0..1. */
export function drawWaveform(features: SongFeatures): Curve {
  const step = Math.max(1, Math.ceil(features.peaks.length / 4000));
  const values: number[] = [];
  for (let i = 0; i < features.peaks.length; i += step) {
    let most = 0;
    for (let n = i; n < Math.min(i + step, features.peaks.length); n++) most = Math.max(most, features.peaks[n]!);
    values.push(round(clamp(most), 3));
  }
  return { hop_seconds: round(0.05 * step, 3), values };
}

function curve(values: readonly number[]): Curve {
  return { hop_seconds: 1 / SLOW_RATE, values: values.map((v) => round(v, 3)) };
}

function scaled(decibels: readonly number[], floor: number): number[] {
  const audible = decibels.filter((v) => v > floor);
  if (audible.length === 0) return decibels.map(() => 0);
  const top = percentile(audible, 0.97);
  const bottom = clamp(percentile(audible, 0.03), top - MAX_RANGE_DB, top - MIN_RANGE_DB);
  return decibels.map((v) => (v > floor ? clamp((v - bottom) / (top - bottom)) : 0));
}
