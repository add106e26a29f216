import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Vitest's `afterAll`, for what all tests of a file share, or `onTestFinished`, for what one test has opened. */
type TestsEnd = (close: () => Promise<void>) => unknown;

/** Leaves a thing open until tests end; what was opened last is closed first. */
export function openUntil<T extends { close(): unknown }>(end: TestsEnd, thing: T): T;
export function openUntil<T>(end: TestsEnd, thing: T, close: (thing: T) => unknown): T;
export function openUntil<T extends { close(): unknown }>(end: TestsEnd, thing: T, close = (it: T) => it.close()): T {
  end(async () => void (await close(thing)));
  return thing;
}

/** An empty folder that is there until tests end. */
export async function folderUntil(end: TestsEnd): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "followspot-of-tests-"));
  return openUntil(end, made, (folder) => rm(folder, { recursive: true, force: true }));
}
