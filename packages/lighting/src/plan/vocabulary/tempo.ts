import type { LookContext } from "./look-context.ts";

/** Whole rig hits per second a plan may ask for; below the limiter's three in 46 ticks, so that it never has to act. */
const MOST_HITS_PER_SECOND = 2.8;
const LONGEST_FADE_SECONDS = 8;

/** Beats as seconds of a fade, at most eight. */
export function fadeSeconds({ form }: LookContext, beats: number): number {
  return Math.min(LONGEST_FADE_SECONDS, (beats * 60) / form.bpm);
}

/** Flashes per second of a strobe in step with the beat, on every second or fourth one where beats are too fast. */
export function strobeHz({ form }: LookContext): number {
  let rate = form.bpm / 60;
  while (rate > MOST_HITS_PER_SECOND) rate /= 2;
  return rate;
}

/** How reasons call a step. */
export const everyBeats = (step: number): string => (step === 1 ? "every beat" : `every ${step} beats`);
