import { readFile, stat } from "node:fs/promises";
import { correctAnalysis } from "@followspot/analysis/correct-analysis";
import {
  lightingPlanSchema,
  songAnalysisSchema,
  type SongAnalysis,
  type SongCorrections,
  type StepResult,
  type WorkerResult,
} from "@followspot/contract";
import { MAX_SONG_SECONDS } from "../../songs/audio/decode-audio.ts";
import { SNIFF_BYTES, sniffAudio } from "../../songs/audio/sniff-audio.ts";
import { namesStems, STEM_FILES } from "../../songs/audio/write-stems.ts";
import { oneLine } from "../../songs/processing/downloader/site-faults.ts";
import { COVER_FILES } from "../../songs/catalog/song-cover.ts";
import { planName } from "../../songs/catalog/song-files.ts";
import type { LeasedJob } from "../../songs/processing/song-jobs.store.ts";
import { outlineOf } from "../../songs/catalog/song-outline.ts";
import { isSource } from "../../songs/catalog/step-files.ts";
import { readHead } from "../../platform/http/read-head.ts";
import { replaceLeft } from "./job-files.ts";

/** A worker's result is invalid; the message is a clause that follows "because". */
export class UnusableResult extends Error {}

/** The server's own knowledge of the song. */
export interface KnownOfSong {
  /** Reads the server's copy of the analysis. */
  readonly analysis: () => Promise<SongAnalysis | undefined>;
  readonly corrections: () => Promise<SongCorrections | null>;
  /** Whether this server wants stems. */
  readonly stems: boolean;
}

/** Tolerated difference between two lengths of one song, s: decoders differ, and the database stores whole seconds. */
const LENGTH_SECONDS = 2;
const FASTEST_BPM = 1000;
/** Fewest bytes per second of an MP3; the lowest bit rate has 1 kB per second. */
const LEAST_AUDIO_PER_SECOND = 900;

/**
 * Validates the files of a remote worker before they are used. Values are read from the files where possible; only
 * titles, warnings and the length of a download are taken from the worker.
 *
 * @param left local paths of the files, by name
 * @returns the result of the step to store
 * @throws UnusableResult
 */
export async function checkResult(
  job: LeasedJob,
  said: WorkerResult,
  left: ReadonlyMap<string, string>,
  known: KnownOfSong,
): Promise<StepResult> {
  switch (job.step) {
    case "download":
      return checkDownload(job, said, left);
    case "analysis": {
      const analysis = await readAnalysis(job, left);
      const { duration, tempo, key } = analysis;
      return { duration, tempo, key: oneLine(key), warnings: linesOf(said), wants_stems: known.stems };
    }
    case "stems":
      return checkStems(job, left, known);
    case "lighting":
      return checkPlan(job, said, left, known);
    default:
      return job.step satisfies never;
  }
}

async function checkDownload(
  job: LeasedJob,
  said: WorkerResult,
  left: ReadonlyMap<string, string>,
): Promise<StepResult> {
  const { duration = 0 } = said;
  if (!(duration > 0 && duration <= MAX_SONG_SECONDS + LENGTH_SECONDS))
    throw new UnusableResult("it says a length that no song has");
  const audio = await requireSound(left, "audio.mp3", "mp3");
  if ((await stat(audio)).size < LEAST_AUDIO_PER_SECOND * duration)
    throw new UnusableResult("audio.mp3 is too small for the length it says");
  const sources = [...left.keys()].filter(isSource);
  if (job.url !== "" && sources.length !== 1) throw new UnusableResult("it left no original, or several");
  for (const source of sources) await requireSound(left, source);
  const hasCover = left.has(COVER_FILES.large);
  if (hasCover !== left.has(COVER_FILES.small)) throw new UnusableResult("it left half a cover");
  if (hasCover) for (const name of Object.values(COVER_FILES)) await requirePicture(left, name);
  return {
    title: oneLine(said.title),
    artist: oneLine(said.artist),
    duration,
    has_cover: hasCover,
    warnings: linesOf(said),
  };
}

