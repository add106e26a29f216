/**
 * `npm run bench:analysis [-- options]`: how well and how fast songs are understood, beside the free trackers, on the
 * same samples in the same run.
 *
 *   --songs DIR       judge the songs of a folder (index.json, audio/, truth/) in place of the evaluation set
 *   --only ID,ID      only these songs
 *   --seed N          another evaluation set; 1
 *   --set KIND        plain, varied or hard songs (README); plain
 *   --ours            ask no peer: what a change of ours does, in minutes
 *   --fresh           ask the peers again instead of recalling their answers
 *   --json FILE       write all scores
 *   --report FILE     write the page with plots; bench/analysis/.cache/report.html
 *   --peer NAME=CMD   one more tracker, as often as wanted: CMD is given a WAV file and prints a beat's time per line
 *   --contender NAME=CMD  one more that is no peer: on recordings it is put in the place of ours
 *   --written DIR     judge songs that people wrote down: MIDI files and tempo maps among Debian's games; without DIR
 *                     those Debian has installed
 *   --recordings DIR  compare trackers on music without truth, by how far they agree; without DIR on the music of the
 *                     games Debian has installed
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { printAgreementBesideTruth } from "./agreement.ts";
import { judge, printBoard, type Row } from "./board.ts";
import { ask, beatPrinter, findEngines, followspot, hashOf, type Engine } from "./engines.ts";
import { makeEvaluationSet, readSetKind } from "./evaluation-set/make-evaluation-set.ts";
import { encodeWav } from "./evaluation-set/wav.ts";
import { findFfmpeg } from "./find-ffmpeg.ts";
import { compareOnRecordings } from "./recordings.ts";
import { writeReport } from "./report.ts";
import { readSongs, songsOf, type Song } from "./songs.ts";
import { makeWrittenSongs } from "./written-songs.ts";

const { values, positionals } = parseArgs({
  options: {
    songs: { type: "string" },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    set: { type: "string", default: "plain" },
    ours: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    json: { type: "string" },
    report: { type: "string" },
    peer: { type: "string", multiple: true, default: [] },
    contender: { type: "string", multiple: true, default: [] },
    recordings: { type: "boolean", default: false },
    written: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** Where Debian's games keep their music. */
const DEBIAN_MUSIC = "/usr/share/games";

/** Everything that may be deleted any time: songs, answers of peers, built programs, the report. */
const cache = fileURLToPath(new URL(".cache", import.meta.url));
mkdirSync(cache, { recursive: true });
const ffmpeg = findFfmpeg();
const engines = [
  ...(values.ours ? [followspot] : findEngines(cache)),
  ...values.peer.map((option) => readTracker("peer", option)),
  ...values.contender.map((option) => ({ ...readTracker("contender", option), isContender: true })),
];
const present = engines.filter((engine) => !engine.missing);
const complaints = engines.flatMap(({ name, missing }) => (missing ? [`${name} is not compared: ${missing}`] : []));

if (values.recordings) {
  await compareOnRecordings(positionals[0] ?? DEBIAN_MUSIC, { engines: present, cache, ffmpeg, isFresh: values.fresh });
} else {
  const rows: Row[] = [];
  for (const [set, songs] of await findSongs()) {
    const chosen = values.only?.split(",");
    for (const song of songs.filter(({ id }) => !chosen || chosen.includes(id)))
      rows.push(...(await judgeSong(set, song, present)));
  }
  if (rows.length > 0) {
    printBoard(rows);
    if (values.written) printAgreementBesideTruth(rows, present);
    const report = resolve(values.report ?? join(cache, "report.html"));
    writeReport(report, rows, complaints);
    console.log(`\nReport: ${report}`);
    if (values.json) writeFileSync(values.json, JSON.stringify(rows.map(flat), null, 1));
  } else console.log("No songs were found: nothing was measured.");
}
for (const complaint of complaints) console.log(`! ${complaint}`);

function flat({ set, engine, song, tempo, scores }: Row): object {
  return { set, engine, song: song.id, genre: song.genre, tempo, ...scores };
}

function readTracker(kind: "peer" | "contender", option: string): Engine {
  const [, name, command] = /^([\w -]+)=(.+)$/.exec(option) ?? [];
  if (!name || !command) throw new Error(`--${kind} NAME=COMMAND, not ${option}`);
  return beatPrinter({ name, command: command.trim().split(/\s+/) });
}

async function findSongs(): Promise<[string, Song[]][]> {
  if (values.songs !== undefined) return [[values.songs, songsOf(values.songs)]];
  if (values.written) {
    const { songs, complaints: missing } = await makeWrittenSongs(
      positionals[0] ?? DEBIAN_MUSIC,
      join(cache, "written"),
      ffmpeg,
    );
    complaints.push(...missing);
    return [["songs that people wrote", [...songs]]];
  }
  const made = await makeEvaluationSet(join(cache, "songs"), Number(values.seed), ffmpeg, readSetKind(values.set));
  complaints.push(...made.complaints);
  const development = readSongs(fileURLToPath(new URL("../../../shared/music-dev", import.meta.url)));
  return [
    [`evaluation set, ${values.set}, seed ${values.seed}`, readSongs(made.folder) ?? []],
    ...(development ? [["development songs", development] as [string, Song[]]] : []),
  ];
}

async function judgeSong(set: string, song: Song, asked: readonly Engine[]): Promise<Row[]> {
  const pcm = await decodeAudio(song.path, { ffmpeg });
  const wav = join(cache, `heard-${process.pid}.wav`);
  writeFileSync(wav, encodeWav(pcm));
  const hash = hashOf(song.path);
  const rows = asked.map((engine) => {
    const { answer, isCached } = ask(engine, { pcm, wav }, hash, cache, values.fresh);
    return judge(set, engine.name, song, answer, pcm.seconds, isCached);
  });
  rmSync(wav);
  console.error(`heard ${song.id} ${song.genre}`);
  return rows;
}
