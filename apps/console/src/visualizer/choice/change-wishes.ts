import type { Cue, LightingPlan, ShowMood, ShowWishes } from "@followspot/contract";
import { keepCues } from "@followspot/lighting";
import { choiceStrings } from "./choice.strings.ts";

type Kept = ShowWishes["kept"][number];

/** Identifies a cue by its lane (`target`) and its start, song seconds. */
export interface ChosenCue {
  readonly target: string;
  readonly time: number;
}

/** Largest difference of two times that count as equal, seconds. */
const SAME = 1e-3;
const SHORTEST = 0.05;

export const withSeed = (wishes: ShowWishes, seed: number): ShowWishes => ({ ...wishes, seed });
export const withMood = (wishes: ShowWishes, mood: ShowMood | null): ShowWishes => ({ ...wishes, mood });

export function rollSection(wishes: ShowWishes, index: number, seed: number): ShowWishes {
  return { ...wishes, section_seeds: { ...wishes.section_seeds, [index]: seed } };
}

export function unrollSection(wishes: ShowWishes, index: number): ShowWishes {
  const others = Object.entries(wishes.section_seeds).filter(([key]) => key !== String(index));
  return { ...wishes, section_seeds: Object.fromEntries(others) };
}

export const keptAt = (wishes: ShowWishes, { target, time }: ChosenCue): Kept | undefined =>
  wishes.kept.find((kept) => kept.target === target && Math.abs(kept.cue.time - time) < SAME);

/** Returns the chosen cue: its locked version if there is one, otherwise the planned one. */
export function cueOf(plan: LightingPlan, wishes: ShowWishes, chosen: ChosenCue): Cue | undefined {
  const isIt = (cue: Cue): boolean => Math.abs(cue.time - chosen.time) < SAME;
  return keptAt(wishes, chosen)?.cue ?? plan.event_lanes[chosen.target]?.find(isIt);
}

export type CueChange = Partial<Pick<Cue, "time" | "duration" | "intent" | "palette" | "params" | "reason">>;

/** Changed show settings, or the reason why the change is rejected. */
export type Changed = { readonly wishes: ShowWishes } | { readonly problem: string };

/** Locks a cue, as it is or with changes. */
export function keepCue(
  wishes: ShowWishes,
  plan: LightingPlan,
  chosen: ChosenCue,
  cue: Cue,
  change: CueChange = {},
): Changed {
  const { kept: _kept, ...changed } = { ...cue, ...change };
  const end = changed.time + changed.duration;
  if (!(changed.time >= 0 && changed.duration >= SHORTEST && end <= plan.duration + SAME))
    return { problem: choiceStrings.cue.outside };
  const others = wishes.kept.filter((kept) => kept !== keptAt(wishes, chosen));
  const overlaps = others.some(
    ({ target, cue: other }) =>
      target === chosen.target && other.time < end - SAME && other.time + other.duration > changed.time + SAME,
  );
  if (overlaps) return { problem: choiceStrings.cue.overlaps };
  return { wishes: { ...wishes, kept: [...others, { target: chosen.target, cue: changed }] } };
}

export function freeCue(wishes: ShowWishes, chosen: ChosenCue): ShowWishes {
  const freed = keptAt(wishes, chosen);
  return { ...wishes, kept: wishes.kept.filter((kept) => kept !== freed) };
}

/** Changes that turn a cue dark. A deleted cue stays locked as a dark cue, so that no plan lights its time again. */
export const DARK: CueChange = {
  intent: "fade",
  params: { level: 0, to_level: 0 },
  reason: choiceStrings.cue.removedReason,
};
export const isDark = (cue: Cue): boolean => cue.params["level"] === 0 && cue.params["to_level"] === 0;

/** Returns the settings without sections and locked cues that no longer fit the show after it was planned again. */
export function fitWishes(wishes: ShowWishes, plan: LightingPlan | undefined): ShowWishes {
  if (!plan) return wishes;
  const count = plan.sections?.length ?? 0;
  const seeds = Object.entries(wishes.section_seeds).filter(([index]) => Number(index) < count);
  return {
    ...wishes,
    section_seeds: Object.fromEntries(seeds),
    kept: wishes.kept.filter(({ cue }) => cue.time + cue.duration <= plan.duration + SAME),
  };
}

/**
 * Returns the plan with unsaved changes of its locked cues. The time that a cue was moved away from stays dark until
 * the show is planned again.
 */
export function previewPlan(plan: LightingPlan, saved: ShowWishes, present: ShowWishes): LightingPlan {
  if (saved.kept === present.kept) return plan;
  const left = saved.kept.filter((kept) => !present.kept.includes(kept));
  const isLeft = (target: string, cue: Cue): boolean =>
    cue.kept === true && left.some((one) => one.target === target && Math.abs(one.cue.time - cue.time) < SAME);
  const lanes = Object.entries(plan.event_lanes).map(([target, cues]) => [
    target,
    cues.filter((cue) => !isLeft(target, cue)),
  ]);
  const changed = present.kept.filter((kept) => !saved.kept.includes(kept));
  return { ...plan, event_lanes: keepCues(Object.fromEntries(lanes) as LightingPlan["event_lanes"], changed) };
}
