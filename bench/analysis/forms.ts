/**
 * `npm run bench:labels [-- --seeds 1,2] [-- --set varied]`: how well the form of songs is read: labels as share of time,
 * drops, edges, and whether a section's confidence holds. Bars are heard once and kept, so that later runs take seconds.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { listen } from "../../packages/analysis/src/analyse-song.ts";
import { FeatureExtractor } from "../../packages/analysis/src/index.ts";
import { readForm, type Form } from "../../packages/analysis/src/form/read-form.ts";
import type { Bar } from "../../packages/analysis/src/pulse/bars.ts";
import { readBars, writeBars } from "../../training/forms/bars-on-disk.ts";
import { makeEvaluationSet, readSetKind } from "./evaluation-set/make-evaluation-set.ts";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { judgeForm, printForms, type JudgedForm } from "./form-board.ts";
import { readSongs, songsOf, type Song } from "./songs.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    set: { type: "string", default: "plain" },
    songs: { type: "string" },
    fresh: { type: "boolean", default: false },
  },
});
const cache = fileURLToPath(new URL(".cache", import.meta.url));
const ffmpeg = findFfmpeg();

for (const [name, songs] of await sets()) {
  const judged: JudgedForm[] = [];
  for (const song of songs) judged.push(judgeForm(song, await formOf(song)));
  printForms(name, judged);
}

async function sets(): Promise<[string, Song[]][]> {
  if (values.songs !== undefined) return [[values.songs, songsOf(values.songs)]];
  const found: [string, Song[]][] = [];
  for (const seed of values.seeds.split(",")) {
    const { folder } = await makeEvaluationSet(join(cache, "songs"), Number(seed), ffmpeg, readSetKind(values.set));
    found.push([`evaluation set, ${values.set}, seed ${seed}`, readSongs(folder) ?? []]);
  }
  const development = readSongs(fileURLToPath(new URL("../../../shared/music-dev", import.meta.url)));
  return development ? [...found, ["development songs", development]] : found;
}

async function formOf(song: Song): Promise<{ readonly form: Form; readonly bars: readonly Bar[] }> {
  const bars = await barsOf(song);
  return { form: readForm(bars), bars };
}

/** The bars of a song as the product hears them, kept beside the evaluation set. */
async function barsOf(song: Song): Promise<readonly Bar[]> {
  const { size, mtimeMs } = statSync(song.path);
  const kept = join(cache, "bars", `${song.id}-${size}-${Math.round(mtimeMs)}.json`);
  if (existsSync(kept) && !values.fresh) return readBars(kept);
  const { left, right, sampleRate } = await decodeAudio(song.path, { ffmpeg });
  const extractor = new FeatureExtractor(sampleRate);
  extractor.push(left, right);
  const { bars } = listen(extractor.finish(), { songId: "bench" });
  mkdirSync(join(cache, "bars"), { recursive: true });
  writeBars(kept, bars);
  console.error(`heard ${song.id} ${song.genre}`);
  return bars;
}
