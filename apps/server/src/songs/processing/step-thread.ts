import { copyFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort } from "node:worker_threads";
import { correctAnalysis } from "@followspot/analysis/correct-analysis";
import { songAnalysisSchema, type PlanInputs, type SongAnalysis, type StepResult } from "@followspot/contract";
import { chooseShow } from "@followspot/lighting";
import { analyseFile } from "../audio/analyse-file.ts";
import { AudioError } from "../audio/audio-error.ts";
import { decodeAudio } from "../audio/decode-audio.ts";
import { DECODED_RATE } from "../audio/decoded-sound.ts";
import { Mp3Writer } from "../audio/encode-mp3.ts";
import type { Engines } from "../audio/engines/engine-choice.ts";
import { mp3LeadBytes, SNIFF_BYTES, sniffAudio } from "../audio/sniff-audio.ts";
import { namesStems, writeStems as writeStemFiles } from "../audio/write-stems.ts";
import { planName } from "../catalog/song-files.ts";
import { outlineOf } from "../catalog/song-outline.ts";
import { unwantedPlans } from "../catalog/step-files.ts";
import { publishFile, temporaryPath, writeFileAtomic } from "../../platform/files/atomic-file.ts";
import { readHead } from "../../platform/http/read-head.ts";

interface SongTask {
  /** Folder of the workplace. */
  readonly folder: string;
  readonly attempt: string;
  readonly songId: string;
  readonly ffmpeg: string | undefined;
  readonly engines: Engines;
}

/** Tasks of a thread, which run one after another. */
export type StepTask =
  | (SongTask & { readonly kind: "prepare"; readonly source: string })
  | (SongTask & { readonly kind: "analyse" | "stems" })
  | (SongTask & { readonly kind: "plan"; readonly inputs: PlanInputs; readonly cover: readonly string[] });

/** Messages from a thread. */
export type ThreadMessage =
  | { readonly kind: "progress"; readonly share: number; readonly note: string }
  | { readonly kind: "done"; readonly result: StepResult }
  | { readonly kind: "failed"; readonly reason: string };

const port = parentPort;
if (!port) throw new Error("step-thread runs as a worker thread only");
const say = (message: ThreadMessage) => port.postMessage(message);
const abort = new AbortController();
port.on("message", (order: StepTask | "abort") => {
  // An aborted task ends its thread.
  if (order === "abort") abort.abort(new Error("stopped"));
  else void answer(order);
});

/** Runs a task. Errors that are not caused by the audio end the thread. */
async function answer(task: StepTask): Promise<void> {
  try {
    say({ kind: "done", result: await runTaskWithHelper(task) });
  } catch (error) {
    if (abort.signal.aborted) return port!.close();
    if (!(error instanceof AudioError)) throw error;
    say({ kind: "failed", reason: error.message });
  }
}

/** An encoder cannot be replaced during encoding: if ffmpeg fails to encode, the task runs again without it. */
async function runTaskWithHelper(given: StepTask): Promise<StepResult> {
  try {
    return await runTask(given);
  } catch (error) {
    const isHelper = error instanceof AudioError && error.code === "encoder_failed" && given.ffmpeg !== undefined;
    if (!isHelper || abort.signal.aborted) throw error;
    process.stderr.write(`ffmpeg could not encode; the built-in encoder is tried\n${String(error.cause)}\n`);
    return runTask({ ...given, ffmpeg: undefined });
  }
}

function runTask(given: StepTask): Promise<StepResult> {
  switch (given.kind) {
    case "prepare":
      return prepareAudio(given);
    case "analyse":
      return analyse(given);
    case "plan":
      return plan(given);
    case "stems":
      return writeStems(given);
    default:
      return given satisfies never;
  }
}

/**
 * Converts the original to audio.mp3, decoding it to the end as a check. An MP3 is copied to avoid another lossy
 * encoding, unless other bytes precede its frames, which browsers refuse.
 */
async function prepareAudio({
  source,
  folder,
  attempt,
  ffmpeg,
}: Extract<StepTask, { kind: "prepare" }>): Promise<StepResult> {
  const target = join(folder, "audio.mp3");
  const head = await readHead(source, SNIFF_BYTES);
  const isMp3 = sniffAudio(head) === "mp3" && mp3LeadBytes(head) === 0;
  const writer = isMp3
    ? undefined
    : new Mp3Writer(target, { sampleRate: DECODED_RATE, attempt, ffmpeg, signal: abort.signal });
  try {
    const decoded = await decodeAudio(source, {
      ffmpeg,
      signal: abort.signal,
      onSamples: (left, right) => writer?.write(left, right),
      onProgress: (seconds, expected) =>
        say({ kind: "progress", share: Math.min(1, seconds / (expected ?? 300)), note: "reading the sound" }),
    });
    if (writer) await writer.close();
    else {
      const copy = temporaryPath(target, attempt);
      await copyFile(source, copy);
      await publishFile(copy, target);
    }
    return { duration: decoded.seconds, warnings: decoded.warnings };
  } catch (error) {
    await writer?.abort();
    throw error;
  }
}

/** Analyzes audio.mp3 into hybrid.json. The analyzed file is the one that is played, so their clocks agree. */
async function analyse({ folder, songId, attempt, ffmpeg, engines }: SongTask): Promise<StepResult> {
  const { analysis, warnings } = await analyseFile({
    path: join(folder, "audio.mp3"),
    outDir: folder,
    songId,
    attempt,
    ffmpeg,
    engines,
    stems: false,
    signal: abort.signal,
    onProgress: (share, note) => say({ kind: "progress", share, note }),
  });
  return { duration: analysis.duration, tempo: analysis.tempo, key: analysis.key, warnings };
}

/** Separates audio.mp3 into drums, bass, vocals and other, then lists them in hybrid.json. */
async function writeStems({ folder, attempt, ffmpeg, engines }: SongTask): Promise<StepResult> {
  const written = await writeStemFiles(join(folder, "audio.mp3"), {
    folder,
    attempt,
    ffmpeg,
    engines,
    signal: abort.signal,
    onProgress: (share, note) => say({ kind: "progress", share, note }),
  });
  const analysis = namesStems(await readAnalysis(folder), written);
  await writeFileAtomic(join(folder, "hybrid.json"), JSON.stringify(analysis), attempt);
  return {};
}

/**
 * Plans lighting.<number>.json from hybrid.json with the user's corrections: the best of several shows, or the chosen
 * one.
 */
async function plan({ folder, attempt, inputs, cover }: Extract<StepTask, { kind: "plan" }>): Promise<StepResult> {
  const analysis = correctAnalysis(await readAnalysis(folder), inputs.corrections);
  say({ kind: "progress", share: 0.1, note: "planning the show" });
  const { groups, wishes, palette, evening, number } = inputs;
  const show = chooseShow(analysis, { groups, wishes, palette, cover, evening });
  await writeFileAtomic(join(folder, planName(number)), JSON.stringify(show), attempt);
  for (const name of unwantedPlans(await readdir(folder), inputs)) await rm(join(folder, name), { force: true });
  const remark = show.choice?.remarks.find(({ isGood }) => !isGood);
  return {
    palette: show.palette,
    tempo: analysis.tempo,
    outline: outlineOf(analysis),
    plan: {
      seed: show.seed,
      scheme: show.scheme ?? "",
      remark: remark?.text ?? "",
      in_evening: evening !== undefined,
    },
  };
}

async function readAnalysis(folder: string): Promise<SongAnalysis> {
  return songAnalysisSchema.parse(JSON.parse(await readFile(join(folder, "hybrid.json"), "utf8")));
}
