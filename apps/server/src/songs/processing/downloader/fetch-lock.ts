import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { takeFileLock } from "../../../platform/files/file-lock.ts";

const LOOK_EVERY_MS = 200;
const SAY_EVERY_MS = 1000;

/**
 * Runs a fetch into a folder while no other process fetches into it.
 *
 * @param onWait receives the progress of the process that holds the lock, 0..1
 * @param work receives a function that publishes its progress, 0..1
 */
export async function withFetchLock<T>(
  folder: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: (share: number) => void },
  work: (tell: (share: number) => void) => Promise<T>,
): Promise<T> {
  // Progress of the lock holder, for waiting processes. A half-written file counts as 0.
  const said = join(folder, "fetching.share");
  let release: (() => void) | undefined;
  while (!(release = takeFileLock(join(folder, "fetching.lock")))) {
    onWait(Number(await readFile(said, "utf8").catch(() => "")) || 0);
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  let share = 0;
  let saying: Promise<unknown> = Promise.resolve();
  const say = () => writeFile(said, String(share)).catch(() => undefined); // waiting processes then see no progress
  const timer = setInterval(() => (saying = saying.then(say)), SAY_EVERY_MS);
  try {
    return await work((now) => (share = now));
  } finally {
    clearInterval(timer);
    await saying;
    await rm(said, { force: true });
    release();
  }
}