/** Keeps the server's own analysis and adds only the stems and their engine to it. */
async function checkStems(job: LeasedJob, left: ReadonlyMap<string, string>, known: KnownOfSong): Promise<StepResult> {
  for (const name of Object.values(STEM_FILES)) await requireSound(left, name, "mp3");
  const { insights } = await readAnalysis(job, left);
  const own = await known.analysis();
  const by = insights.engines.stems;
  if (!own || !by) throw new UnusableResult("nothing says who made the stems");
  const refused = insights.pattern_reasoning.stems;
  const named = namesStems(own, { by, ...(refused !== undefined && { refused: oneLine(refused) }) });
  await replaceLeft(left.get("hybrid.json")!, JSON.stringify(named)); // readAnalysis has found it
  return {};
}

async function checkPlan(
  job: LeasedJob,
  said: WorkerResult,
  left: ReadonlyMap<string, string>,
  known: KnownOfSong,
): Promise<StepResult> {
  const name = planName(job.plan_number);
  const parsed = lightingPlanSchema.safeParse(await readJson(left, name));
  if (!parsed.success) throw new UnusableResult(`${name} is no plan: ${describeIssue(parsed.error)}`);
  const plan = parsed.data;
  const own = await known.analysis();
  if (!own || plan.song_id !== job.song_id || !isNear(plan.duration, own.duration))
    throw new UnusableResult(`${name} is the plan of another song`);
  const analysis = correctAnalysis(own, await known.corrections());
  const remark = plan.choice?.remarks.find(({ isGood }) => !isGood);
  return {
    palette: plan.palette,
    tempo: analysis.tempo,
    outline: outlineOf(analysis),
    plan: {
      seed: plan.seed,
      scheme: oneLine(plan.scheme),
      remark: oneLine(remark?.text),
      in_evening: said.plan?.in_evening ?? false,
    },
  };
}

async function readAnalysis(job: LeasedJob, left: ReadonlyMap<string, string>): Promise<SongAnalysis> {
  const parsed = songAnalysisSchema.safeParse(await readJson(left, "hybrid.json"));
  if (!parsed.success) throw new UnusableResult(`hybrid.json is no analysis: ${describeIssue(parsed.error)}`);
  const { song_id, duration, tempo, beats } = parsed.data;
  if (song_id !== job.song_id) throw new UnusableResult("hybrid.json is the analysis of another song");
  const isLong = duration > 0 && duration <= MAX_SONG_SECONDS + LENGTH_SECONDS;
  if (!isLong || (job.duration > 0 && !isNear(duration, job.duration)))
    throw new UnusableResult("hybrid.json is of another length than its song");
  if (tempo > FASTEST_BPM || (beats.at(-1) ?? 0) > duration + LENGTH_SECONDS)
    throw new UnusableResult("hybrid.json has beats that no song has");
  return parsed.data;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= LENGTH_SECONDS;

async function readJson(left: ReadonlyMap<string, string>, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(requireLeft(left, name), "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnusableResult(`${name} is no JSON`);
    throw error;
  }
}

async function requireSound(left: ReadonlyMap<string, string>, name: string, format?: string): Promise<string> {
  const path = requireLeft(left, name);
  const found = sniffAudio(await readHead(path, SNIFF_BYTES));
  if (!found || (format && found !== format)) throw new UnusableResult(`${name} holds no such sound`);
  return path;
}

async function requirePicture(left: ReadonlyMap<string, string>, name: string): Promise<void> {
  const head = await readHead(requireLeft(left, name), 12);
  if (head.toString("latin1", 0, 4) !== "RIFF" || head.toString("latin1", 8, 12) !== "WEBP")
    throw new UnusableResult(`${name} is no picture`);
}

function requireLeft(left: ReadonlyMap<string, string>, name: string): string {
  const path = left.get(name);
  if (path === undefined) throw new UnusableResult(`it left no ${name}`);
  return path;
}

const linesOf = ({ warnings = [] }: WorkerResult): string[] => warnings.map(oneLine);

function describeIssue({ issues: [issue] }: { readonly issues: readonly { path: PropertyKey[]; message: string }[] }) {
  return oneLine(`${issue?.path.map(String).join(".") || "it"}: ${issue?.message ?? "of another shape"}`).slice(0, 120);
}
