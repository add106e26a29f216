import type { HazeCue } from "@followspot/contract";
import { HAZE_FREE_SECONDS } from "../haze.ts";
import { nameOf } from "./vocabulary/look-context.ts";
import { RELIABLE_DROP, type PlannedSection, type SongForm } from "./song-form.ts";

/** Length of a puff, and its lead before the moment it is for, seconds. The haze spreads, and beams open in it. */
const PUFF_SECONDS = 4;
const SPREADS_SECONDS = 4;
/** Shortest time between two puffs, seconds. */
const APART_SECONDS = 40;

/**
 * Plans puffs before confident drops and before the last peak, the last peak first, and low steady haze under a song
 * with beams. Machines follow it only if an Admin has allowed it.
 *
 * @param hasBeams whether the rig has moving heads
 */
export function planHaze(form: SongForm, hasBeams: boolean): HazeCue[] {
  const puffs: HazeCue[] = [];
  const worthy = form.sections
    .filter(isWorthy)
    .toSorted((a, b) => Number(b.isLastPeak) - Number(a.isLastPeak) || a.start - b.start);
  for (const section of worthy) {
    const time = rounded(section.start - SPREADS_SECONDS - PUFF_SECONDS);
    if (time < HAZE_FREE_SECONDS || puffs.some((puff) => Math.abs(puff.time - time) < APART_SECONDS)) continue;
    puffs.push({ time, duration: PUFF_SECONDS, kind: "puff", reason: `a puff of haze for the ${nameOf(section)}` });
  }
  const length = rounded(form.soundEnd - HAZE_FREE_SECONDS);
  const steady: HazeCue[] =
    hasBeams && length > 0
      ? [{ time: HAZE_FREE_SECONDS, duration: length, kind: "steady", reason: "low haze, so that beams are seen" }]
      : [];
  return [...steady, ...puffs].toSorted((a, b) => a.time - b.time);
}

function isWorthy({ label, dropConfidence, isLastPeak }: PlannedSection): boolean {
  return isLastPeak || (label === "drop" && dropConfidence >= RELIABLE_DROP);
}

const rounded = (seconds: number): number => Math.round(seconds * 10_000) / 10_000;
