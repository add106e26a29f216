import { existsSync } from "node:fs";
import { analyseFile } from "../songs/audio/analyse-file.ts";
import { chosenEngines } from "../songs/audio/engines/engine-choice.ts";
import { tryFfmpeg } from "../songs/audio/try-ffmpeg.ts";
import { describeProgram } from "../platform/process/programs.ts";
import { settingsOrExit, type Settings } from "../platform/settings.ts";
import { onEndSignal } from "../platform/process/stopping.ts";
import { BadInput, progressInSteps, songVerb, WrongUse } from "./song-verb.ts";

const HELP = `song -- analyse FILE [--stems DIR] [--song-id ID]

Analyse an audio file (MP3, OGG, FLAC, M4A, WAV, WebM, AIFF) and print hybrid.json.

  --stems DIR     also write drums, bass, vocals and other as MP3, and hybrid.json, into DIR
  --song-id ID    the song_id to print (default "song")
  --help          show this

ffmpeg decodes and encodes when it is on PATH or named by FOLLOWSPOT_FFMPEG; else built-in programs do.
FOLLOWSPOT_BEATS_ENGINE, _STEMS_ENGINE and _TAGS_ENGINE name engines of your own; see docs/engines.md.
Exit codes: 0 done, 1 bad usage or settings, 2 the file cannot be analysed.`;

/** Analyzes a file; see HELP. */
export const songAnalyse = songVerb(
  HELP,
  { stems: { type: "string" }, "song-id": { type: "string", default: "song" } },
  async ({ values, paths }) => {
    const [path] = paths;
    if (!path || paths.length !== 1) throw new WrongUse();
    if (!existsSync(path)) throw new BadInput(`There is no file ${path}.`);
    const settings = settingsOrExit();
    const controller = new AbortController();
    const listenNoMore = onEndSignal(() => controller.abort());
    try {
      const { analysis } = await analyseFile({
        path,
        songId: values["song-id"],
        outDir: values.stems,
        stems: values.stems !== undefined,
        attempt: `cli-${process.pid}`,
        ffmpeg: await workingFfmpeg(settings),
        engines: chosenEngines(settings),
        signal: controller.signal,
        onProgress: progressInSteps(),
      });
      await new Promise((resolve) => process.stdout.write(`${JSON.stringify(analysis)}\n`, resolve));
    } finally {
      listenNoMore();
    }
  },
);

/** Returns the path of ffmpeg if it works; a broken one is reported, and the built-in programs are used. */
async function workingFfmpeg(settings: Settings): Promise<string | undefined> {
  const report = await tryFfmpeg(settings);
  if (report?.works) return report.path;
  if (report) process.stderr.write(`${describeProgram(report)}\n`);
  return undefined;
}
