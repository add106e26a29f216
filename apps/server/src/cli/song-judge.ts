import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LightingPlan, SongAnalysis } from "@followspot/contract";
import {
  baseline,
  BASELINES,
  compareShows,
  compileShow,
  describeShow,
  drawEvening,
  drawShow,
  judgePlan,
  judgePlanOn,
  judgeSource,
  REFERENCE_RIGS,
  sourceOf,
  stageOf,
  truthOfAnalysis,
  wilson,
  type Stage,
  type Verdict,
} from "@followspot/lighting";
import { readAnalysis, readPlan, readRig } from "./show-files.ts";
import { songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- judge PLAN HYBRID [PLAN HYBRID ...] [--songs DIR] [--rig RIG] [--picture OUT.svg]

Renders plans and prints what they measure as JSON, each on the three reference rigs.
PLAN     lighting.json      HYBRID   hybrid.json of the same song
One song:     {"passed", "words": [...], "baselines": {...}, "rigs": [{"name", "gates", "lively", "measures"}]}
Several:      {"passed", "won": {"follower": {"won", "of", "low", "high"}, ...}, "songs": [...]}, won on the rig asked for
--songs DIR   every folder in DIR that holds a lighting.json and a hybrid.json, in order of their names
--rig RIG     rig.json or pars:N for comparisons and pictures; the reference club of 12 lamps
--picture     an SVG: time and lamps of one song; of several, the evening on one page
Exit code 0 whatever the verdict is.`;

interface Pair {
  readonly name: string;
  readonly plan: LightingPlan;
  readonly analysis: SongAnalysis;
}

/** Measure plans against their songs; see HELP. */
export const songJudge = songVerb(
  HELP,
  {
    songs: { type: "string" },
    rig: { type: "string" },
    picture: { type: "string" },
  },
  async ({ values, paths }) => {
    const files = [...pairsOf(paths), ...(values.songs === undefined ? [] : foldersIn(values.songs))];
    if (files.length === 0 || paths.length % 2 !== 0) throw new WrongUse();
    const stage = values.rig ? stageOf(values.rig, readRig(values.rig)) : stageOf(CLUB.name, CLUB.rig);
    const pairs = files.map(([plan, hybrid]): Pair => ({
      name: basename(dirname(plan)),
      plan: readPlan(plan),
      analysis: readAnalysis(hybrid),
    }));
    const songs = pairs.map((pair, i) => judgeSong(pair, pairs[i - 1], stage));
    if (values.picture) writeFileSync(values.picture, draw(pairs, stage));
    const answer = songs.length === 1 ? songs[0]! : summary(songs);
    process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
  },
);

const CLUB = REFERENCE_RIGS[1]!;

function pairsOf(paths: readonly string[]): [string, string][] {
  return Array.from({ length: Math.floor(paths.length / 2) }, (_, i) => [paths[2 * i]!, paths[2 * i + 1]!]);
}

function foldersIn(dir: string): [string, string][] {
  return readdirSync(dir)
    .toSorted()
    .map((name): [string, string] => [join(dir, name, "lighting.json"), join(dir, name, "hybrid.json")])
    .filter((files) => files.every((file) => existsSync(file)));
}

function judgeSong({ name, plan, analysis }: Pair, before: Pair | undefined, stage: Stage) {
  const verdict: Verdict = judgePlan(plan, analysis);
  const failed = verdict.rigs.flatMap((rig) =>
    rig.gates.filter((gate) => !gate.passed).map((gate) => `${rig.name}: ${gate.id} ${gate.name}`),
  );
  console.error(`${name ? `${name}: ` : ""}${verdict.passed ? "all gates passed" : `failed: ${failed.join("; ")}`}`);
  const truth = truthOfAnalysis(analysis);
  const own = judgePlanOn(plan, truth, stage).verdict;
  const baselines = BASELINES.map((rival) => {
    const theirs = judgeSource(baseline(rival, stage, analysis), truth, stage).verdict;
    return [rival, compareShows(own.measures, theirs.measures)] as const;
  });
  const words = describeShow(plan, analysis, before?.plan);
  return {
    song: plan.song_id,
    passed: verdict.passed,
    words,
    baselines: Object.fromEntries(baselines),
    rigs: verdict.rigs,
  };
}

function summary(songs: readonly ReturnType<typeof judgeSong>[]) {
  const won = BASELINES.map((rival) => {
    const count = songs.filter((song) => song.baselines[rival]?.isWon).length;
    const { low, high } = wilson(count, songs.length);
    return [rival, { won: count, of: songs.length, low: round(low), high: round(high) }] as const;
  });
  for (const [rival, { won: count, of, low, high }] of won)
    console.error(`beats ${rival}: ${count} of ${of} (${low}-${high})`);
  return { passed: songs.every((song) => song.passed), won: Object.fromEntries(won), songs };
}

function draw(pairs: readonly Pair[], stage: Stage): string {
  const drawn = pairs.map(({ name, plan, analysis }) => ({
    title: name || plan.song_id,
    source: sourceOf(compileShow(plan, stage.rig)),
    truth: truthOfAnalysis(analysis),
  }));
  const [first] = drawn;
  if (drawn.length > 1 || !first) return drawEvening(drawn, stage);
  return drawShow(first.source, first.truth, stage, `${first.title}, ${stage.name}`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
