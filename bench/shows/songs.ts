/**
 * Songs to plan shows for: written and played by the evaluation set's composer, every form and tempo varied, heard by
 * the real analysis. What was heard is kept in a folder, because hearing forty songs takes minutes.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { songAnalysisSchema, type SongAnalysis } from "../../packages/contract/src/index.ts";
import { analyseSong } from "../../packages/analysis/src/index.ts";
import { composeSong } from "../analysis/evaluation-set/compose.ts";
import { STYLES } from "../analysis/evaluation-set/genres.ts";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { readSongs } from "../analysis/songs.ts";
import { keyFor } from "../analysis/evaluation-set/make-evaluation-set.ts";
import { canPlayBands, performSong, PLAYING_DELAY_SECONDS } from "../analysis/evaluation-set/perform.ts";
import type { Truth } from "../analysis/evaluation-set/score.ts";
import { RATE } from "../analysis/evaluation-set/synth.ts";
import { varied } from "../analysis/evaluation-set/vary.ts";

/** Raised whenever the same seed may give other songs. */
const SET_VERSION = 1;

/** A song, what is true of it and what the analysis heard. */
export interface BenchSong {
  readonly id: string;
  readonly genre: string;
  readonly truth: Truth;
  readonly heard: SongAnalysis;
}

/**
 * The first `count` songs of a set, made and heard where the folder does not have them yet.
 * The same seed gives the same songs; a longer set begins with the songs of a shorter one.
 */
export function makeSongs(count: number, seed: number, cache: string): BenchSong[] {
  if (!canPlayBands())
    throw new Error("Songs of bands cannot be played: apt-get install fluidsynth musescore-general-soundfont");
  mkdirSync(cache, { recursive: true });
  const version = analysisVersion();
  return Array.from({ length: count }, (_, n) => {
    const id = `s${seed}-${String(n + 1).padStart(2, "0")}`;
    const style = varied(STYLES[n % STYLES.length]!, id, seed);
    const { score, truth } = composeSong(
      style,
      keyFor(n % STYLES.length, seed + Math.floor(n / STYLES.length)),
      id,
      seed,
    );
    const written = createHash("sha1")
      .update(JSON.stringify([SET_VERSION, style, truth]))
      .digest("hex")
      .slice(0, 10);
    const kept = join(cache, `${id}-${written}-${version}.json`);
    if (!existsSync(kept)) {
      const { left, right } = performSong(score, style, cache);
      const analysis = analyseSong({ left, right, sampleRate: RATE }, { songId: id });
      writeFileSync(`${kept}.tmp`, JSON.stringify(analysis));
      renameSync(`${kept}.tmp`, kept);
      console.error(`heard ${id} ${style.genre}, ${truth.duration.toFixed(0)} s`);
    }
    const heard = songAnalysisSchema.parse(JSON.parse(readFileSync(kept, "utf8")));
    return { id, genre: style.genre, truth: delayed(truth, style.sound === "band" ? PLAYING_DELAY_SECONDS : 0), heard };
  });
}

/** Songs of a folder with `index.json`, `audio/` and `truth/ID.json`, heard where that is not kept. */
export async function hearFolder(folder: string, cache: string): Promise<BenchSong[]> {
  mkdirSync(cache, { recursive: true });
  const songs: BenchSong[] = [];
  for (const { path, ...truth } of readSongs(folder) ?? []) {
    const file = createHash("sha1").update(readFileSync(path)).digest("hex").slice(0, 10);
    const kept = join(cache, `${truth.id}-${file}-${analysisVersion()}.json`);
    if (!existsSync(kept)) {
      const analysis = analyseSong(await decodeAudio(path), { songId: truth.id });
      writeFileSync(`${kept}.tmp`, JSON.stringify(analysis));
      renameSync(`${kept}.tmp`, kept);
      console.error(`heard ${truth.id} ${truth.genre}`);
    }
    const heard = songAnalysisSchema.parse(JSON.parse(readFileSync(kept, "utf8")));
    songs.push({ id: truth.id, genre: truth.genre, truth: truth as Truth, heard });
  }
  return songs;
}

/** Whatever may change what is heard: code and weights of the analysis. */
function analysisVersion(): string {
  const root = fileURLToPath(new URL("../../packages/analysis/src", import.meta.url));
  const digest = createHash("sha1");
  for (const path of globSync("**/*", { cwd: root }).toSorted()) {
    if (path.endsWith(".test.ts") || !/\.[a-z0-9]+$/.test(path)) continue;
    digest.update(path).update(readFileSync(join(root, path)));
  }
  return digest.digest("hex").slice(0, 10);
}

function delayed(truth: Truth, seconds: number): Truth {
  const at = (t: number) => t + seconds;
  return {
    ...truth,
    beats: truth.beats.map(at),
    downbeats: truth.downbeats.map(at),
    sections: truth.sections.map((s) => ({ ...s, start: at(s.start), end: at(s.end) })),
    drops: truth.drops.map(at),
    vocals: truth.vocals.map(([from, to]) => [at(from), at(to)] as const),
  };
}
