import type { Curve, SongAnalysis } from "@followspot/contract";

/** Energy below which a song counts as silent. */
const SOUND_FLOOR = 0.03;

/** Returns the mean of a curve between two times in seconds; 0 outside the curve. */
export function curveMean({ hop_seconds, values }: Curve, from: number, to: number): number {
  const a = Math.max(0, Math.floor(from / hop_seconds));
  const b = Math.min(values.length, Math.max(a + 1, Math.ceil(to / hop_seconds)));
  let sum = 0;
  for (let i = a; i < b; i++) sum += values[i]!;
  return b > a ? sum / (b - a) : 0;
}

/** Returns the first and last time with sound, seconds; the whole song if it is silent. */
export function soundOf({ dynamics, duration }: SongAnalysis): { start: number; end: number } {
  const { hop_seconds, values } = dynamics.energy_curve;
  const first = values.findIndex((v) => v > SOUND_FLOOR);
  if (first < 0) return { start: 0, end: duration };
  const last = values.findLastIndex((v) => v > SOUND_FLOOR);
  return { start: first * hop_seconds, end: Math.min(duration, (last + 1) * hop_seconds) };
}
