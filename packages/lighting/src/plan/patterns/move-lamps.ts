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
  /** Brightness of lamps that are lit, and of the others. */
  readonly level: number;
  readonly floor: number;
  readonly direction?: 1 | -1;
  /** Steps are this many times as long. */
  readonly slower?: number;
}

/** Lamps of one role go through a pattern for a phrase. */
export function moveLamps(context: LookContext, move: Move): void {
  const { role, pattern, phrase, palette, level, floor, direction = 1, slower = 1 } = move;
  const rhythm = rhythmOf(context, direction);
  const step = rhythm.step * slower;
  put(context, {
    role,
    ...phrase,
    intent: pattern.intent,
    palette,
    params: { level, floor, ...pattern.params({ ...rhythm, step }) },
    reason: `${nameOf(context.section)}: ${pattern.says}, ${everyBeats(step)}`,
  });
}
