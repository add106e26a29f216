import type { LightingPlan, Rig, SongAnalysis } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { caseOf, type Case } from "./case.ts";
import { dynamicsMeasures } from "./dynamics.ts";
import { eventMeasures } from "./events.ts";
import { formMeasures } from "./form.ts";
import { dullnessGates, gateMeasures } from "./gates.ts";
import { recordLight, type LightRecord } from "./light-record.ts";
import type { Measure } from "./measure.ts";
import { sourceOf, stageOf, type LightSource, type Stage } from "./stage.ts";
import { tasteMeasures } from "./taste.ts";
import { truthOfAnalysis, type SongTruth } from "./truth.ts";

export interface RigVerdict {
  readonly name: string;
  /** All must pass. */
  readonly gates: readonly Measure[];
  /** What tells a lively show from a dull one: a show that fails these is safe, but nobody would watch it. */
  readonly lively: readonly Measure[];
  /** Bands to aim for; never weighed into one number. */
  readonly measures: readonly Measure[];
}

export interface Verdict {
  readonly passed: boolean;
  readonly rigs: readonly RigVerdict[];
}

/** Measure a plan against its song on the reference rigs (or others), from rendered light alone. */
export function judgePlan(
  plan: LightingPlan,
  analysis: SongAnalysis,
  rigs: readonly { readonly name: string; readonly rig: Rig }[] = REFERENCE_RIGS,
): Verdict {
  const truth = truthOfAnalysis(analysis);
  const verdicts = rigs.map(({ name, rig }) => judgePlanOn(plan, truth, stageOf(name, rig)).verdict);
  return { passed: verdicts.every((verdict) => verdict.gates.every((gate) => gate.passed)), rigs: verdicts };
}

/** A verdict and the light it is about. */
export interface Judged {
  readonly verdict: RigVerdict;
  readonly light: LightRecord;
}

/** Measure a plan on one stage against what is true of its song. */
export function judgePlanOn(plan: LightingPlan, truth: SongTruth, stage: Stage): Judged {
  const show = compileShow(plan, stage.rig);
  const light = recordLight(sourceOf(show), stage, truth.duration);
  const made = { plan, mostFlashes: show.mostFlashes, limitedShare: show.limitedShare };
  return { verdict: verdictOf(caseOf(truth, light, made)), light };
}

/** Measure any light on a stage against what is true of a song; gates about cues do not apply. */
export function judgeSource(source: LightSource, truth: SongTruth, stage: Stage): Judged {
  const light = recordLight(source, stage, truth.duration);
  return { verdict: verdictOf(caseOf(truth, light)), light };
}

function verdictOf(c: Case): RigVerdict {
  const measures = [...formMeasures(c), ...dynamicsMeasures(c), ...eventMeasures(c), ...tasteMeasures(c)];
  return { name: c.light.stage.name, gates: gateMeasures(c), lively: dullnessGates(measures), measures };
}
