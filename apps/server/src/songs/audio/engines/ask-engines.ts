import { nearestIndex } from "@followspot/contract";
import type { EngineName, GivenAnswers, GivenBeats, GivenTags } from "@followspot/analysis";
import { z } from "zod";
import { environmentOf, isExecutable, plainEnvironment } from "../../../platform/process/programs.ts";
import { AudioError } from "../audio-error.ts";
import { startOwnProgram, type ChildProgram, type ProgramLimits } from "../child-program.ts";
import { programFault } from "../program-fault.ts";
import { engineTitle, type Capability, type EngineChoice, type Engines } from "./engine-choice.ts";

/** The song that an engine analyzes. */
export interface AskedSong {
  /** Path of a 44.1 kHz stereo WAV. */
  readonly wav: string;
  /** Scratch folder that the engine works in. */
  readonly folder: string;
  readonly seconds: number;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((share: number, note: string) => void) | undefined;
}

/** The reason why an engine gave no result; the message continues the word "because". */
export class Refusal extends Error {
  /** Whether the program does not start or does not end, so that a retry is useless. */
  readonly isBroken: boolean;
  constructor(message: string, { cause, isBroken = false }: { cause?: unknown; isBroken?: boolean } = {}) {
    super(message, { cause });
    this.isBroken = isBroken;
  }
}

/** Size limit of an answer: five times the beats of three hours. */
const MAX_ANSWER_BYTES = 2_000_000;
/** Largest distance of a downbeat from its beat, seconds; engines round. */
const SAME_BEAT_SECONDS = 0.05;
const CLOSEST_BEATS_SECONDS = 0.1;
/** How far behind the end of the song a beat may be, seconds. */
const BEHIND_END_SECONDS = 1;

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);
const word = z.string().trim().min(1).max(80);
/** Name of the engine: part of every answer. */
export const byWhom = { engine: word, version: z.string().trim().max(80) };
/** Output of a beats engine. */
export const beatsAnswer = z.object({
  ...byWhom,
  confidence: unit,
  beats: z.array(seconds).max(200_000),
  downbeats: z.array(seconds).max(200_000).default([]),
});
/** Output of a tags engine. */
export const tagsAnswer = z.object({
  ...byWhom,
  genres: z
    .array(z.object({ name: word, confidence: unit }))
    .max(50)
    .default([]),
  instruments: z
    .array(z.object({ name: word, confidence: unit, stems: z.array(word).max(4).default([]) }))
    .max(50)
    .default([]),
});
const refusedSchema = z.object({ refused: z.string().trim().min(1).max(300) });

/**
 * Runs the chosen engines for beats and tags, one after the other. An engine that fails, hangs or returns an invalid
 * answer is named in `refused`, and the recipe continues without it.
 *
 * @throws AudioError only if the work was canceled
 */
export async function askEngines(song: AskedSong, engines: Engines, options: AskOptions): Promise<GivenAnswers> {
  const refused: Record<string, string> = {};
  const ask = async <Answer>(capability: "beats" | "tags", read: (json: unknown) => Answer) => {
    const choice = engines[capability];
    if (choice.kind === "built-in") return undefined;
    options.onProgress?.(capability === "beats" ? 0 : 0.5, `asking ${engineTitle(choice)} for ${capability}`);
    const answer = await orRefused(choice, capability, options.signal, async () =>
      read(await askForJson(choice, song, options)),
    );
    if ("value" in answer) return answer.value;
    refused[capability] = answer.refused;
    return undefined;
  };
  const beats = await ask("beats", (json) => readBeats(json, song.seconds));
  const tags = await ask("tags", readTags);
  return {
    ...(beats && { beats }),
    ...(tags && { tags }),
    ...(Object.keys(refused).length > 0 && { refused }),
  };
}

/** Runs one request; every failure becomes a sentence for users and a log line. */
export async function orRefused<Answer>(
  choice: EngineChoice,
  capability: Capability,
  signal: AbortSignal | undefined,
  question: () => Promise<Answer>,
): Promise<{ readonly value: Answer } | { readonly refused: string }> {
  try {
    return { value: await question() };
  } catch (error) {
    if (signal?.aborted) throw error instanceof AudioError ? error : new AudioError("cancelled", error);
    const why = error instanceof Refusal ? error.message : "it could not be run";
    const detail = error instanceof Refusal ? error.cause : error;
    process.stderr.write(
      `${engineTitle(choice)} did not answer for ${capability}: ${why}${detail ? `\n${String(detail)}` : ""}\n`,
    );
    return {
      refused: `${engineTitle(choice)} was asked for ${capability} and did not answer, because ${why}. The built-in engine was used.`,
    };
  }
}

/** Returns the JSON that an engine prints about a song. @throws Refusal */
export async function askForJson(choice: EngineChoice, song: AskedSong, options: AskOptions): Promise<unknown> {
  const text = await answerOf(() => startEngine(choice, song, limitsFor(song, options)), choice, options);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal("it printed something that is not JSON", { cause: text.slice(0, 200) });
  }
  const declined = refusedSchema.safeParse(json);
  if (declined.success) throw new Refusal(`it said: ${declined.data.refused.replace(/\.$/, "")}`);
  return json;
}

