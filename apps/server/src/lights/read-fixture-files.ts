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

/** What one file came to: a definition, or a sentence why it is none. */
export type FileReading =
  | { readonly file: FixtureFile; readonly fixture: ReadFixture; readonly reason?: undefined }
  | { readonly file: FixtureFile; readonly fixture?: undefined; readonly reason: string };

/** As the thread tells it, in the order of the files. */
export type ThreadReading = { readonly fixture: ReadFixture } | { readonly reason: string };

/** A large file takes a second; so many together are no fixtures. */
const GIVE_UP_MS = 120_000;
/** Memory of the thread. */
const MAX_MB = 512;

/**
 * Reads files in a thread of their own: the largest take a second, and others are served meanwhile.
 * @throws resource_exhausted when they take too long or too much memory
 */
export async function readFixtureFiles(files: readonly FixtureFile[]): Promise<readonly FileReading[]> {
  const readings = await inThread<readonly ThreadReading[]>("./read-fixture-files-thread.ts", files);
  return readings.map((reading, i) => ({ file: files[i]!, ...reading }) as FileReading);
}

/** What a workspace came to, or a sentence why it is none. */
export type WorkspaceReading = Workspace | { readonly reason: string };

/** The same for the patch of a QLC+ workspace. */
export const readWorkspaceFile = (bytes: Uint8Array): Promise<WorkspaceReading> =>
  inThread<WorkspaceReading>("./read-workspace-thread.ts", bytes);

/** @throws resource_exhausted when it takes too long or too much memory */
async function inThread<Reading>(script: string, workerData: unknown): Promise<Reading> {
  const thread = new Worker(new URL(script, import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MB },
  });
  try {
    // `once` rejects when the thread ends with an error, which here is only memory.
    const [reading] = (await once(thread, "message", { signal: AbortSignal.timeout(GIVE_UP_MS) })) as [Reading];
    return reading;
  } catch (error) {
    if (error instanceof Error && "code" in error && TOO_MUCH.includes(String(error.code)))
      throw exhausted("These files take too long or too much memory to read. Import fewer at once");
    throw error;
  } finally {
    await thread.terminate();
  }
}

const TOO_MUCH = ["ERR_WORKER_OUT_OF_MEMORY", "ABORT_ERR"];
