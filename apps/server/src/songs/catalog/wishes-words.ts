import { isDeepStrictEqual } from "node:util";
import type { LightingPlan, ShowWishes } from "@followspot/contract";

/**
 * Describes a change of show settings in words: "violet instead of amber", "chorus at 1:02 rolled again".
 * @param plan the current plan, which has the sections and runners-up
 */
export function wishesWords(before: ShowWishes, after: ShowWishes, plan: LightingPlan | undefined): string[] {
  return [
    ...showWords(before, after, plan),
    ...(before.mood === after.mood ? [] : [after.mood ? `mood: ${after.mood}` : "mood as heard"]),
    ...sectionWords(before.section_seeds, after.section_seeds, plan),
    ...keptWords(before.kept, after.kept),
  ];
}

function showWords(before: ShowWishes, after: ShowWishes, plan: LightingPlan | undefined): string[] {
  if (before.seed === after.seed) return [];
  if (after.seed === 0) return ["back to the best"];
  return plan?.choice?.runners_up.find(({ seed }) => seed === after.seed)?.differs ?? ["another show"];
}

function sectionWords(
  before: ShowWishes["section_seeds"],
  after: ShowWishes["section_seeds"],
  plan: LightingPlan | undefined,
): string[] {
  const indexes = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((i) => before[i] !== after[i]);
  return indexes.map((index) => {
    const section = plan?.sections?.[Number(index)];
    const name = section ? `${section.label} at ${clock(section.start)}` : `section ${Number(index) + 1}`;
    return after[index] === undefined ? `${name} as before` : `${name} rolled again`;
  });
}

function keptWords(before: ShowWishes["kept"], after: ShowWishes["kept"]): string[] {
  const without = (some: ShowWishes["kept"], others: ShowWishes["kept"]) =>
    some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other))).length;
  const [removed, added] = [without(before, after), without(after, before)];
  const edited = Math.min(removed, added);
  return [
    [added - edited, "locked"] as const,
    [edited, "edited"] as const,
    [removed - edited, "unlocked"] as const,
  ].flatMap(([count, verb]) => (count > 0 ? [`${count} ${count === 1 ? "cue" : "cues"} ${verb}`] : []));
}

/** Formats 62.4 s as 1:02. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
