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
  /** Of several colours lamps take turns. */
  readonly palette: readonly string[];
  /** Mean brightness of the role's lamps, the same whatever the pattern is. */
  readonly mean: number;
  /** Brightness of resting lamps beside lit ones, 0..1; in loud parts {@link LOUD_SHARE} settles it. */
  readonly rest: number | "loud";
  readonly direction?: 1 | -1;
  /** One half of the lamps calls for so many beats, then the other answers. */
  readonly turnBeats?: number;
  /** Share of its light that is left at the end of the phrase, 0..1; missing: all of it. */
  readonly left?: number;
  /** Drive that lit lamps come to at least, see `CueOfBeats`. */
  readonly least?: number;
  /** What lamps with many heads do instead. */
  readonly pixels?: PixelMove;
}

/** What is left of one half's light while the other has its turn. */
const WAITING = 0.6;
/**
 * Mean of a loud part's lamps beside the lit ones, whatever they play. Lit ones are near full there, and cannot make up for
 * a pattern that lights fewer; so the others rest less dark in it, within limits.
 */
export const LOUD_SHARE = 0.6;
const LOUD_REST = { least: 0.2, most: 0.46 };

/** Lamps of one role go through a pattern for a phrase. */
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
 * Lit and resting lamps such that all together have the mean. Where lit ones cannot be bright enough the mean is missed: resting
 * ones that came up to them would end the pattern.
 */
function levelsFor({ share }: Pattern, mean: number, rest: number): { level: number; floor: number } {
  const level = Math.min(1, mean / (share + (1 - share) * rest));
  return { level, floor: level * rest };
}

/** Every pattern has the same lit lamps and the same mean, so that one is not seen as louder than the other. */
function loudLevels({ share }: Pattern, { mean, turnBeats }: Move): { level: number; floor: number } {
  const wanted = LOUD_SHARE / (turnBeats ? (1 + WAITING) / 2 : 1);
  const rest = clamp((wanted - share) / (1 - share), LOUD_REST.least, LOUD_REST.most);
  const level = Math.min(1, mean / LOUD_SHARE);
  return { level, floor: level * rest };
}
