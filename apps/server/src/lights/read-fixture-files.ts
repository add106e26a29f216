import type { ReadFixture, Workspace } from "@followspot/lighting/fixture-formats";
import { startChild } from "../platform/process/child-program.ts";
import { exhausted } from "../platform/errors.ts";

/** A file as it was uploaded. */
export interface FixtureFile {
  /** Its path, with "/" between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Result for one file: a definition, or a sentence explaining why it is invalid. */
export type FileReading =
  | { readonly file: FixtureFile; readonly fixture: ReadFixture; readonly reason?: undefined }
  | { readonly file: FixtureFile; readonly fixture?: undefined; readonly reason: string };

/** Result without its file; results arrive in the order of the files. */
export type FileTold = { readonly fixture: ReadFixture } | { readonly reason: string };

/** What reading may cost. */
export interface ReadingLimits {
  /** One file: a large one takes a second. */
  readonly fileMs: number;
  /** All files together. */
  readonly allMs: number;
  /** Heap of the process that reads, MB. */
  readonly megabytes: number;
}

const LIMITS: ReadingLimits = { fileMs: 20_000, allMs: 120_000, megabytes: 512 };

const TOO_MUCH = "This file takes too long or too much memory to read.";
const TOO_LATE = "The files before this one took too long to read. Import it again.";

/**
 * Reads files in a separate process: the largest take a second, and the API keeps serving requests. A file that takes too
 * long or too much memory is refused, and those behind it are read.
 */
export async function readFixtureFiles(
  files: readonly FixtureFile[],
  { fileMs, allMs, megabytes }: ReadingLimits = LIMITS,
): Promise<readonly FileReading[]> {
  const until = performance.now() + allMs;
  const told: FileTold[] = [];
  while (told.length < files.length) {
    const left = until - performance.now();
    const rest = files.slice(told.length);
    if (left <= 0) told.push({ reason: TOO_LATE });
    else if (!(await readApart({ files: rest }, told, files.length, { patienceMs: Math.min(fileMs, left), megabytes })))
      told.push({ reason: TOO_MUCH });
  }
  return told.map((reading, i) => ({ file: files[i]!, ...reading }) as FileReading);
}

/** What a workspace came to, or a sentence why it is invalid. */
export type WorkspaceReading = Workspace | { readonly reason: string };

/**
 * The same for the patch of a QLC+ workspace.
 * @throws resource_exhausted when it takes too long or too much memory
 */
export async function readWorkspaceFile(bytes: Uint8Array): Promise<WorkspaceReading> {
  const told: WorkspaceReading[] = [];
  await readApart({ workspace: bytes }, told, 1, { patienceMs: LIMITS.allMs, megabytes: LIMITS.megabytes });
  if (!told[0]) throw exhausted("This file takes too long or too much memory to read");
  return told[0];
}

/** What the process that reads is sent. */
export type ReaderTask = { readonly files: readonly FixtureFile[] } | { readonly workspace: Uint8Array };

/** What it tells of each file; a fault is a mistake of ours. */
export type Told<Reading> = { readonly reading: Reading } | { readonly fault: string };

const CHILD = new URL("./read-fixture-files-child.ts", import.meta.url);

/**
 * @param told is given each reading as it comes, until it holds `count`
 * @param limits patience for each reading, ms, and the heap of the process, MB
 * @returns whether all came; otherwise the one behind the last that came took too long or too much memory
 */
async function readApart<Reading>(
  task: ReaderTask,
  told: Reading[],
  count: number,
  { patienceMs, megabytes }: { readonly patienceMs: number; readonly megabytes: number },
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const reader = startChild(CHILD, megabytes, task);
  const patience = setTimeout(() => resolve(false), patienceMs);
  reader.on("message", (message) => {
    const one = message as Told<Reading>; // it is our own program
    if ("fault" in one) return reject(new Error(one.fault));
    patience.refresh();
    told.push(one.reading);
    if (told.length === count) resolve(true);
  });
  reader.on("error", reject);
  reader.on("exit", (_code, signal) => {
    // The engine ends the process by a signal when memory runs out, and so does the system.
    const end = () =>
      signal ? resolve(false) : reject(exhausted("The program that reads fixture files ended. Try again"));
    // What it told before may still be on its way.
    if (reader.connected) reader.once("disconnect", end);
    else end();
  });
  try {
    return await promise;
  } finally {
    clearTimeout(patience);
    reader.removeAllListeners("message");
    reader.kill("SIGKILL");
  }
}
