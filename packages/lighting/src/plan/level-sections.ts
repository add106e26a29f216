import type { LightingPlan } from "@followspot/contract";
import { bindShow } from "../compile-show.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { clamp } from "../maths.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import type { PlannedSection } from "./song-form.ts";

/** Moments looked at per second: enough for a mean over a section. */
const LOOKS_PER_SECOND = 8;
/** A section is measured without its edges: there it fades in from what was, and what follows begins to arrive. */
const SETTLES_SECONDS = 3;
const LEAVES_SECONDS = 1;
/** How far a section's levels may be moved. */
const GAIN = { least: 0.5, most: 1.7 };

/**
 * What the levels of each section have to be multiplied by so that the reference rigs come to what was dealt out to it,
 * whatever its patterns are.
 * @param targets per section, 0..1: mean drive of all lamps
 * @param gains the plan was written with
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
