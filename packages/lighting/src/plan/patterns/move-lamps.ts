import { clamp } from "../../maths.ts";
import type { PlannedRole } from "../lane-writer.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats } from "../vocabulary/tempo.ts";
import type { PixelMove } from "./pixels.ts";
import { rhythmOf, type Pattern } from "./pattern.ts";

export interface Move {
  readonly role: PlannedRole;
  readonly pattern: Pattern;
  readonly phrase: Phrase;
  /** Colors; fixtures alternate between several. */
  readonly palette: readonly string[];
  /** Mean brightness of the role's fixtures, independent of the pattern. */
  readonly mean: number;
  /** Brightness of resting fixtures relative to lit ones, 0..1; in loud sections {@link LOUD_SHARE} determines it. */
  readonly rest: number | "loud";
  readonly direction?: 1 | -1;
  /** Beats after which the halves swap in call and answer. */
  readonly turnBeats?: number;
  /** Share of its light that remains at the end of the phrase, 0..1; missing: all of it. */
  readonly left?: number;
  /** Lowest peak drive of lit fixtures, see `CueOfBeats`. */
  readonly least?: number;
  /** Pixel effect of fixtures with many heads, instead of the pattern. */
  readonly pixels?: PixelMove;
}

/** Share of its light that a half keeps while the other half plays. */
const WAITING = 0.6;
/**
 * Mean brightness of the fixtures in a loud section, relative to the lit ones, whatever they play. Lit fixtures are
 * near full there and cannot compensate for a pattern that lights fewer of them. Instead the others rest less dark,
 * within limits.
 */
export const LOUD_SHARE = 0.6;
const LOUD_REST = { least: 0.2, most: 0.46 };

/** Writes a pattern for the fixtures of one role over a phrase. */
export function moveLamps(context: LookContext, move: Move): void {
  const { role, pattern, phrase, palette, direction = 1, turnBeats, pixels } = move;
  const rhythm = rhythmOf(context, pattern, direction);
  const { step } = rhythm;
  const levels = move.rest === "loud" ? loudLevels(pattern, move) : levelsFor(pattern, move.mean, move.rest);
  put(context, {
    role,
    ...phrase,
    intent: pattern.intent,
    palette,
    least: move.least,
    params: {
      ...levels,
      ...pattern.params(rhythm),
      ...(palette.length > 1 && { spread: "alternate" }),
      ...(move.left !== undefined && { to_level: move.left * levels.level }),
      ...(turnBeats && { turn_beats: turnBeats, turn_rest: WAITING }),
      ...pixels?.params,
    },
    reason:
      `${nameOf(context.section)}: ${pattern.says}${pattern.isOwnRhythm ? "" : `, ${everyBeats(step)}`}` +
      (turnBeats ? `, one side calls and the other answers by ${turnBeats} beats` : "") +
      (pixels ? `; ${pixels.says}` : ""),
  });
}

/**
 * Returns the levels of lit and resting fixtures that give the mean. If lit ones cannot be bright enough, the mean is
 * missed: raising the resting ones to them would hide the pattern.
 */
function levelsFor({ share }: Pattern, mean: number, rest: number): { level: number; floor: number } {
  const level = Math.min(1, mean / (share + (1 - share) * rest));
  return { level, floor: level * rest };
}

/**
 * Returns the levels of a loud section. Lit level and mean are the same for every pattern, so that none looks louder.
 */
function loudLevels({ share }: Pattern, { mean, turnBeats }: Move): { level: number; floor: number } {
  const wanted = LOUD_SHARE / (turnBeats ? (1 + WAITING) / 2 : 1);
  const rest = clamp((wanted - share) / (1 - share), LOUD_REST.least, LOUD_REST.most);
  const level = Math.min(1, mean / LOUD_SHARE);
  return { level, floor: level * rest };
}
