import type { PlannedRole } from "../lane-writer.ts";
import type { Rank } from "../song-form.ts";
import type { LookContext } from "./look-context.ts";

/** White that may be mixed into a colour to make it brighter, by rank. */
const MOST_WHITE: Record<Rank, number> = { 0: 0.06, 1: 0.1, 2: 0.14, 3: 0.18, 4: 0.7 };
/** In the last peak. */
const MOST_WHITE_LAST = 0.85;
/** The wash keeps its colour; at the top it is the accents that go white. */
const MOST_WHITE_WASH = 0.4;
/** The same while the evening holds its strongest means back. */
const MOST_WHITE_HELD = 0.3;

/** A lamp level, not a brightness: a singer is never darker than this. */
export const SINGER_FLOOR = 0.36;
/** The light that is put on a singer. */
export const SINGER_LEVEL = 0.6;

/** White a lamp of a role may take now, 0..1. */
export function mostWhite({ section, evening }: LookContext, role: PlannedRole): number {
  const accents = section.isLastPeak && section.rank === 4 ? MOST_WHITE_LAST : MOST_WHITE[section.rank];
  const most = role === "wash" ? Math.min(accents, MOST_WHITE_WASH) : accents;
  return evening?.holdsBack ? Math.min(most, MOST_WHITE_HELD) : most;
}
