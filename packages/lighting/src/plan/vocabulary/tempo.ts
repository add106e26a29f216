import type { LookContext } from "./look-context.ts";

/**
 * Most hits of the whole rig per second in a plan. Below the limiter's three in 46 ticks, so that the limiter never
 * acts.
 */
const MOST_HITS_PER_SECOND = 2.8;
const LONGEST_FADE_SECONDS = 8;

/** Converts beats to the seconds of a fade, at most eight. */
export function fadeSeconds({ form }: LookContext, beats: number): number {
  return Math.min(LONGEST_FADE_SECONDS, (beats * 60) / form.bpm);
}

/** Returns the strobe rate in step with the beat, Hz: on every second or fourth beat if beats are too fast. */
export function strobeHz({ form }: LookContext): number {
  let rate = form.bpm / 60;
  while (rate > MOST_HITS_PER_SECOND) rate /= 2;
  return rate;
}

/** Returns the name of a step in reasons. */
export const everyBeats = (step: number): string => (step === 1 ? "every beat" : `every ${step} beats`);
