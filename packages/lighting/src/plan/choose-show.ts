import type { LightingPlan, ShowRemark, ShowWishes, SongAnalysis } from "@followspot/contract";
import { judgePlan } from "../judge/judge-plan.ts";
import { hashOf } from "../random.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { nameOfHue } from "./palette.ts";
import { planShow, type PlanOptions } from "./plan-show.ts";

/** The rig shows are compared on: the middle one. */
const JUDGED_ON = REFERENCE_RIGS[1]!;
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
  const shows = seedsFor(analysis.song_id).map((seed) => {
    const plan = planShow(analysis, {
      ...options,
      seed,
      mood: wishes.mood ?? undefined,
      sectionSeeds: wishes.section_seeds,
      kept: wishes.kept,
    });
    return { seed, plan, ...measure(plan, analysis) };
  });
  const ranked = shows.toSorted((a, b) => b.score - a.score);
  const best = ranked.find(({ seed }) => seed === wishes.seed) ?? ranked[0]!;
  const others = ranked.filter((show) => show !== best).slice(0, RUNNERS_UP);
  return {
    ...best.plan,
    choice: {
      tried: shows.length,
      remarks: best.remarks,
      runners_up: others.map(({ seed, plan }) => ({ seed, differs: differencesOf(plan, best.plan) })),
    },
  };
}

/** Never 0: that wish means "the best". */
function seedsFor(songId: string): number[] {
  return Array.from({ length: CANDIDATES }, (_, i) => Math.max(1, hashOf(songId, "candidate", i)));
}

interface Measured {
  /** Gates count before everything else; then measures inside their bands. */
  readonly score: number;
  readonly remarks: ShowRemark[];
}

const FAILED_GATE = -100;

function measure(plan: LightingPlan, analysis: SongAnalysis): Measured {
  const verdict = judgePlan(plan, analysis, [JUDGED_ON]);
  const { gates, measures } = verdict.rigs[0]!;
  const failed = gates.filter((gate) => !gate.passed);
  const inBand = measures.filter((one) => one.passed).length;
  return {
    score: failed.length * FAILED_GATE + inBand,
    remarks: [...failed, ...measures]
      .filter((one) => one.value !== undefined)
      .map((one) => ({ text: `${one.name} ${one.value}`, isGood: one.passed })),
  };
}

/** What somebody would see to be different, at most three things. */
function differencesOf(plan: LightingPlan, other: LightingPlan): string[] {
  const words: string[] = [];
  const [hue, otherHue] = [plan, other].map(({ palette }) => nameOfHue(palette[0]!));
  if (hue !== otherHue) words.push(`${hue} instead of ${otherHue}`);
  else if (plan.scheme !== other.scheme) words.push(`${plan.scheme} colours`);
  for (const label of ["chorus", "drop", "verse"]) {
    const [own, its] = [plan, other].map((one) => patternOf(one, label));
    if (own && own !== its && words.length < 3) words.push(`${label}s: ${own}`);
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
