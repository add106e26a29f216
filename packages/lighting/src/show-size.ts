import type { CompiledShow } from "./compiled-show.ts";
import { setStates } from "./head-states.ts";

/** Number of samples, spread over the previous beat, that the light of the calmest show is averaged over. */
const MOMENTS = 5;
/** Brightness of the calmest show, as a share of its plan. */
const CALM_LIGHT = 0.6;

/**
 * Sets every head's state like {@link setStates}, with levels averaged over the recent past, so that hits blend. The
 * average never looks ahead, so a drop is not visible before it happens. Allocation free.
 *
 * @param beats length of the averaging window, at most one beat of the song
 * @param sums  scratch with one level per head, overwritten
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
 * Scales the intensity of the current light. Upward, lit heads move toward full and dark heads stay dark, so the rhythm
 * of the plan remains. Downward, heads are dimmed, and strobes fade out completely. Allocation free.
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
