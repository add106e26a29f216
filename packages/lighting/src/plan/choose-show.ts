import type { LightingPlan, ShowWishes, SongAnalysis } from "@followspot/contract";
import { FAMILIES, VOTES } from "../judge/compare.ts";
import { judgePlanOn, type RigVerdict } from "../judge/judge-plan.ts";
import type { Measure } from "../judge/measure.ts";
import { stageOf } from "../judge/stage.ts";
import { truthOfAnalysis } from "../judge/truth.ts";
import { describeShow } from "../judge/words.ts";
import { clamp, mean } from "../maths.ts";
import { hashOf } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { nameOfHue } from "./palette.ts";
import { draftShow, withSafety, type PlanOptions } from "./plan-show.ts";

/** The rig shows are compared on: a club's twelve lamps. */
const { name: RIG_NAME, rig: RIG } = REFERENCE_RIGS[1]!;
/** Shows that are tried for a song, and how many others a person is offered. */
const CANDIDATES = 8;
const RUNNERS_UP = 2;

export type ChooseOptions = Omit<PlanOptions, "seed" | "mood" | "sectionSeeds" | "kept"> & {
  readonly wishes: ShowWishes;
};

/**
 * Plan a song several times, measure each show, and take the best; with a wished seed, that one alone is measured.
 * Deterministic: the same song, options and wishes give the same choice.
 */
export function chooseShow(analysis: SongAnalysis, { wishes, ...options }: ChooseOptions): LightingPlan {
  const truth = truthOfAnalysis(analysis);
  const stage = stageOf(RIG_NAME, RIG);
  const shows = seedsFor(analysis.song_id, wishes.seed).map((seed) => {
    const plan = draftShow(analysis, {
      ...options,
      seed,
      mood: wishes.mood ?? undefined,
      sectionSeeds: wishes.section_seeds,
      kept: wishes.kept,
    });
    return { seed, plan, score: scoreOf(judgePlanOn(plan, truth, stage).verdict) };
  });
  const ranked = shows.toSorted((a, b) => b.score - a.score);
  const best = ranked.find(({ seed }) => seed === wishes.seed) ?? ranked[0]!;
  const others = ranked.filter((show) => show !== best).slice(0, RUNNERS_UP);
  return {
    ...withSafety(best.plan),
    choice: {
      tried: shows.length,
      remarks: describeShow(best.plan, analysis).map(({ text, ok }) => ({ text, isGood: ok })),
      runners_up: others.map(({ seed, plan }) => ({ seed, differs: differencesOf(plan, best.plan) })),
    },
  };
}

/** A wished seed that is not among the song's own is tried as well. */
function seedsFor(songId: string, wished: number): number[] {
  const seeds = seedsOfSong(songId);
  return wished === 0 || seeds.includes(wished) ? seeds : [wished, ...seeds.slice(1)];
}

/** The seeds of the shows that are tried for a song. Never 0: that wish means "the best". */
export function seedsOfSong(songId: string): number[] {
  return Array.from({ length: CANDIDATES }, (_, i) => Math.max(1, hashOf(songId, "candidate", i)));
}

const FAILED_GATE = -10;

/** Gates count before everything else, then how near the measures of each family are to their bands, 0..1 per family. */
function scoreOf({ gates, lively, measures }: RigVerdict): number {
  const families = FAMILIES.map((family) => {
    const ids = new Set(VOTES.filter((vote) => vote.family === family).map(({ id }) => id));
    return measures.flatMap((one) => (ids.has(one.id) && one.value !== undefined ? [nearness(one)] : []));
  });
  const failed = gates.filter((gate) => !gate.passed).length;
  const dull = lively.map((one) => (one.value === undefined ? 1 : nearness(one)));
  return failed * FAILED_GATE + families.reduce((sum, values) => sum + mean(values), 0) + mean(dull);
}

/** 1 inside the band, less with the distance from it. */
function nearness({ value = 0, low, high }: Measure): number {
  const outside = Math.max(0, low - value, value - high);
  return 1 - clamp(outside / Math.max(1e-6, Math.abs(value < low ? low : high)));
}

/** What somebody would see to be different, at most three things. */
function differencesOf(plan: LightingPlan, other: LightingPlan): string[] {
  const words: string[] = [];
  const [hue, otherHue] = [plan, other].map(({ palette }) => nameOfHue(palette[0]!));
  if (hue !== otherHue) words.push(`${hue} instead of ${otherHue}`);
  else if (plan.scheme !== other.scheme) words.push(`${plan.scheme} colours`);
  for (const [label, name] of [
    ["chorus", "choruses"],
    ["drop", "drops"],
    ["verse", "verses"],
  ] as const) {
    const [own, its] = [plan, other].map((one) => patternOf(one, label));
    if (own && own !== its && words.length < 3) words.push(`${name}: ${own}`);
  }
  return words.length > 0 ? words : ["other details"];
}

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
