/**
 * Makes the songs everything is judged by: own grooves, forms and harmony, played by a sound font and synthesisers
 * that no training uses, and passed through the codecs people upload. The same seed gives the same songs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeAudio } from "../../../apps/server/src/songs/audio/decode-audio.ts";
import { composeSong } from "./compose.ts";
import { STYLES, type Style } from "./genres.ts";
import { HARD_STYLES } from "./hard-styles.ts";
import { canPlayBands, performSong, PLAYING_DELAY_SECONDS } from "./perform.ts";
import type { Key, Truth } from "./score.ts";
import { RATE, type Stereo } from "./synth.ts";
import { varied } from "./vary.ts";
import { encodeWav } from "./wav.ts";

/** Raised whenever the same seed may give other songs. */
const SET_VERSION = 1;

/** File name ending and ffmpeg's options. */
const CODECS: readonly (readonly [string, readonly string[]])[] = [
  ["mp3", ["-c:a", "libmp3lame", "-b:a", "160k"]],
  ["m4a", ["-c:a", "aac", "-b:a", "128k"]],
  ["ogg", ["-c:a", "libvorbis", "-q:a", "4"]],
  ["webm", ["-c:a", "libopus", "-b:a", "96k"]],
  ["flac", ["-c:a", "flac"]],
];

/**
 * `plain`: every style as it is written. `varied`: with other forms and tempos, drawn from the seed. `hard`: songs whose
 * pulse is easily mistaken; odd and even seeds have one half of these styles each.
 */
const SET_KINDS = ["plain", "varied", "hard"] as const;
type SetKind = (typeof SET_KINDS)[number];

/** @throws when there is no such kind */
export function readSetKind(name: string): SetKind {
  const kind = SET_KINDS.find((other) => other === name);
  if (!kind) throw new Error(`--set ${name}: one of ${SET_KINDS.join(", ")} is wanted`);
  return kind;
}

export interface EvaluationSet {
  /** Folder with `index.json`, `audio/` and `truth/`. */
  readonly folder: string;
  /** What was left out and which packages bring it back; one line each. */
  readonly complaints: readonly string[];
}

/**
 * Make the songs, or find them made.
 * @param cache folder that may be deleted any time
 */
export async function makeEvaluationSet(
  cache: string,
  seed: number,
  ffmpeg: string | undefined,
  kind: SetKind = "plain",
): Promise<EvaluationSet> {
  const styles = stylesOf(kind, seed);
  const hasBand = canPlayBands();
  const complaints: string[] = [];
  const bandSongs = styles.filter((style) => style.sound === "band").length;
  if (!hasBand)
    complaints.push(
      `${bandSongs} of ${styles.length} songs are left out: apt-get install fluidsynth musescore-general-soundfont`,
    );
  if (!ffmpeg) complaints.push("All songs stay WAV, no codec is tried: apt-get install ffmpeg");

  const folder = join(
    cache,
    `${kind === "plain" ? "" : `${kind}-`}seed-${seed}-v${SET_VERSION}${hasBand ? "" : "-synth"}${ffmpeg ? "" : "-wav"}`,
  );
  const index = join(folder, "index.json");
  if (existsSync(index)) return { folder, complaints };
  mkdirSync(join(folder, "audio"), { recursive: true });
  mkdirSync(join(folder, "truth"), { recursive: true });
  const entries = [];
  for (const [n, style] of styles.entries()) {
    if (style.sound === "band" && !hasBand) continue;
    const id = `${kind[0] === "p" ? "e" : kind[0]!}${String(n + 1).padStart(2, "0")}`;
    const codec = CODECS[n % CODECS.length]!;
    const audio = `audio/${id}.${ffmpeg ? codec[0] : "wav"}`;
    entries.push({ id, genre: style.genre, audio });
    // The truth is written last, so a set that was interrupted goes on where it stopped.
    const truthFile = join(folder, "truth", `${id}.json`);
    if (existsSync(truthFile)) continue;
    const { score, truth } = composeSong(style, keyFor(n, seed, styles), id, seed);
    const sound = performSong(score, style, folder);
    const path = join(folder, audio);
    if (ffmpeg) encode(ffmpeg, sound, path, codec[1]);
    else writeFileSync(path, encodeWav(sound));
    const codecSeconds = await codecDelay(sound, path, ffmpeg);
    const delay = codecSeconds + (style.sound === "band" ? PLAYING_DELAY_SECONDS : 0);
    writeFileSync(truthFile, JSON.stringify(shift(truth, delay)));
    console.error(
      `made ${audio} ${style.genre}, ${truth.duration.toFixed(0)} s, codec delay ${(1000 * codecSeconds).toFixed(2)} ms`,
    );
  }
  writeFileSync(index, JSON.stringify(entries, null, 1));
  return { folder, complaints };
}

function stylesOf(kind: SetKind, seed: number): readonly Style[] {
  if (kind === "hard") return HARD_STYLES.filter((_, n) => n % 2 !== seed % 2);
  return kind === "plain" ? STYLES : STYLES.map((style, n) => varied(style, `varied ${n}`, seed));
}

/** Round the circle of fifths, majors and minors each for themselves, so that all 24 keys come. */
export function keyFor(n: number, seed: number, styles = STYLES): Key {
  const { scale } = styles[n]!;
  const before = styles.slice(0, n).filter((style) => style.scale === scale).length;
  return { tonic: (7 * before + 5 * seed + (scale === "minor" ? 3 : 0)) % 12, scale };
}

function encode(ffmpeg: string, sound: Stereo, path: string, options: readonly string[]): void {
  // -bitexact keeps dates and versions out, so the file depends on the sound alone.
  const args = ["-nostdin", "-v", "error", "-y", "-f", "wav", "-i", "pipe:0", ...options, "-bitexact", path];
  const run = spawnSync(ffmpeg, args, { input: encodeWav(sound), stdio: ["pipe", "ignore", "pipe"] });
  if (run.status !== 0) throw new Error(`ffmpeg could not write ${path}: ${String(run.stderr)}`);
}

const LONGEST_DELAY_SECONDS = 0.08;
const COMPARED_SECONDS = 4;

/** How much later the decoded file sounds than what was encoded, s: the lag with the largest cross-correlation. */
async function codecDelay(sound: Stereo, path: string, ffmpeg: string | undefined): Promise<number> {
  const decoded = await decodeAudio(path, { ffmpeg });
  const from = Math.floor(sound.left.length / 3);
  const samples = COMPARED_SECONDS * RATE;
  const limit = Math.round(LONGEST_DELAY_SECONDS * RATE);
  const correlation = (lag: number, every: number) => {
    let sum = 0;
    for (let i = from; i < from + samples; i += every) sum += sound.left[i]! * (decoded.left[i + lag] ?? 0);
    return sum;
  };
  let best = 0;
  let highest = -Infinity;
  for (let lag = -limit; lag <= limit; lag++) {
    const value = correlation(lag, 7);
    if (value > highest) [highest, best] = [value, lag];
  }
  return best / RATE;
}

function shift(truth: Truth, delay: number): Truth {
  const at = (t: number) => Math.round(1e4 * (t + delay)) / 1e4;
  return {
    ...truth,
    tempo: Math.round(1000 * truth.tempo) / 1000,
    beats: truth.beats.map(at),
    downbeats: truth.downbeats.map(at),
    sections: truth.sections.map((s) => ({ ...s, start: at(s.start), end: at(s.end) })),
    drops: truth.drops.map(at),
    vocals: truth.vocals.map(([from, to]) => [at(from), at(to)] as const),
  };
}
