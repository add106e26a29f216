import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Vitest's `afterAll` for resources shared by a file, or `onTestFinished` for those of one test. */
type TestsEnd = (close: () => Promise<void>) => unknown;

/** Registers a resource to be closed when the tests end, in reverse order of opening. */
export function openUntil<T extends { close(): unknown }>(end: TestsEnd, thing: T): T;
export function openUntil<T>(end: TestsEnd, thing: T, close: (thing: T) => unknown): T;
export function openUntil<T extends { close(): unknown }>(end: TestsEnd, thing: T, close = (it: T) => it.close()): T {
  end(async () => void (await close(thing)));
  return thing;
}

/** Creates an empty folder that is deleted when the tests end. */
export async function folderUntil(end: TestsEnd): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "followspot-of-tests-"));
  return openUntil(end, made, (folder) => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
}
