import { hashOf, randomStream } from "../../random.ts";
import { oneOf, wayOf, type LookContext } from "../vocabulary/look-context.ts";
import { alternate } from "./alternate.ts";
import { backbeat } from "./backbeat.ts";
import { bounce, sweep } from "./bounce.ts";
import { DRUM_HITS } from "./drum-hits.ts";
import { fill } from "./fill.ts";
import { mirror } from "./mirror.ts";
import { pairs } from "./pairs.ts";
import type { Pattern } from "./pattern.ts";
import { ripple } from "./ripple.ts";
import { march, run } from "./run.ts";
import { sides } from "./sides.ts";
import { FOUR_ON_THE_FLOOR, unison } from "./unison.ts";

/** For sections that hold back, softest first. */
const QUIET: readonly Pattern[] = [ripple, sides, mirror, pairs, bounce];
/** For choruses and drops. */
const LOUD: readonly Pattern[] = [sides, alternate, march, sweep, pairs, fill, mirror];
/** What all lamps of a role do together, under the pattern of the others. */
const TOGETHER: readonly Pattern[] = [unison, backbeat];
/** What hits all at once is for songs at least this driven. */
const HITS_FROM = 0.3;

export interface Patterns {
  /** The label's own: the same in all its sections. */
  readonly own: Pattern;
  /** Drawn anew for each section. */
  readonly other: Pattern;
  /** The pulse beside them; none where nothing may hit. */
  readonly pulse: Pattern | undefined;
}

export function patternsFor(context: LookContext, kind: "quiet" | "loud"): Patterns {
  const { section, evening, mood, form, random } = context;
  const pool = kind === "quiet" ? QUIET : LOUD;
  const ofNight = section.isLastPeak && evening ? patternOfNight(evening.seed) : undefined;
  const travelling = pool.filter((pattern) => pattern.travels && pattern !== ofNight);
  const own = ofNight && !context.styles.rolled ? ofNight : wayOf(context, "pattern", travelling);
  const other = oneOf(
    random,
    pool.filter((pattern) => pattern !== own),
  );
  const hits = kind === "loud" && mood.drive >= HITS_FROM && !form.isLoose;
  return { own, other, pulse: hits ? pulseOf(context) : undefined };
}

/** A kick on every beat is a pulse on every beat; drums with a bar of their own are hit with; elsewhere the beat is. */
function pulseOf(context: LookContext): Pattern {
  const { isFourOnTheFloor, leading } = context.rhythm;
  if (isFourOnTheFloor) return FOUR_ON_THE_FLOOR;
  const drums = leading.map((drum) => DRUM_HITS[drum]);
  return wayOf(context, "pulse", drums.length > 0 ? drums : TOGETHER);
}

/** The pattern all last peaks of one evening have in common. */
function patternOfNight(seed: number): Pattern {
  return oneOf(
    randomStream(hashOf("night", seed)),
    LOUD.filter((pattern) => pattern.travels),
  );
}

/** All there are, for pictures. */
export const PATTERNS: readonly Pattern[] = [
  ...new Set([...QUIET, run, ...LOUD, ...TOGETHER, FOUR_ON_THE_FLOOR, ...Object.values(DRUM_HITS)]),
];
