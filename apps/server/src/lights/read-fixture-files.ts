import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ReadFixture, Workspace } from "@followspot/lighting/fixture-formats";
import { exhausted } from "../platform/errors.ts";

/** A file as it was given. */
export interface FixtureFile {
  /** Its path, with "/" between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What one file came to: a definition, or a sentence why it is invalid. */
export type FileReading =
  | { readonly file: FixtureFile; readonly fixture: ReadFixture; readonly reason?: undefined }
  | { readonly file: FixtureFile; readonly fixture?: undefined; readonly reason: string };

/** As the thread tells it, in the order of the files. */
export type ThreadReading = { readonly fixture: ReadFixture } | { readonly reason: string };

/** What reading may cost. */
export interface ReadingLimits {
  /** One file: a large one takes a second. */
  readonly fileMs: number;
  /** All files together. */
  readonly allMs: number;
  /** Memory of the thread. */
  readonly megabytes: number;
}

const LIMITS: ReadingLimits = { fileMs: 20_000, allMs: 120_000, megabytes: 512 };

const TOO_MUCH = "This file takes too long or too much memory to read.";
const TOO_LATE = "The files before this one took too long to read. Import it again.";

/**
 * Reads files in a thread of their own: the largest take a second, and others are served meanwhile. A file that takes too
 * long or too much memory is refused, and those behind it are read.
 */
export async function readFixtureFiles(
  files: readonly FixtureFile[],
  limits: ReadingLimits = LIMITS,
): Promise<readonly FileReading[]> {
  const until = performance.now() + limits.allMs;
  const readings: ThreadReading[] = [];
  while (readings.length < files.length) {
    const before = readings.length;
    const why = await readInThread(files.slice(before), limits, until, (reading) => void readings.push(reading));
    if (why !== undefined) readings.push({ reason: why });
    // A thread that ends without a word has done nothing and would do so again.
    else if (readings.length === before) throw exhausted("The thread that reads fixture files ended. Try again");
  }
  return readings.map((reading, i) => ({ file: files[i]!, ...reading }) as FileReading);
}

/** @returns why the file behind the last one told was not read; undefined when all were */
async function readInThread(
  files: readonly FixtureFile[],
  { fileMs, megabytes }: ReadingLimits,
  until: number,
  tell: (reading: ThreadReading) => void,
): Promise<string | undefined> {
  const left = until - performance.now();
  if (left <= 0) return TOO_LATE;
  const thread = startThread("./read-fixture-files-thread.ts", files, megabytes);
  let untold = files.length;
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const patience = setTimeout(() => resolve(TOO_MUCH), Math.min(fileMs, left));
  thread.on("message", (reading: ThreadReading) => {
    patience.refresh();
    tell(reading);
    if (--untold === 0) resolve(undefined);
  });
  thread.on("error", (error) => (isTooMuch(error) ? resolve(TOO_MUCH) : reject(error)));
  thread.on("exit", () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(patience);
    thread.removeAllListeners("message");
    await thread.terminate();
  }
}

const startThread = (script: string, workerData: unknown, megabytes = LIMITS.megabytes): Worker =>
  new Worker(new URL(script, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });

const isTooMuch = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ERR_WORKER_OUT_OF_MEMORY", "ABORT_ERR"].includes(String(error.code));

/** What a workspace came to, or a sentence why it is invalid. */
export type WorkspaceReading = Workspace | { readonly reason: string };

/**
 * The same for the patch of a QLC+ workspace.
 * @throws resource_exhausted when it takes too long or too much memory
 */
export async function readWorkspaceFile(bytes: Uint8Array): Promise<WorkspaceReading> {
  const thread = startThread("./read-workspace-thread.ts", bytes);
  try {
    // `once` rejects when the thread ends with an error, which here is only memory.
    const [reading] = await once(thread, "message", { signal: AbortSignal.timeout(LIMITS.allMs) });
    return reading as WorkspaceReading; // as the thread tells it
  } catch (error) {
    if (isTooMuch(error)) throw exhausted("This file takes too long or too much memory to read");
    throw error;
  } finally {
    await thread.terminate();
  }
}
