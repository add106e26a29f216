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
import { SNIFF_BYTES, sniffAudio } from "../audio/sniff-audio.ts";
import { namesStems, writeStems as writeStemFiles } from "../audio/write-stems.ts";
import { planName } from "./song-files.ts";
import { outlineOf } from "./song-outline.ts";
import { unwantedPlans } from "./step-files.ts";
import { publishFile, temporaryPath, writeFileAtomic } from "../platform/atomic-file.ts";
import { readHead } from "../platform/read-head.ts";

interface SongTask {
  /** Of the workplace. */
  readonly folder: string;
  readonly attempt: string;
  readonly songId: string;
  readonly ffmpeg: string | undefined;
  readonly engines: Engines;
}

/** What a thread is asked to do, one after the other. */
export type StepTask =
  | (SongTask & { readonly kind: "prepare"; readonly source: string })
  | (SongTask & { readonly kind: "analyse" | "stems" })
  | (SongTask & { readonly kind: "plan"; readonly inputs: PlanInputs; readonly cover: readonly string[] });

/** What a thread says. */
export type ThreadMessage =
  | { readonly kind: "progress"; readonly share: number; readonly note: string }
  | { readonly kind: "done"; readonly result: StepResult }
  | { readonly kind: "failed"; readonly reason: string };

const port = parentPort;
if (!port) throw new Error("step-thread runs as a worker thread only");
const say = (message: ThreadMessage) => port.postMessage(message);
const abort = new AbortController();
port.on("message", (order: StepTask | "abort") => {
  // A task that is stopped ends its thread.
  if (order === "abort") abort.abort(new Error("stopped"));
  else void answer(order);
});

/** What is no fault of the sound ends the thread, with its reason. */
async function answer(task: StepTask): Promise<void> {
  try {
    say({ kind: "done", result: await runTaskWithHelper(task) });
  } catch (error) {
    if (abort.signal.aborted) return port!.close();
    if (!(error instanceof AudioError)) throw error;
    say({ kind: "failed", reason: error.message });
  }
}

/** An encoder cannot be replaced while it writes: when ffmpeg fails as one, the task runs again without it. */
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

/** The original → audio.mp3, decoded to the end to prove it. An MP3 stays as it is, without another loss. */
async function prepareAudio({
  source,
  folder,
  attempt,
  ffmpeg,
}: Extract<StepTask, { kind: "prepare" }>): Promise<StepResult> {
  const target = join(folder, "audio.mp3");
  const isMp3 = sniffAudio(await readHead(source, SNIFF_BYTES)) === "mp3";
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

/** audio.mp3 → hybrid.json: what is analysed is what is heard, so their clocks agree. */
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

/** audio.mp3 → drums, bass, vocals and other, named in hybrid.json once they are there. */
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

/** hybrid.json, as people corrected it → lighting.<number>.json: the best of several shows, or the one that is wished for. */
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
