/**
 * `node bench/analysis/run.ts [--songs DIR] [--json]`: how well and how fast songs are understood,
 * beside the free trackers that install from npm, on the same samples in the same run.
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import MusicTempo from "music-tempo";
import { analyseSong } from "../../packages/analysis/src/index.ts";
import { decodeAudio } from "../../apps/server/src/audio/decode-audio.ts";
import { beatF, keyScore, matchF, mean, tempoRight } from "./metrics.ts";
import { readSongs, type SongTruth } from "./songs.ts";

interface Pcm {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly sampleRate: number;
}

/** What one engine concludes; fields it does not offer are missing. */
interface Answer {
  readonly beats: readonly number[];
  readonly tempo: number;
  readonly downbeats?: readonly number[];
  readonly key?: string;
  readonly sections?: readonly number[];
  readonly drops?: readonly number[];
}

const ENGINES: Record<string, (pcm: Pcm) => Answer> = {
  followspot: (pcm) => {
    const song = analyseSong(pcm, { songId: "bench" });
    return {
      beats: song.beats,
      tempo: song.tempo,
      downbeats: song.downbeats,
      key: song.key,
      sections: song.structure.sections.map((s) => s.start),
      drops: song.drop_predictions.filter((d) => d.type === "drop").map((d) => d.time),
    };
  },
  "music-tempo": ({ left, right }) => {
    const { beats, tempo } = new MusicTempo(left.map((v, n) => (v + right[n]!) / 2));
    return { beats, tempo: Number(tempo) };
  },
};

const SECTION_WINDOW_SECONDS = 3;
const DROP_WINDOW_SECONDS = 0.5;

const { values } = parseArgs({ options: { songs: { type: "string" }, json: { type: "boolean" } } });
const folder = values.songs ?? fileURLToPath(new URL("../../../shared/music-dev", import.meta.url));
const songs = readSongs(folder);
if (!songs) {
  console.log(
    "No songs with truth here: pass --songs DIR, a folder with index.json, audio/ and truth/. Nothing was measured.",
  );
} else {
  const rows: Row[] = [];
  for (const song of songs) {
    const pcm = await decodeAudio(song.path, { ffmpeg: process.env["FFMPEG"] });
    for (const [engine, analyse] of Object.entries(ENGINES)) rows.push(judge(engine, analyse, song, pcm));
  }
  if (values.json) console.log(JSON.stringify(rows, null, 1));
  else print(rows);
}

interface Row {
  readonly engine: string;
  readonly song: string;
  readonly scores: Readonly<Record<string, number | undefined>>;
}

function judge(engine: string, analyse: (pcm: Pcm) => Answer, song: SongTruth, pcm: Pcm): Row {
  const start = performance.now();
  let answer: Answer = { beats: [], tempo: 0 };
  try {
    answer = analyse(pcm);
  } catch (error) {
    // A peer that finds nothing throws; it scores nothing, and the run goes on.
    console.error(`${engine} failed on ${song.id}: ${String(error)}`);
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    engine,
    song: `${song.id} ${song.genre}`,
    scores: {
      "beat F": beatF(answer.beats, song.beats),
      "downbeat F": answer.downbeats && beatF(answer.downbeats, song.downbeats),
      Acc1: Number(tempoRight(answer.tempo, song.tempo)),
      Acc2: Number(tempoRight(answer.tempo, song.tempo, true)),
      key: answer.key === undefined ? undefined : keyScore(answer.key, song.key),
      HR3F:
        answer.sections &&
        matchF(
          answer.sections,
          song.sections.map((s) => s.start),
          SECTION_WINDOW_SECONDS,
        ),
      "drop F": answer.drops && matchF(answer.drops, song.drops, DROP_WINDOW_SECONDS),
      "× real time": pcm.left.length / pcm.sampleRate / seconds,
    },
  };
}

function print(rows: readonly Row[]): void {
  const names = Object.keys(rows[0]!.scores);
  const line = (title: string, cells: readonly (number | undefined)[]) =>
    console.log(
      title.padEnd(28) + cells.map((v) => (v === undefined ? "–" : v.toFixed(v > 9 ? 0 : 3)).padStart(12)).join(""),
    );
  console.log("".padEnd(28) + names.map((n) => n.padStart(12)).join(""));
  for (const { engine, song, scores } of rows)
    line(
      `${song} · ${engine}`.slice(0, 27),
      names.map((n) => scores[n]),
    );
  for (const engine of new Set(rows.map((r) => r.engine))) {
    const own = rows.filter((r) => r.engine === engine);
    line(
      `mean · ${engine}`,
      names.map((n) => {
        const known = own.map((r) => r.scores[n]).filter((v) => v !== undefined);
        return known.length === 0 ? undefined : mean(known);
      }),
    );
  }
}
