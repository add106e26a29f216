import { clickShape } from "./click-shape.ts";

/** A click is looked for from so long before it should be heard to so long after; the next one comes a second later. */
export const SEARCH_MS = { before: 100, after: 800 } as const;
/** A click stands out of what else is heard by this much; the highest of as much noise does by five. */
const CLEAR = 7;
/** Of several arrivals the first that is this high, as a share of the highest: the others are echoes. */
const FIRST_SHARE = 0.5;
/** Two arrivals are one when they are nearer than this. */
const ONE_ARRIVAL_MS = 1.5;

/** Clicks that are measured; when they say nothing together, it goes on to the most. */
export const CLICKS = 8;
const MOST_CLICKS = 16;
/** So many must be heard, and so far apart half of them may lie. */
const FEWEST = 5;
const WIDEST_MS = 12;

/** What was measured: how late the sound is, or why that is unknown. */
export type Measured =
  | { readonly kind: "unheard"; readonly heard: number }
  | { readonly kind: "unsure"; readonly heard: number; readonly spreadMs: number }
  | { readonly kind: "measured"; readonly heard: number; readonly delayMs: number; readonly spreadMs: number };

/**
 * How late a click is heard: the first clear peak of the cross-correlation with its shape.
 * @param sound recorded around the click, from {@link SEARCH_MS}`.before` ahead of it on
 * @returns ms, below 0 when it is early; undefined when no click is in it
 */
export function clickDelay(sound: Float32Array, sampleRate: number): number | undefined {
  const shape = clickShape(sampleRate);
  const lags = sound.length - shape.length;
  if (lags <= 0) return undefined;
  const likeness = new Float32Array(lags);
  for (let lag = 0; lag < lags; lag++) {
    let sum = 0;
    for (let i = 0; i < shape.length; i++) sum += shape[i]! * sound[lag + i]!;
    likeness[lag] = Math.abs(sum);
  }
  const highest = likeness.reduce((most, each) => Math.max(most, each), 0);
  const usual = Math.sqrt(likeness.reduce((sum, each) => sum + each * each, 0) / lags);
  // Also for digital silence, where both are 0.
  if (!(highest > usual * CLEAR)) return undefined;
  const risen = likeness.findIndex((each) => each >= highest * FIRST_SHARE);
  let peak = risen;
  const end = Math.min(lags, risen + Math.round((ONE_ARRIVAL_MS / 1000) * sampleRate));
  for (let lag = risen; lag < end; lag++) if (likeness[lag]! > likeness[peak]!) peak = lag;
  return (peak / sampleRate) * 1000 - SEARCH_MS.before;
}

/** Whether more clicks are wanted than these. */
export function wantsMore(delaysMs: readonly (number | undefined)[]): boolean {
  if (delaysMs.length < CLICKS) return true;
  return delaysMs.length < MOST_CLICKS && judgeDelays(delaysMs).kind !== "measured";
}

/**
 * What several clicks say together: the median of the half of them that lie nearest to each other (a sound card that
 * stutters, or a door, puts the others anywhere). @param delaysMs undefined for one that was not heard
 */
export function judgeDelays(delaysMs: readonly (number | undefined)[]): Measured {
  const sorted = delaysMs.filter((delay) => delay !== undefined).sort((a, b) => a - b);
  const heard = sorted.length;
  if (heard < FEWEST) return { kind: "unheard", heard };
  const half = Math.ceil((heard + 1) / 2);
  const from = Array.from({ length: heard - half + 1 }, (_, i) => i);
  const spreadOf = (i: number) => sorted[i + half - 1]! - sorted[i]!;
  const nearest = from.reduce((best, i) => (spreadOf(i) < spreadOf(best) ? i : best));
  const spreadMs = spreadOf(nearest);
  if (spreadMs > WIDEST_MS) return { kind: "unsure", heard, spreadMs };
  return { kind: "measured", heard, delayMs: sorted[nearest + (half >> 1)]!, spreadMs };
}
