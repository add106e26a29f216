import { writeFileSync } from "node:fs";
import { readRig, readShows, type HeardShow } from "../../apps/server/src/cli/show-files.ts";
import { songVerb } from "../../apps/server/src/cli/song-verb.ts";
import {
  compileShow,
  judgePlanOn,
  judgeSource,
  REFERENCE_RIGS,
  sourceOf,
  stageOf,
  truthOfAnalysis,
  type Stage,
} from "../../packages/lighting/src/index.ts";
import { baseline, BASELINES } from "../../packages/lighting/src/testing/baselines.ts";
import { compareShows, wilson } from "../../packages/lighting/src/testing/compare-shows.ts";
import { drawEvening, drawShow } from "./picture.ts";

const HELP = `npm run bench:rivals -- [PLAN HYBRID ...] [--songs DIR] [--rig RIG] [--picture OUT.svg]

Compares plans with ways to light their songs that need no planner, and prints the outcome as JSON:
{"won": {"follower": {"won", "of", "low", "high"}, ...}, "songs": [{"song", "baselines"}]}
PLAN     lighting.json      HYBRID   hybrid.json of the same song
--songs DIR   every folder in DIR that holds a plan and a hybrid.json, as in songs/ of the data folder, in order of their
              names; of several plans the one with the highest number
--rig RIG     rig.json or pars:N; the reference club of 12 lamps
--picture     an SVG: time and lamps of one song; of several, the evening on one page`;

const CLUB = REFERENCE_RIGS[1]!;

const compareWithRivals = songVerb(
  HELP,
  {
    songs: { type: "string" },
    rig: { type: "string" },
    picture: { type: "string" },
  },
  async ({ values, paths }) => {
    const stage = values.rig ? stageOf(values.rig, readRig(values.rig)) : stageOf(CLUB.name, CLUB.rig);
    const shows = readShows(paths, values.songs);
    const songs = shows.map((show) => compareSong(show, stage));
    if (values.picture) writeFileSync(values.picture, draw(shows, stage));
    process.stdout.write(`${JSON.stringify({ won: countWon(songs), songs }, undefined, 2)}\n`);
  },
);
process.exitCode = await compareWithRivals(process.argv.slice(2));

function compareSong({ plan, analysis }: HeardShow, stage: Stage) {
  const truth = truthOfAnalysis(analysis);
  const own = judgePlanOn(plan, truth, stage).verdict;
  const baselines = BASELINES.map((rival) => {
    const theirs = judgeSource(baseline(rival, stage, analysis), truth, stage).verdict;
    return [rival, compareShows(own.measures, theirs.measures)] as const;
  });
  return { song: plan.song_id, baselines: Object.fromEntries(baselines) };
}

function countWon(songs: readonly ReturnType<typeof compareSong>[]) {
  const counts = BASELINES.map((rival) => {
    const won = songs.filter((song) => song.baselines[rival]?.isWon).length;
    const { low, high } = wilson(won, songs.length);
    return [rival, { won, of: songs.length, low: round(low), high: round(high) }] as const;
  });
  return Object.fromEntries(counts);
}

function draw(shows: readonly HeardShow[], stage: Stage): string {
  const drawn = shows.map(({ name, plan, analysis }) => ({
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
