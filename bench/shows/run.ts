/**
 * `npm run bench:shows [-- options]`: plans shows for songs whose truth is known and judges them from their light, beside
 * ways to light a song that need no planner.
 *
 *   --songs N      so many songs; 48
 *   --seed S       another set of songs; 1
 *   --rigs A,B     of pars4, pars8, club, stage; all
 *   --truth        tell the planner the truth in place of what was heard
 *   --disturb      tell it the truth with 30 % of edges a bar or two off and 15 % of labels wrong
 *   --chosen       of each song the show the product stores, the best of several, in place of one seed's
 *   --per-song     a line per song
 *   --nulls        the own show shifted and another song's show as well
 *   --pictures DIR a picture per song and rig, and the evening on one page per rig
 *   --folder DIR   songs of a folder (index.json, audio/, truth/) in place of the made ones
 *   --json FILE    write everything measured
 *   --cache DIR    where heard songs and baselines are kept; bench/shows/.cache
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NO_WISHES, type LightingPlan, type SongAnalysis } from "../../packages/contract/src/index.ts";
import {
  chooseShow,
  compileShow,
  judgePlanOn,
  judgeSource,
  planShow,
  leadingHues,
  sourceOf,
  stageOf,
  truthOfKnown,
  type Measure,
  type RigVerdict,
  type SongTruth,
  type Stage,
} from "../../packages/lighting/src/index.ts";
import { baseline, BASELINES, shifted, stretched } from "../../packages/lighting/src/testing/baselines.ts";
import { compareShows } from "../../packages/lighting/src/testing/compare-shows.ts";
import { hear, jittered, type Hearing } from "./hear.ts";
import {
  cuesThatDiffer,
  printCalmness,
  printFormBesideTable,
  printMeasures,
  printSchemes,
  printSongs,
  printSteadiness,
  printWins,
  type ShowRow,
} from "./board.ts";
import { drawEvening, drawShow } from "./picture.ts";
import { RIGS } from "./rigs.ts";
import { hearFolder, makeSongs, type BenchSong } from "./songs.ts";

const { values } = parseArgs({
  options: {
    songs: { type: "string", default: "48" },
    seed: { type: "string", default: "1" },
    rigs: { type: "string", default: Object.keys(RIGS).join(",") },
    truth: { type: "boolean", default: false },
    disturb: { type: "boolean", default: false },
    heard: { type: "boolean", default: false },
    chosen: { type: "boolean", default: false },
    "per-song": { type: "boolean", default: false },
    nulls: { type: "boolean", default: false },
    pictures: { type: "string" },
    folder: { type: "string" },
    json: { type: "string" },
    cache: { type: "string", default: fileURLToPath(new URL(".cache", import.meta.url)) },
  },
});

const started = performance.now();
const hearing: Hearing = values.truth ? "truth" : values.disturb ? "disturb" : "heard";
const stages = values.rigs.split(",").map((name) => {
  const rig = RIGS[name];
  if (!rig) throw new Error(`--rigs knows ${Object.keys(RIGS).join(", ")}, not ${name}`);
  return stageOf(name, rig);
});
const songs = values.folder
  ? await hearFolder(values.folder, values.cache)
  : makeSongs(Number(values.songs), Number(values.seed), values.cache);
const rows: ShowRow[] = [];
const planned: { song: BenchSong; plan: LightingPlan; other: LightingPlan; truth: SongTruth }[] = [];
let planMs = 0;
let judgeMs = 0;

for (const song of songs) {
  const analysis = hear(song, hearing);
  const truth = truthOfKnown({ ...song.truth, beatsPerBar: song.truth.beats_per_bar }, song.heard);
  const from = performance.now();
  const plan = values.chosen
    ? chooseShow(analysis, { groups: [], wishes: NO_WISHES })
    : planShow(analysis, { groups: [], seed: 1 });
  planMs += performance.now() - from;
  planned.push({ song, plan, truth, other: planShow(analysis, { groups: [], seed: 2 }) });
}

for (const [n, { song, plan, other, truth }] of planned.entries()) {
  const analysis = hear(song, hearing);
  for (const stage of stages) {
    const from = performance.now();
    const { verdict, light } = judgePlanOn(plan, truth, stage);
    judgeMs += performance.now() - from;
    const rivals = baselinesOf(song, analysis, truth, stage);
    const nulls = values.nulls ? nullsOf(n, truth, stage) : [];
    rows.push({
      id: song.id,
      genre: song.genre,
      rig: stage.name,
      truth,
      verdict,
      plan,
      other,
      hues: leadingHues({ light }),
      brightness: light.brightness,
      rivals: [...rivals, ...nulls].map(([name, measures]) => ({
        name,
        measures,
        comparison: compareShows([...verdict.gates, ...verdict.measures], measures),
      })),
    });
  }
}

console.log(
  `${songs.length} songs, seed ${values.seed}, planner told: ${hearing}${values.chosen ? ", shows as stored" : ""}`,
);
for (const stage of stages)
  printWins(
    stage.name,
    rows.filter((row) => row.rig === stage.name),
  );
for (const stage of stages)
  printMeasures(
    stage.name,
    rows.filter((row) => row.rig === stage.name),
  );
for (const stage of stages)
  printFormBesideTable(
    stage.name,
    rows.filter((row) => row.rig === stage.name),
  );
printSteadiness(
  rows,
  planned.map((entry) =>
    cuesThatDiffer(entry.plan, planShow(jittered(hear(entry.song, hearing)), { groups: [], seed: 1 })),
  ),
);
printSchemes(rows.filter((row) => row.rig === stages[0]!.name));
printCalmness(rows.filter((row) => row.rig === stages[0]!.name));
if (values["per-song"])
  for (const stage of stages)
    printSongs(
      stage.name,
      rows.filter((row) => row.rig === stage.name),
    );
if (values.json) {
  const flat = rows.map(({ plan: _plan, other: _other, truth: _truth, brightness: _brightness, ...row }) => row);
  writeFileSync(values.json, JSON.stringify(flat));
}
if (values.pictures) drawPictures(values.pictures);
const seconds = (performance.now() - started) / 1000;
console.log(
  `\n${seconds.toFixed(0)} s; a plan ${(planMs / songs.length).toFixed(0)} ms, a verdict ${(judgeMs / rows.length).toFixed(0)} ms per song and rig`,
);

function drawPictures(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const stage of stages) {
    const drawn = planned.map(({ song, plan, truth }) => ({
      title: `${song.id} ${song.genre}`,
      source: sourceOf(compileShow(plan, stage.rig)),
      truth,
    }));
    writeFileSync(join(folder, `evening-${stage.name}.svg`), drawEvening(drawn, stage));
    for (const [i, { title, source, truth }] of drawn.entries())
      writeFileSync(join(folder, `${planned[i]!.song.id}-${stage.name}.svg`), drawShow(source, truth, stage, title));
  }
}

/** Baselines do not depend on the planner, so what they measure is kept. */
function baselinesOf(song: BenchSong, analysis: SongAnalysis, truth: SongTruth, stage: Stage): [string, Measure[]][] {
  const folder = join(values.cache, "baselines");
  mkdirSync(folder, { recursive: true });
  const key = createHash("sha1")
    .update(judgeVersion())
    .update(JSON.stringify([analysis, truth, stage.rig]))
    .digest("hex");
  const kept = join(folder, `${song.id}-${stage.name}-${key.slice(0, 12)}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8")) as [string, Measure[]][];
  const measured = BASELINES.map((name): [string, Measure[]] => {
    const { verdict } = judgeSource(baseline(name, stage, analysis), truth, stage);
    return [name, allOf(verdict)];
  });
  writeFileSync(kept, JSON.stringify(measured));
  return measured;
}

function allOf({ gates, measures }: RigVerdict): Measure[] {
  return [...gates, ...measures];
}

/** The own show somewhere else in the song, and the show of the next song that has another form. */
function nullsOf(n: number, truth: SongTruth, stage: Stage): [string, Measure[]][] {
  const own = sourceOf(compileShow(planned[n]!.plan, stage.rig));
  const labels = (song: SongTruth) => song.sections.map((section) => section.label).join(" ");
  const foreign = planned
    .slice(n + 1)
    .concat(planned)
    .find((entry) => labels(entry.truth) !== labels(truth) && entry.song.genre !== planned[n]!.song.genre)!;
  const theirs = sourceOf(compileShow(foreign.plan, stage.rig));
  const by = 10 + ((n * 0.618) % 1) * Math.max(0, truth.duration - 20);
  return [
    ["shifted", allOf(judgeSource(shifted(own, truth.duration, by), truth, stage).verdict)],
    ["other song", allOf(judgeSource(stretched(theirs, foreign.truth.duration, truth.duration), truth, stage).verdict)],
  ];
}

/** Whatever may change a baseline or what is measured of it. */
function judgeVersion(): string {
  const root = fileURLToPath(new URL("../../packages/lighting/src", import.meta.url));
  const digest = createHash("sha1");
  const sources = [
    "judge/*.ts",
    "testing/baselines.ts",
    "color.ts",
    "flash-limiter.ts",
    "beat-clock.ts",
    "resolve-targets.ts",
    "maths.ts",
  ];
  for (const path of sources.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()) {
    if (!path.endsWith(".test.ts")) digest.update(path).update(readFileSync(join(root, path)));
  }
  return digest.digest("hex");
}
