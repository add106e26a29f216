import type { LightingPlan, Seconds, ShowWishes } from "@followspot/contract";
import { keepCue, type Changed, type ChosenCue } from "./change-wishes.ts";
import { choiceStrings } from "./choice.strings.ts";

/** Fade that was drawn on a lane: song seconds, and levels 0..1. */
export interface DrawnFade {
  readonly target: string;
  readonly from: Seconds;
  readonly to: Seconds;
  readonly level: number;
  readonly toLevel: number;
}

/** Adds a fade to its lane as a locked cue. The fade uses the palette of the preceding cue of the lane. */
export function keepFade(wishes: ShowWishes, plan: LightingPlan, fade: DrawnFade): Changed {
  const { target, from, to, level, toLevel } = fade;
  const lane = plan.event_lanes[target] ?? [];
  const before = lane.findLast(({ time }) => time <= from) ?? lane[0];
  const section = plan.sections?.findLast(({ start }) => start <= from + 1e-3)?.label ?? "";
  return keepCue(wishes, plan, chosenFade(fade), {
    time: from,
    duration: to - from,
    intent: "fade",
    palette: before?.palette ?? plan.palette.slice(0, 1),
    params: { level, to_level: toLevel },
    section,
    energy: Math.max(level, toLevel),
    reason: choiceStrings.fade.reason,
  });
}

export const chosenFade = ({ target, from }: DrawnFade): ChosenCue => ({ target, time: from });
