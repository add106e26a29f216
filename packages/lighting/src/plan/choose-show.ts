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

/** The rig shows are looked at on: a club's twelve lamps. */
const { name: RIG_NAME, rig: RIG } = REFERENCE_RIGS[1]!;
/** Shows that are tried for a song at the most, and how many others a person is offered. */
const CANDIDATES = 8;
const RUNNERS_UP = 2;

export type ChooseOptions = Omit<PlanOptions, "seed" | "mood" | "sectionSeeds" | "kept"> & {
  readonly wishes: ShowWishes;
};

/**
 * Plan a song's show: the first of its seeds whose show passes every gate and is lively, or of eight the one that misses
 * least. With a wished seed that one alone is planned. Two others are offered. What is asked of a show here is safety and what
 * the eye wants; how well it shows the form is not, since nothing here knows the song better than the planner does.
 *
 * Deterministic: the same song, options and wishes give the same choice.
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

/** The seeds of the shows that are tried for a song, in order. Never 0: that wish means "the best". */
export function seedsOfSong(songId: string): number[] {
  return Array.from({ length: CANDIDATES }, (_, i) => Math.max(1, hashOf(songId, "candidate", i)));
}

/** What a failed gate weighs beside a show that misses what is lively by all of it. */
const GATE_WEIGHT = 10;

/** 0 for a show that passes everything; a failed gate counts before all that is dull. */
function missedBy({ gates, lively }: RigVerdict): number {
  const failed = gates.filter((gate) => !gate.passed).length;
  const dull = lively.reduce((sum, one) => sum + outside(one), 0);
  return GATE_WEIGHT * failed + dull;
}

/** How far a measure lies outside its band, 0..1. */
function outside({ value, low, high }: Measure): number {
  if (value === undefined) return 0;
  return clamp(Math.max(0, low - value, value - high) / Math.max(1e-6, Math.abs(value < low ? low : high)));
}

const nameOfBase = (hex: string): string => (hasHue(hex) ? hueName(oklchOfHex(hex).h) : "white");

/** Differences a viewer would see, at most three. */
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

/** How lamps move, by their pattern. */
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

/** The pattern the pars go through for most of a label, as a word. */
function patternOf(plan: LightingPlan, label: string): string | undefined {
  const seconds = new Map<string, number>();
  for (const cue of plan.event_lanes["role:par"] ?? []) {
    if (cue.section !== label) continue;
    const name = cue.intent.replace(/_(chase|wave|pulse)$/, "").replaceAll("_", " ");
    seconds.set(name, (seconds.get(name) ?? 0) + cue.duration);
  }
  return [...seconds].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
