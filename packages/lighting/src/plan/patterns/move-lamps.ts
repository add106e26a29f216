import type { PlannedRole } from "../lane-writer.ts";
import { nameOf, type LookContext } from "../vocabulary/look-context.ts";
import type { Phrase } from "../vocabulary/phrases.ts";
import { put } from "../vocabulary/put-cue.ts";
import { everyBeats } from "../vocabulary/tempo.ts";
import { rhythmOf, type Pattern } from "./pattern.ts";

export interface Move {
  readonly role: PlannedRole;
  readonly pattern: Pattern;
  readonly phrase: Phrase;
  readonly palette: readonly string[];
  /** Mean brightness of the role's lamps, the same whatever the pattern is. */
  readonly mean: number;
  /** Brightness of resting lamps beside lit ones, 0..1, where the mean allows it. */
  readonly rest: number;
  readonly direction?: 1 | -1;
}

/** Lamps of one role go through a pattern for a phrase. */
export function moveLamps(context: LookContext, move: Move): void {
  const { role, pattern, phrase, palette, direction = 1 } = move;
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
    },
    reason: `${nameOf(context.section)}: ${pattern.says}${pattern.isOwnRhythm ? "" : `, ${everyBeats(step)}`}`,
  });
}

/** Lit and resting lamps such that all together have the mean; where lit ones cannot be bright enough, resting ones are brighter. */
function levelsFor({ share }: Pattern, mean: number, rest: number): { level: number; floor: number } {
  const level = mean / (share + (1 - share) * rest);
  if (level <= 1) return { level, floor: level * rest };
  return { level: 1, floor: Math.max(rest, (mean - share) / (1 - share)) };
}
