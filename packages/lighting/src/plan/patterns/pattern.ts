import type { ChaseShape } from "../../chase-shapes.ts";
import type { LookContext } from "../vocabulary/look-context.ts";

/** Speed and strength of a pattern. */
export interface Rhythm {
  /** Beats per step. */
  readonly step: number;
  /** Share of a step that the crossfade between fixtures takes, 0..1. */
  readonly glide: number;
  /** Share of its light that a fixture loses between two steps, 0..1. */
  readonly hit: number;
  readonly direction: 1 | -1;
  readonly beatsPerBar: number;
  /** Shortest interval between hits, beats: one beat, or half a bar or a whole bar. */
  readonly fastest: number;
}

/** A movement of several fixtures together, whatever their number. */
export interface Pattern {
  readonly name: string;
  /** Description for reasons: "left and right take turns". */
  readonly says: string;
  /** Mean share of the fixtures that is lit at a time. It is used to make patterns equally bright. */
  readonly share: number;
  /** Steps until the pattern repeats. */
  readonly cycle: number;
  /** Whether more fixtures are lit with each step. */
  readonly grows?: boolean;
  /** Whether light moves from side to side, so that movement is visible with eight fixtures in a row. */
  readonly travels: boolean;
  /** Whether the pattern does not use the steps of the beat. */
  readonly isOwnRhythm?: boolean;
  readonly intent: string;
  readonly params: (rhythm: Rhythm) => Record<string, number | string>;
}

/** Creates a pattern that is a chase of one shape. */
export function chase(
  shape: ChaseShape,
  options: Pick<Pattern, "says" | "travels" | "share" | "cycle" | "grows"> & {
    readonly name?: string;
    readonly cells: number;
    readonly width?: number;
  },
): Pattern {
  const { cells, width, name = shape, ...rest } = options;
  return {
    ...rest,
    name,
    intent: `${name}_chase`,
    params: ({ step, glide, hit, direction }) => ({
      shape,
      cells,
      ...(width && { width }),
      step_beats: step,
      glide,
      hit,
      direction,
    }),
  };
}

/** Length of a step in a lullaby and in hard techno, in the top section, seconds. */
const STEP_SECONDS = { calm: 2.2, wild: 0.42 };
/** Share of its light that a fixture loses between two steps: for a lullaby, and what hard techno adds. */
const HIT = { calm: 0.15, wild: 0.5 };
/** Factor on the step length below the top, by rank. */
const SLOWER = [6, 4, 3, 1.5, 1] as const;
/** Crossfade between fixtures in driven songs, and shortest crossfade that does not look like a hit, seconds. */
const GLIDE_SECONDS = { crisp: 0.05, soft: 0.6 };
/** Drive from which crossfades are crisp. */
const CRISP_FROM = 0.35;
/** Most hits per second and fixture in a pattern. Below the limiter's three, so that the limiter never acts. */
const MOST_HITS_PER_SECOND = 2.8;

/** Longest cycle, bars. A slower one looks like a series of looks, not a pattern. */
const LONGEST_CYCLE_BARS = 2;
/** Longest cycle of a pattern that grows, bars. Beyond that, bars of different brightness look like different looks. */
const LONGEST_GROWTH_BARS = 1;

/** Returns the speed of a pattern in a section: whole beats, slow in calm songs. */
export function rhythmOf(
  { form, section, mood }: LookContext,
  { cycle, grows }: Pick<Pattern, "cycle" | "grows">,
  direction: 1 | -1,
): Rhythm {
  const beat = 60 / form.bpm;
  const wanted = (STEP_SECONDS.calm + (STEP_SECONDS.wild - STEP_SECONDS.calm) * mood.drive) * SLOWER[section.rank];
  const steps = form.isLoose ? [1, 2, 4].map((bars) => bars * form.beatsPerBar) : stepsIn(form.beatsPerBar);
  const slow = steps.filter((step) => step * beat * MOST_HITS_PER_SECOND >= 1);
  const longest = (grows ? LONGEST_GROWTH_BARS : LONGEST_CYCLE_BARS) * form.beatsPerBar;
  const inTime = slow.filter((step) => step * cycle <= longest);
  const allowed = inTime.length > 0 ? inTime : slow.slice(0, 1);
  const step = allowed.reduce((best, one) => (farFrom(one * beat, wanted) < farFrom(best * beat, wanted) ? one : best));
  return {
    step,
    glide: glideOf(step * beat, form.isLoose ? 0 : mood.drive),
    hit: form.isLoose ? 0 : HIT.calm + HIT.wild * mood.drive,
    direction,
    beatsPerBar: form.beatsPerBar,
    fastest: slow[0]!,
  };
}

/** Returns the crossfade as a share of a step: short enough to be on the beat, or too long to be a hit. */
function glideOf(stepSeconds: number, drive: number): number {
  if (drive >= CRISP_FROM) return Math.min(0.5, GLIDE_SECONDS.crisp / stepSeconds);
  return Math.min(0.9, Math.max(0.5, GLIDE_SECONDS.soft / stepSeconds));
}

const farFrom = (seconds: number, wanted: number): number => Math.abs(Math.log(seconds / wanted));

/** Returns the steps that line up with the bar: a beat, half a bar, a bar and several bars. */
function stepsIn(beatsPerBar: number): number[] {
  const inside = beatsPerBar % 2 === 0 ? [1, beatsPerBar / 2] : [1];
  return [...inside, beatsPerBar, 2 * beatsPerBar, 4 * beatsPerBar];
}
