import type { ChaseShape } from "../../chase-shapes.ts";
import type { LookContext } from "../vocabulary/look-context.ts";

/** How fast and how hard a pattern goes. */
export interface Rhythm {
  /** Beats per step. */
  readonly step: number;
  /** Part of a step in which lamps hand over, 0..1. */
  readonly glide: number;
  /** Part of its light a lamp loses between two steps, 0..1. */
  readonly hit: number;
  readonly direction: 1 | -1;
  readonly beatsPerBar: number;
  /** Beats between hits that come as often as they may: one, or a half or whole bar. */
  readonly fastest: number;
}

/** A way for several lamps to move together, whatever their number. */
export interface Pattern {
  readonly name: string;
  /** For reasons: "left and right take turns". */
  readonly says: string;
  /** Part of the lamps that is lit at a time, on average: by it two patterns can be made equally bright. */
  readonly share: number;
  /** Steps until it begins again. */
  readonly cycle: number;
  /** More lamps are lit with each step. */
  readonly grows?: boolean;
  /** Light goes from side to side, so that eight lamps in a row are seen to move. */
  readonly travels: boolean;
  /** It does not go in steps of the beat. */
  readonly isOwnRhythm?: boolean;
  readonly intent: string;
  readonly params: (rhythm: Rhythm) => Record<string, number | string>;
}

/** A pattern that is a chase of one shape. */
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

/** Seconds a step takes in a lullaby and in hard techno, in the top section. */
const STEP_SECONDS = { calm: 2.2, wild: 0.42 };
/** Part of its light a lamp loses between two steps, for a lullaby and what hard techno adds. */
const HIT = { calm: 0.15, wild: 0.5 };
/** Slower below the top, by rank. */
const SLOWER = [6, 4, 3, 1.5, 1] as const;
/** How long lamps hand over in songs that are driven, and the shortest hand-over that is not seen as a hit, seconds. */
const GLIDE_SECONDS = { crisp: 0.05, soft: 0.6 };
/** Songs from this drive on are crisp. */
const CRISP_FROM = 0.35;
/** Hits per second of one lamp a pattern may ask for; below the limiter's three, so that it never has to act. */
const MOST_HITS_PER_SECOND = 2.8;

/** A slower cycle is not seen as a pattern but as one look after the other. */
const LONGEST_CYCLE_BARS = 2;
/** Bars of one pattern that are not as bright as each other are two looks. */
const LONGEST_GROWTH_BARS = 1;

/** How a pattern goes in a section of this song: in whole beats, slow where the song is calm. */
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

/** Part of a step: short enough to be on the beat, or so long that it is no hit at all. */
function glideOf(stepSeconds: number, drive: number): number {
  if (drive >= CRISP_FROM) return Math.min(0.5, GLIDE_SECONDS.crisp / stepSeconds);
  return Math.min(0.9, Math.max(0.5, GLIDE_SECONDS.soft / stepSeconds));
}

const farFrom = (seconds: number, wanted: number): number => Math.abs(Math.log(seconds / wanted));

/** Steps that fall together with the bar: ones, halves and wholes of it, and several bars. */
function stepsIn(beatsPerBar: number): number[] {
  const inside = beatsPerBar % 2 === 0 ? [1, beatsPerBar / 2] : [1];
  return [...inside, beatsPerBar, 2 * beatsPerBar, 4 * beatsPerBar];
}
