import type { LightingPlan, ShowWishes, SongAnalysis } from "@followspot/contract";
import { judgePlanOn, type RigVerdict } from "../judge/judge-plan.ts";
import type { Measure } from "../judge/measure.ts";
import { stageOf } from "../judge/stage.ts";
import { truthOfAnalysis } from "../judge/truth.ts";
import { describeShow, hueName } from "../judge/words.ts";
import { oklchOfHex } from "../color.ts";
import { clamp } from "../maths.ts";
import { hasHue } from "../palettes/harmony.ts";
import { hashOf } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { draftShow, withSafety, type PlanOptions } from "./plan-show.ts";

/** Rig on which candidate shows are judged: a club stage with 12 fixtures. */
const { name: RIG_NAME, rig: RIG } = REFERENCE_RIGS[1]!;
/** Most shows tried per song, and number of alternatives offered to the user. */
const CANDIDATES = 8;
const RUNNERS_UP = 2;

export type ChooseOptions = Omit<PlanOptions, "seed" | "mood" | "sectionSeeds" | "kept"> & {
  readonly wishes: ShowWishes;
};

/**
 * Plans a song's show. Takes the first of the song's seeds whose show passes every gate and is lively; otherwise the
 * one of eight that misses least. If the user set a seed, only that one is planned. Two alternatives are offered. Shows
 * are judged on safety and visual interest only. How well they show the form is not judged, because there is no better
 * reference than the planner's own analysis.
 * Deterministic: the same song, options and settings give the same choice.
 */
export function chooseShow(analysis: SongAnalysis, { wishes, ...options }: ChooseOptions): LightingPlan {
  const draft = (seed: number) =>
    draftShow(analysis, {
      ...options,
      seed,
      mood: wishes.mood ?? undefined,
      sectionSeeds: wishes.section_seeds,
      kept: wishes.kept,
    });
  const seeds = seedsOfSong(analysis.song_id);
  const { plan, tried } =
    wishes.seed === 0 ? firstThatPasses(seeds, draft, analysis) : { plan: draft(wishes.seed), tried: 1 };
  const others = seeds.filter((seed) => seed !== plan.seed).slice(0, RUNNERS_UP);
  return {
    ...withSafety(plan),
    choice: {
      tried,
      remarks: [
        ...describeShow(plan, analysis).map(({ text, ok }) => ({ text, isGood: ok })),
        ...(plan.palette_reason === undefined ? [] : [{ text: `Colours: ${plan.palette_reason}`, isGood: true }]),
      ],
      runners_up: others.map((seed) => ({ seed, differs: differencesOf(draft(seed), plan) })),
    },
  };
}

function firstThatPasses(
  seeds: readonly number[],
  draft: (seed: number) => LightingPlan,
  analysis: SongAnalysis,
): { readonly plan: LightingPlan; readonly tried: number } {
  const truth = truthOfAnalysis(analysis);
  const stage = stageOf(RIG_NAME, RIG);
  let best: { readonly plan: LightingPlan; readonly missed: number } | undefined;
  for (const [i, seed] of seeds.entries()) {
    const plan = draft(seed);
    const missed = missedBy(judgePlanOn(plan, truth, stage).verdict);
    if (missed === 0) return { plan, tried: i + 1 };
    if (!best || missed < best.missed) best = { plan, missed };
  }
  return { plan: best!.plan, tried: seeds.length };
}

/**
 * Returns the seeds of a song's candidate shows, in order. Never 0, which stands for "the best" in the show settings.
 */
export function seedsOfSong(songId: string): number[] {
  return Array.from({ length: CANDIDATES }, (_, i) => Math.max(1, hashOf(songId, "candidate", i)));
}

/** Weight of a failed gate, relative to a show that misses the lively band of a measure completely. */
const GATE_WEIGHT = 10;

/** Returns how much a show misses; 0 if it passes everything. A failed gate outweighs any dullness. */
function missedBy({ gates, lively }: RigVerdict): number {
  const failed = gates.filter((gate) => !gate.passed).length;
  const dull = lively.reduce((sum, one) => sum + outside(one), 0);
  return GATE_WEIGHT * failed + dull;
}

/** Returns how far a measure lies outside its band, 0..1. */
function outside({ value, low, high }: Measure): number {
  if (value === undefined) return 0;
  return clamp(Math.max(0, low - value, value - high) / Math.max(1e-6, Math.abs(value < low ? low : high)));
}

const nameOfBase = (hex: string): string => (hasHue(hex) ? hueName(oklchOfHex(hex).h) : "white");

/** Returns at most three differences that a viewer would see. */
function differencesOf(plan: LightingPlan, other: LightingPlan): string[] {
  const words: string[] = [];
  const [hue, otherHue] = [plan, other].map(({ palette }) => nameOfBase(palette[0]!));
  if (hue !== otherHue) words.push(`${hue} instead of ${otherHue}`);
  else if (plan.scheme !== other.scheme) words.push(`${plan.scheme} colours`);
  for (const [label, name] of [
    ["chorus", "choruses"],
    ["drop", "drops"],
    ["verse", "verses"],
  ] as const) {
    const [own, its] = [plan, other].map((one) => patternOf(one, label));
    if (own && own !== its && words.length < 3) words.push(MOVES[own] ? `${name} ${MOVES[own]}` : `${name}: ${own}`);
  }
  return words.length > 0 ? words : ["other details"];
}

/** Description of the movement per pattern. */
const MOVES: Readonly<Record<string, string>> = {
  sides: "from the sides",
  pairs: "in pairs",
  mirror: "mirrored",
  fill: "filling up lamp by lamp",
  alternate: "taking turns",
  march: "marching",
  sweep: "sweeping",
  ripple: "rippling",
  unison: "all together",
  backbeat: "on the backbeat",
  beat: "on every beat",
  drum: "with the drums",
  slow: "in slow waves",
  soft: "in soft waves",
  breathing: "breathing",
  "slow breathing": "breathing slowly",
};

/** Returns the pattern that the pars play for most of a label's time. */
function patternOf(plan: LightingPlan, label: string): string | undefined {
  const seconds = new Map<string, number>();
  for (const cue of plan.event_lanes["role:par"] ?? []) {
    if (cue.section !== label) continue;
    const name = cue.intent.replace(/_(chase|wave|pulse)$/, "").replaceAll("_", " ");
    seconds.set(name, (seconds.get(name) ?? 0) + cue.duration);
  }
  return [...seconds].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
