import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { takeFileLock } from "../../platform/file-lock.ts";

const LOOK_EVERY_MS = 200;
const SAY_EVERY_MS = 1000;

/**
 * Lets one process at a time fetch into a folder.
 *
 * @param onWait hears how far the one before is, 0..1
 * @param work gets a way to say how far it is
 */
export async function withFetchLock<T>(
  folder: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: (share: number) => void },
  work: (tell: (share: number) => void) => Promise<T>,
): Promise<T> {
  // What the one who fetches says to those who wait. It may be half-written when it is read: then it is nothing yet.
  const said = join(folder, "fetching.share");
  let release: (() => void) | undefined;
  while (!(release = takeFileLock(join(folder, "fetching.lock")))) {
    onWait(Number(await readFile(said, "utf8").catch(() => "")) || 0);
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  let share = 0;
  let saying: Promise<unknown> = Promise.resolve();
  const say = () => writeFile(said, String(share)).catch(() => undefined); // who waits sees no progress then
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
