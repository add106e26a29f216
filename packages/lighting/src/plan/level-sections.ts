import type { LightingPlan } from "@followspot/contract";
import { bindShow } from "../compile-show.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { clamp } from "../maths.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import type { PlannedSection } from "./song-form.ts";

/** Samples per second: enough for a mean over a section. */
const LOOKS_PER_SECOND = 8;
/** Time at the start and end of a section that is not measured, because it crossfades with its neighbors, seconds. */
const SETTLES_SECONDS = 3;
const LEAVES_SECONDS = 1;
/** Range of the gain on a section's levels. */
const GAIN = { least: 0.5, most: 1.7 };

/**
 * Returns the level gains per section with which the reference rigs reach the budgeted brightness, whatever patterns
 * they play.
 *
 * @param targets mean drive of all fixtures per section, 0..1
 * @param gains gains that the plan was written with
 */
export function gainsFor(
  plan: LightingPlan,
  sections: readonly PlannedSection[],
  targets: readonly number[],
  gains: readonly number[],
): readonly number[] {
  const shows = REFERENCE_RIGS.map(({ rig }) => bindShow(plan, rig));
  return sections.map(({ start, end }, i) => {
    let sum = 0;
    const from = start + Math.min(SETTLES_SECONDS, (end - start) / 4);
    const to = end - Math.min(LEAVES_SECONDS, (end - start) / 4);
    for (const show of shows) sum += driveOf(show, from, to);
    const measured = sum / shows.length;
    return measured > 0 ? clamp((gains[i]! * targets[i]!) / measured, GAIN.least, GAIN.most) : 1;
  });
}

function driveOf(show: ReturnType<typeof bindShow>, from: number, to: number): number {
  let sum = 0;
  let lamps = 0;
  for (let t = from; t < to; t += 1 / LOOKS_PER_SECOND) {
    setUnlimitedStates(show, t);
    for (let h = 0; h < show.headCount; h++) {
      if (show.isStrobe[h] === 1) continue;
      lamps++;
      sum += Math.sqrt(show.level[h]!);
    }
  }
  return lamps > 0 ? sum / lamps : 0;
}
