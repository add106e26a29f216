import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import { hueDistance, oklchOfHex } from "../color.ts";
import { compileShow } from "../compile-show.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { caseOf, type Case } from "./case.ts";
import { peakSections } from "./dynamics.ts";
import { dropResponse, hitLatency } from "./events.ts";
import { recordLight } from "./light-record.ts";
import type { Measure } from "./measure.ts";
import { sourceOf, stageOf } from "./stage.ts";
import { measureCase } from "./measure-case.ts";
import { leadingHues } from "./taste.ts";
import { barLines, truthOfAnalysis } from "./truth.ts";

/** One statement about a show. */
export interface VerdictLine {
  /** Stable name: "form", "drops", "range"… or the ID of a gate that failed. */
  readonly id: string;
  /** A sentence for users. */
  readonly text: string;
  /** Value behind the statement, two digits. */
  readonly value: number;
  /** Whether this aspect of the show is good enough. */
  readonly ok: boolean;
}

/** Rig that the statements are about: a club stage with 12 fixtures. */
const WORDS_RIG = REFERENCE_RIGS[1]!;
/** Rise of light from which a drop counts as lit, and its largest delay, seconds. */
const LIT_DROP = 0.2;
const HIT_SECONDS = 0.06;
/** Distance below which base colors look the same, degrees. */
const SAME_HUE = 30;

/**
 * Describes the strengths and weaknesses of a show, given the analysis of its song. Failed gates come first, then a
 * fixed order. Deterministic; takes about 30 ms per minute of song.
 *
 * @param before plan of the previous song, to check whether the evening repeats itself
 */
export function describeShow(plan: LightingPlan, analysis: SongAnalysis, before?: LightingPlan): VerdictLine[] {
  const truth = truthOfAnalysis(analysis);
  const stage = stageOf(WORDS_RIG.name, WORDS_RIG.rig);
  const show = compileShow(plan, stage.rig);
  const light = recordLight(sourceOf(show), stage, truth.duration, barLines(truth));
  const c = caseOf(truth, light, { plan, mostFlashes: show.mostFlashes, limitedShare: show.limitedShare });
  const { gates, measures } = measureCase(c);
  const valueOf = (id: string) => measures.find((one) => one.id === id)?.value;
  const lines = gates.flatMap((gate) => (gate.passed ? [] : [gateLine(gate)]));
  const say = (id: string, value: number | undefined, ok: boolean, text: string) => {
    if (value !== undefined) lines.push({ id, text, value: Math.round(value * 100) / 100, ok });
  };

  const [edges, labels] = [valueOf("M6"), valueOf("M7")];
  const form = edges === undefined ? undefined : (edges + Math.max(0, labels ?? edges)) / 2;
  say(
    "form",
    form,
    (form ?? 0) >= 0.5,
    (form ?? 0) >= 0.5 ? "Sections look as different as they sound." : "Sections look alike.",
  );
  if (truth.drops.length > 0) {
    const met = truth.drops.filter((drop) => isLit(c, drop)).length;
    say("drops", met, met === truth.drops.length, `Drops ${met} of ${truth.drops.length}.`);
  }
  const range = valueOf("M10");
  const isWide = (range ?? 0) >= (truth.isFlat ? 0.25 : 0.45);
  say("range", range, isWide, `Contrast: ${isWide ? "good" : "small"}.`);
  const vivid = valueOf("E1");
  say("vivid", vivid, (vivid ?? 0) >= 0.85, `Colours ${percent(vivid)} of full in the loud parts.`);
  const bright = valueOf("E3");
  say("bright", bright, (bright ?? 0) >= 0.8, `Peaks reach ${percent(bright)}.`);
  const last = valueOf("R4");
  const name = peakSections(c).at(-1)?.label ?? "chorus";
  const peak = name === "chorus" || name === "drop" ? name : "loud part";
  say(
    "last",
    last,
    (last ?? 0) >= -0.02,
    (last ?? 0) >= -0.02 ? `The last ${peak} is the brightest.` : `An earlier ${peak} is brighter than the last.`,
  );
  const swing = valueOf("R5");
  say("swing", swing, (swing ?? 0) >= 0.3, `Light travels in ${percent(swing)} of the loudest bars.`);
  const same = valueOf("M17a");
  say("same", same, (same ?? 0) <= 60, `The longest time without a change is ${Math.round(same ?? 0)} s.`);
  const rest = valueOf("M17");
  const isRestless = (rest ?? 0) < 0.25;
  say("rest", rest, !isRestless && (rest ?? 0) <= 0.8, `The light rests ${percent(rest)} of the time.`);
  const looks = valueOf("M16");
  say("looks", looks, looks !== undefined && looks >= 4 && looks <= 12, `${looks} ${looks === 1 ? "look" : "looks"}.`);
  const hues = leadingHues({ light });
  say("colours", hues.length, hues.length > 0, `Colours: ${hues.map(hueName).join(" and ") || "white"}.`);
  if (before) {
    const isLike = isLikeBefore(plan, before);
    say(
      "evening",
      isLike ? 1 : 0,
      !isLike,
      isLike ? "Colours like the song before." : "Other colours than the song before.",
    );
  }
  return lines;
}

function gateLine({ id, name, value, low, high }: Measure): VerdictLine {
  const wanted = value! < low ? `at least ${low}` : `at most ${Math.round(high * 100) / 100}`;
  return { id, text: `Not as it must be: ${name} ${digits(value)}, ${wanted} wanted.`, value: value!, ok: false };
}

function isLit(c: Case, drop: number): boolean {
  return Math.abs(hitLatency(c, drop)) <= HIT_SECONDS && dropResponse(c, drop) >= LIT_DROP;
}

function isLikeBefore(plan: LightingPlan, before: LightingPlan): boolean {
  const [a, b] = [oklchOfHex(plan.palette[0]!), oklchOfHex(before.palette[0]!)];
  return hueDistance(a.h, b.h) < SAME_HUE;
}

const NAMES: readonly (readonly [to: number, name: string])[] = [
  [15, "pink"],
  [45, "red"],
  [75, "orange"],
  [120, "yellow"],
  [165, "green"],
  [210, "turquoise"],
  [250, "sky blue"],
  [285, "blue"],
  [315, "violet"],
  [345, "magenta"],
  [360, "pink"],
];

/** Returns the common name of an OKLCH hue. */
export function hueName(hue: number): string {
  return NAMES.find(([to]) => hue < to)?.[1] ?? "pink";
}

function digits(value: number | undefined): string {
  return (value ?? 0).toFixed(2);
}

function percent(share: number | undefined): string {
  return `${Math.round(100 * (share ?? 0))} %`;
}
