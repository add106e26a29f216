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

/** Patterns of quiet sections, softest first. */
const QUIET: readonly Pattern[] = [ripple, sides, mirror, pairs, bounce];
/** Patterns of choruses and drops. */
const LOUD: readonly Pattern[] = [sides, alternate, march, sweep, pairs, fill, mirror];
/** Patterns in which all fixtures of a role hit together, under the pattern of the others. */
const TOGETHER: readonly Pattern[] = [unison, backbeat];
/** Drive from which fixtures hit all at once. */
const HITS_FROM = 0.3;

export interface Patterns {
  /** Pattern of the label: the same in all its sections. */
  readonly own: Pattern;
  /** Pattern drawn for each section. */
  readonly other: Pattern;
  /** Pulse that accompanies them; undefined if nothing may hit. */
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

/**
 * Returns the pulse: every beat for a kick on every beat; the drums, if they have a rhythm of their own; otherwise the
 * beat.
 */
function pulseOf(context: LookContext): Pattern {
  const { isFourOnTheFloor, leading } = context.rhythm;
  if (isFourOnTheFloor) return FOUR_ON_THE_FLOOR;
  const drums = leading.map((drum) => DRUM_HITS[drum]);
  return wayOf(context, "pulse", drums.length > 0 ? drums : TOGETHER);
}

/** Returns the pattern that the last peaks of all songs of an evening share. */
function patternOfNight(seed: number): Pattern {
  return oneOf(
    randomStream(hashOf("night", seed)),
    LOUD.filter((pattern) => pattern.travels),
  );
}

/** All patterns, for pictures in the documentation. */
export const PATTERNS: readonly Pattern[] = [
  ...new Set([...QUIET, run, ...LOUD, ...TOGETHER, FOUR_ON_THE_FLOOR, ...Object.values(DRUM_HITS)]),
];
