import type { CompiledShow } from "./compiled-show.ts";
import { setStates } from "./head-states.ts";

/** In the calmest show the light of a moment is the mean of the beat before it, by so many moments of that. */
const MOMENTS = 5;
/** How bright the calmest show is beside its plan. */
const CALM_LIGHT = 0.6;

/**
 * Sets every head's state as {@link setStates} does, its level the mean of what it was for a while: hits melt into each other.
 * It looks back and never ahead, so a drop is not seen before it comes. Allocation free.
 *
 * @param beats how much is melted, up to one beat of the song
 * @param sums  room for a level of each head, overwritten
 */
export function setMeltedStates(show: CompiledShow, t: number, beats: number, sums: Float32Array): void {
  const { clock, headCount, level } = show;
  const beat = clock.beatAt(t);
  sums.fill(0);
  for (let i = 0; i < MOMENTS; i++) {
    setStates(show, clock.timeAt(beat - (beats * i) / MOMENTS));
    for (let h = 0; h < headCount; h++) sums[h] = sums[h]! + level[h]! / MOMENTS;
  }
  setStates(show, t);
  level.set(sums);
}

/**
 * Makes the light that stands bigger or calmer. Bigger, all that is lit comes nearer to full and what is dark stays dark: the
 * rhythm is the plan's. Calmer, lamps shine less, and those that hit alone rest. Allocation free.
 *
 * @param size -1 calmest .. 1 biggest; 0 changes nothing
 */
export function sizeLevels({ headCount, level, isStrobe }: CompiledShow, size: number): void {
  if (size === 0) return;
  for (let h = 0; h < headCount; h++) {
    if (size > 0) level[h] = 1 - (1 - level[h]!) ** (1 + size);
    else level[h] = level[h]! * (1 + size * (isStrobe[h] === 1 ? 1 : 1 - CALM_LIGHT));
  }
}
