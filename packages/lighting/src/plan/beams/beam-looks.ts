import type { HeadPosition, SectionLabel } from "@followspot/contract";
import type { Rank } from "../song-form.ts";

/** Movement effects of beams, by their names in `movement/figures.ts`. */
type FigureName = "sway" | "circle" | "eight" | "wave" | "cancan" | "fan" | "bounce" | "chase";

/** Position and movement effect of all beams for a while. */
export interface BeamLook {
  readonly aim: HeadPosition;
  /** Undefined for beams that do not move. */
  readonly figure?: FigureName;
}

/** Series of looks for loud sections; each label draws one. None starts at the ceiling, far from all eyes. */
export const LOUD: readonly (readonly BeamLook[])[] = [
  [look("crossed", "circle"), look("fan", "fan"), look("point", "bounce"), look("hall", "wave")],
  [look("fan", "cancan"), look("crossed", "sway"), look("hall", "chase"), look("point", "circle")],
  [look("hall", "wave"), look("point", "bounce"), look("crossed", "eight"), look("fan", "cancan")],
  [look("point", "circle"), look("fan", "wave"), look("ceiling", "cancan"), look("crossed", "chase")],
  [look("crossed", "wave"), look("fan", "eight"), look("ceiling", "bounce"), look("hall", "circle")],
  [look("hall", "sway"), look("crossed", "cancan"), look("ceiling", "chase"), look("point", "eight")],
];

/** Looks of quiet sections: one slow movement or rest for the whole section. */
export const QUIET: Record<Exclude<SectionLabel, "chorus" | "drop" | "build">, readonly BeamLook[]> = {
  intro: [look("ceiling"), look("fan"), look("floor"), look("crossed")],
  verse: [look("floor"), look("fan", "sway"), look("crossed", "wave"), look("ceiling"), look("floor", "circle")],
  break: [look("floor", "sway"), look("ceiling", "circle"), look("point", "wave"), look("floor")],
  bridge: [look("crossed", "eight"), look("ceiling", "wave"), look("fan", "fan"), look("point", "sway")],
  outro: [look("floor"), look("home"), look("ceiling")],
};

/** Looks of quiet labels in loud music: every beam moves. */
export const MOVING: readonly BeamLook[] = [
  look("fan", "sway"),
  look("crossed", "wave"),
  look("floor", "circle"),
  look("ceiling", "wave"),
];

/** Look before something bigger: beams come together. */
export const DRAWN_TOGETHER: BeamLook = look("point");

/** Beats per cycle in loud and in quiet sections, by rank. */
export const CYCLE_BEATS: Record<"loud" | "quiet", Record<Rank, number>> = {
  loud: { 0: 16, 1: 16, 2: 8, 3: 8, 4: 4 },
  quiet: { 0: 32, 1: 32, 2: 16, 3: 16, 4: 16 },
};
/** Tempo above which a cycle takes twice as long, because heads have to follow. */
export const BRISK_BPM = 150;
/** Size of movement effects, by rank. */
export const SIZE: Record<"loud" | "quiet", Record<Rank, number>> = {
  loud: { 0: 0.35, 1: 0.4, 2: 0.5, 3: 0.6, 4: 0.75 },
  quiet: { 0: 0.15, 1: 0.2, 2: 0.25, 3: 0.3, 4: 0.3 },
};
/** Growth of the size each time a loud section returns. */
export const GROWS = 0.2;

/** Description of each position for reasons. */
export const WORDS: Record<HeadPosition, string> = {
  home: "beams rest at home",
  band: "beams meet at the singer",
  hall: "beams reach into the hall",
  floor: "beams lie on the floor",
  ceiling: "beams rise to the ceiling",
  crossed: "beams cross over the band",
  fan: "beams spread into a fan",
  point: "beams meet over the front rows",
};

function look(aim: HeadPosition, figure?: FigureName): BeamLook {
  return { aim, ...(figure && { figure }) };
}
