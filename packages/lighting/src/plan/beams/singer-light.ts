import { SINGER_LEVEL } from "../vocabulary/levels.ts";
import { nameOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { wholeSection } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { fadeSeconds } from "../vocabulary/tempo.ts";
import { aimOf } from "./aim-of.ts";
import { MOVE_BEATS, MOVE_RANGE } from "./movements.ts";

/** Beats of a sweep. */
const SWEEPS = [32, 16];

/**
 * The spot on the singer, or a quiet beam where nobody sings.
 * @param movement of the beam; a sweep also shows in the quietest sections
 */
export function lightSinger(context: LookContext, movement: "static" | "slow" | "sweep"): void {
  const { section, palette, sings, target } = context;
  if (!sings && section.rank < 2 && movement !== "sweep") return;
  const isStill = movement === "static" || sings;
  put(context, {
    role: "spot",
    ...wholeSection(context),
    intent: "static_crossfade",
    palette: [sings ? palette.white : palette.second],
    params: {
      level: sings ? Math.max(SINGER_LEVEL, target) : 0.7 * target,
      move_beats: isStill ? 0 : movement === "sweep" ? wayOf(context, "sweep", SWEEPS) : MOVE_BEATS[section.rank],
      move_range: isStill ? 0.05 : MOVE_RANGE[section.rank],
      fade_seconds: fadeSeconds(context, 1),
      ...aimOf(context),
    },
    reason: `${nameOf(section)}: ${sings ? "light on the singer within a beat" : "one quiet beam"}`,
  });
}
