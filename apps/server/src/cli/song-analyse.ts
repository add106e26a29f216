import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { analyseFile } from "../audio/analyse-file.ts";
import { AudioError } from "../audio/audio-error.ts";
import { chosenEngines } from "../audio/engines/engine-choice.ts";
import { tryFfmpeg } from "../audio/try-ffmpeg.ts";
import { describeProgram } from "../platform/programs.ts";
import { settingsOrExit, type Settings } from "../platform/settings.ts";
import { onEndSignal } from "../platform/stopping.ts";

const HELP = `Usage: song -- analyse FILE [--stems DIR] [--song-id ID]

Analyse an audio file (MP3, OGG, FLAC, M4A, WAV, WebM, AIFF) and print hybrid.json.

  --stems DIR     also write drums, bass, vocals and other as MP3, and hybrid.json, into DIR
  --song-id ID    the song_id to print (default "song")
  --help          show this

ffmpeg decodes and encodes when it is on PATH or named by FOLLOWSPOT_FFMPEG; else built-in programs do.
FOLLOWSPOT_BEATS_ENGINE, _STEMS_ENGINE and _TAGS_ENGINE name engines of your own; see docs/engines.md.
Exit codes: 0 done, 1 bad usage or settings, 2 the file cannot be analysed.
`;

/** `song -- analyse`: hybrid.json on stdout, progress on stderr. @returns the exit code */
export async function songAnalyse(args: string[]): Promise<number> {
  const usage = readUsage(args);
  if (typeof usage === "string") {
    process.stderr.write(`${usage}\n\n${HELP}`);
    return 1;
  }
  if (usage.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!existsSync(usage.file)) {
    process.stderr.write(`There is no file ${usage.file}.\n`);
    return 2;
  }
  const settings = settingsOrExit();
  const controller = new AbortController();
  const listenNoMore = onEndSignal(() => controller.abort());
  try {
    let shown = -1;
    const { analysis } = await analyseFile({
      path: usage.file,
      songId: usage.songId,
      outDir: usage.stems,
      stems: usage.stems !== undefined,
      attempt: `cli-${process.pid}`,
      ffmpeg: await workingFfmpeg(settings),
      engines: chosenEngines(settings),
      signal: controller.signal,
      onProgress: (share, stage) => {
        const percent = Math.floor(share * 20) * 5;
        if (percent > shown) process.stderr.write(`${String((shown = percent)).padStart(3)} % ${stage}\n`);
      },
    });
    await new Promise((resolve) => process.stdout.write(`${JSON.stringify(analysis)}\n`, resolve));
    return 0;
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  } finally {
    listenNoMore();
  }
}

/** The path of ffmpeg when it works; a broken one is named and the built-in programs do its work. */
async function workingFfmpeg(settings: Settings): Promise<string | undefined> {
  const report = await tryFfmpeg(settings);
  if (report?.works) return report.path;
  if (report) process.stderr.write(`${describeProgram(report)}\n`);
  return undefined;
}

type Usage = { help: true } | { help: false; file: string; songId: string; stems: string | undefined };

function readUsage(args: string[]): Usage | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        stems: { type: "string" },
        "song-id": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return { help: true };
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return "Give exactly one audio file.";
    return { help: false, file, songId: values["song-id"] ?? "song", stems: values.stems };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
