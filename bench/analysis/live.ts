/**
 * `npm run bench:live [-- options]`: how well the beat is held while a song comes in, block by block, from the past alone.
 * Beats count as they are foretold: the moment the ear, asked again with every block, says a beat is reached.
 *
 *   --songs DIR   songs of a folder (index.json, audio/, truth/); shared/music-dev
 *   --only ID,ID  only these songs
 *   --ours        without what it is compared with
 *   --from S      judged from this second on; 8
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import type { Tracked } from "./follow-live.ts";
import { LIVE_TRACKERS } from "./live-trackers.ts";
import { continuity, matchF, mean, tempoRight } from "./metrics.ts";
import { songsOf, type Song } from "./songs.ts";

const { values } = parseArgs({
  options: {
    songs: { type: "string", default: fileURLToPath(new URL("../../../shared/music-dev", import.meta.url)) },
    only: { type: "string" },
    ours: { type: "boolean", default: false },
    from: { type: "string", default: "8" },
  },
});

const WINDOW_SECONDS = 0.07;
const FROM = Number(values.from);

interface Score {
  /** Share of true beats with a beat within 70 ms, and of beats with a true one. */
  readonly held: number;
  readonly right: number;
  readonly f: number;
  /** Continuity at the true level, and at half and double level and on the off-beat as well. */
  readonly cmlt: number;
  readonly amlt: number;
  /** Median of beat minus true beat, and of its size, ms. */
  readonly bias: number;
  readonly miss: number;
  readonly level: string;
}

const songs = songsOf(values.songs, values.only);
const scores: Record<string, Score[]> = {};
console.log(`songs of ${values.songs}, judged from second ${FROM} on\n`);
console.log("song  genre            BPM   heard   held right    F  CMLt AMLt  bias  miss  level");
for (const song of songs) {
  const { left, right, sampleRate } = await decodeAudio(song.path, { ffmpeg: process.env["FFMPEG"] ?? "ffmpeg" });
  const y = left.map((value, n) => (value + right[n]!) / 2);
  for (const [name, track] of Object.entries(LIVE_TRACKERS)) {
    if (values.ours && name !== "followspot") continue;
    const tracked = track(y, sampleRate);
    const score = judge(tracked, song);
    (scores[name] ??= []).push(score);
    if (name === "followspot") console.log(`${rowOf(song, tracked, score)}  ${(100 * tracked.load!).toFixed(1)} % CPU`);
  }
}
for (const [name, all] of Object.entries(scores)) {
  const of = (key: "held" | "right" | "f" | "cmlt" | "amlt" | "bias" | "miss") => mean(all.map((score) => score[key]));
  const holding = all.filter(({ held }) => held >= 0.8).length;
  console.log(
    `\n${name}: held ${of("held").toFixed(3)} right ${of("right").toFixed(3)} F ${of("f").toFixed(3)}` +
      ` CMLt ${of("cmlt").toFixed(3)} AMLt ${of("amlt").toFixed(3)} bias ${of("bias").toFixed(1)} ms miss ${of("miss").toFixed(1)} ms;` +
      ` ${holding} of ${all.length} songs hold 80 %`,
  );
}

function judge({ beats, bpm }: Tracked, { beats: truth, tempo }: Song): Score {
  const shown = beats.filter((t) => t >= FROM);
  const real = truth.filter((t) => t >= FROM && t <= (truth.at(-1) ?? 0));
  const until = (real.at(-1) ?? 0) + WINDOW_SECONDS;
  const judged = shown.filter((t) => t <= until);
  const nearest = (t: number, times: readonly number[]) =>
    times.reduce((best, other) => (Math.abs(t - other) < Math.abs(best) ? t - other : best), Infinity);
  const errors = judged.map((t) => nearest(t, real)).filter((error) => Math.abs(error) <= WINDOW_SECONDS);
  const { cmlt, amlt } = continuity(judged, real);
  return {
    held: real.filter((t) => Math.abs(nearest(t, judged)) <= WINDOW_SECONDS).length / Math.max(1, real.length),
    right: errors.length / Math.max(1, judged.length),
    f: matchF(judged, real, WINDOW_SECONDS),
    cmlt,
    amlt,
    bias: 1000 * medianOf(errors),
    miss: 1000 * medianOf(errors.map(Math.abs)),
    level: levelOf(bpm, tempo),
  };
}

function levelOf(bpm: number, tempo: number): string {
  if (tempoRight(bpm, tempo)) return "right";
  if (tempoRight(bpm, 2 * tempo)) return "double";
  if (tempoRight(bpm, tempo / 2)) return "half";
  return tempoRight(bpm, tempo, true) ? "third" : "other";
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function rowOf({ id, genre, tempo }: Song, { bpm }: Tracked, score: Score): string {
  const share = (value: number) => value.toFixed(2).padStart(5);
  const ms = (value: number) => value.toFixed(0).padStart(5);
  return [
    id.padEnd(5),
    genre.padEnd(14),
    tempo.toFixed(1).padStart(6),
    bpm.toFixed(1).padStart(6),
    share(score.held),
    share(score.right),
    share(score.f),
    share(score.cmlt),
    share(score.amlt),
    ms(score.bias),
    ms(score.miss),
    ` ${score.level.padEnd(6)}`,
  ].join(" ");
}