export function limitsFor(song: AskedSong, { timeoutMs, signal }: AskOptions): ProgramLimits {
  return { timeoutMs, signal, cwd: song.folder, env: engineEnvironment() };
}

/**
 * Returns the output of a program after a successful exit.
 * @throws Refusal if it cannot be started, fails, times out or prints too much
 */
export async function answerOf(
  start: () => Promise<ChildProgram> | ChildProgram,
  choice: EngineChoice,
  { timeoutMs, signal }: AskOptions,
): Promise<string> {
  if (choice.kind === "exec" && !(await isExecutable(choice.path)))
    throw new Refusal("there is no such program, or it may not be run", { isBroken: true });
  const program = await start();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of program.process.stdout as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    // The pipe broke; the program's exit gives the reason.
  }
  if (size > MAX_ANSWER_BYTES) program.kill();
  const ended = await program.done.catch((error: unknown) => {
    if (signal?.aborted || !(error instanceof AudioError) || error.code !== "timed_out") throw error;
    throw new Refusal(`it took longer than ${timeoutMs / 1000} seconds`, { isBroken: true });
  });
  if (size > MAX_ANSWER_BYTES) throw new Refusal(`it printed more than ${MAX_ANSWER_BYTES / 1e6} MB`);
  if (ended.code === 0) return Buffer.concat(chunks).toString("utf8");
  const fault = programFault(ended);
  const cause = ended.complaint.slice(0, 1000);
  throw new Refusal(fault ?? `it ended with exit code ${ended.code}`, { cause, isBroken: fault !== undefined });
}

function startEngine(choice: EngineChoice, song: AskedSong, limits: ProgramLimits): ChildProgram {
  switch (choice.kind) {
    case "exec":
      return startEngineProgram(choice.path, [song.wav], limits);
    case "beat-this":
      return startOwnProgram(new URL("./beat-this-child.ts", import.meta.url), [choice.path, song.wav], limits);
    case "demucs":
    case "built-in":
      throw new RangeError(`${choice.kind} prints no JSON`);
    default:
      return choice satisfies never;
  }
}

/** Starts a program of the user that ends with this process, however that ends. */
export function startEngineProgram(path: string, args: readonly string[], limits: ProgramLimits): ChildProgram {
  return startOwnProgram(new URL("./run-engine-child.ts", import.meta.url), [path, ...args], limits);
}

/**
 * Environment variables for engines. An engine is a program of the user: it finds its models in the real home folder,
 * and its Python and graphics card by these names. It receives nothing else of our environment.
 */
const ENGINE_VARIABLES = [
  ...["HOME", "USER", "TMPDIR", "XDG_CACHE_HOME", "TORCH_HOME", "HF_HOME", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"],
  ...["CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "OMP_NUM_THREADS"],
];

/** Returns the environment of an engine. */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), ...environmentOf(ENGINE_VARIABLES) };
}

/** @throws Refusal that names the first problem */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(`its answer is not in our format (${[issue?.path.join("."), issue?.message].join(": ")})`);
}

function readBeats(json: unknown, songSeconds: number): GivenBeats {
  const answer = readAnswer(beatsAnswer, json);
  if (answer.beats.some((t) => t > songSeconds + BEHIND_END_SECONDS))
    throw new Refusal("it has beats behind the end of the song");
  // Decoders pad the end: a beat just behind it is not an error and is dropped.
  const isInSong = (t: number) => t < songSeconds;
  const beats = answer.beats.filter(isInSong);
  if (beats.length < 2) throw new Refusal("it found no beats");
  const tooClose = beats.findIndex((t, i) => i > 0 && t - beats[i - 1]! < CLOSEST_BEATS_SECONDS);
  if (tooClose > 0)
    throw new Refusal(
      beats[tooClose]! <= beats[tooClose - 1]!
        ? `its beats do not ascend (beat ${tooClose})`
        : `its beats lie closer than ${CLOSEST_BEATS_SECONDS} seconds (beat ${tooClose})`,
    );

  const given = answer.downbeats.filter(isInSong);
  const downbeats = given.map((t) => beats[nearestIndex(beats, t)]!); // beats are not empty here
  if (downbeats.some((t, i) => Math.abs(t - given[i]!) > SAME_BEAT_SECONDS))
    throw new Refusal("a downbeat of its answer is not one of its beats");
  if (downbeats.some((t, i) => i > 0 && t <= downbeats[i - 1]!)) throw new Refusal("its downbeats do not ascend");
  return { by: nameOf(answer), confidence: answer.confidence, beats, downbeats };
}

function readTags(json: unknown): GivenTags {
  const { genres, instruments, ...rest } = readAnswer(tagsAnswer, json);
  if (genres.length + instruments.length === 0) throw new Refusal("it heard neither a genre nor an instrument");
  return { by: nameOf(rest), genres, instruments };
}

export const nameOf = ({ engine, version }: EngineName): EngineName => ({ engine, version });
