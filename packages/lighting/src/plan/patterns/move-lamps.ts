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
  /** Brightness of resting lamps beside lit ones, 0..1. */
  readonly rest: number;
  readonly direction?: 1 | -1;
  /** One half of the lamps calls for so many beats, then the other answers. */
  readonly turnBeats?: number;
  /** What lamps with many heads do instead. */
  readonly pixels?: PixelMove;
}

/** What is left of one half's light while the other has its turn. */
const WAITING = 0.5;

/** Lamps of one role go through a pattern for a phrase. */
export function moveLamps(context: LookContext, move: Move): void {
  const { role, pattern, phrase, palette, direction = 1, turnBeats, pixels } = move;
  const rhythm = rhythmOf(context, pattern, direction);
  const { step } = rhythm;
  put(context, {
    role,
    ...phrase,
    intent: pattern.intent,
    palette,
    params: {
      ...levelsFor(pattern, move.mean, move.rest),
      ...pattern.params(rhythm),
      ...(palette.length > 1 && { spread: "alternate" }),
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
