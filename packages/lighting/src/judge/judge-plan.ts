import type { LightingPlan, Rig, SongAnalysis } from "@followspot/contract";
import { compileShow } from "../compile-show.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { caseOf, type Case } from "./case.ts";
import { recordLight, type LightRecord } from "./light-record.ts";
import { measureCase, type Measured } from "./measure-case.ts";
import { sourceOf, stageOf, type LightSource, type Stage } from "./stage.ts";
import { barLines, truthOfAnalysis, type SongTruth } from "./truth.ts";

export interface RigVerdict extends Measured {
  readonly name: string;
}

export interface Verdict {
  readonly passed: boolean;
  readonly rigs: readonly RigVerdict[];
}

/** Judges a plan against its song on the reference rigs (or others), from rendered light alone. */
export function judgePlan(
  plan: LightingPlan,
  analysis: SongAnalysis,
  rigs: readonly { readonly name: string; readonly rig: Rig }[] = REFERENCE_RIGS,
): Verdict {
  const truth = truthOfAnalysis(analysis);
  const verdicts = rigs.map(({ name, rig }) => judgePlanOn(plan, truth, stageOf(name, rig)).verdict);
  return { passed: verdicts.every((verdict) => verdict.gates.every((gate) => gate.passed)), rigs: verdicts };
}

/** A verdict and the light that it judges. */
export interface Judged {
  readonly verdict: RigVerdict;
  readonly light: LightRecord;
}

/** Judges a plan on one stage against the truth of its song. */
export function judgePlanOn(plan: LightingPlan, truth: SongTruth, stage: Stage): Judged {
  const show = compileShow(plan, stage.rig);
  const light = recordLight(sourceOf(show), stage, truth.duration, barLines(truth));
  const made = { plan, mostFlashes: show.mostFlashes, limitedShare: show.limitedShare };
  return { verdict: verdictOf(caseOf(truth, light, made)), light };
}

/** Judges any light on a stage against the truth of a song. Gates about cues do not apply. */
export function judgeSource(source: LightSource, truth: SongTruth, stage: Stage): Judged {
  const light = recordLight(source, stage, truth.duration, barLines(truth));
  return { verdict: verdictOf(caseOf(truth, light)), light };
}

function verdictOf(c: Case): RigVerdict {
  return { name: c.light.stage.name, ...measureCase(c) };
}
