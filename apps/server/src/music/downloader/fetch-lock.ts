import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

interface Held {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** 0..1 */
  readonly share: number;
}

const SAY_EVERY_MS = 1000;
/** Who has not said anything for so long is gone. */
const GONE_AFTER_MS = 15_000;
const LOOK_EVERY_MS = 200;

/**
 * Lets one process at a time fetch into a folder. The lock saves work and is no more than that: should
 * two ever hold it, both put the same checked file in the same place.
 *
 * @param onWait hears how far somebody else is, 0..1
 * @param work gets a way to say how far it is
 */
export async function withFetchLock<T>(
  folder: string,
  wait: { readonly signal: AbortSignal; readonly onWait: (share: number) => void },
  work: (tell: (share: number) => void) => Promise<T>,
): Promise<T> {
  const path = join(folder, "fetch.lock");
  const file = await acquire(path, wait);
  const self = { id: randomUUID(), host: hostname(), pid: process.pid };
  let share = 0;
  const say = () => write(file, { ...self, share });
  await say();
  let saying: Promise<void> = Promise.resolve();
  const timer = setInterval(() => (saying = saying.then(say).catch(() => undefined)), SAY_EVERY_MS);
  try {
    return await work((now) => (share = now));
  } finally {
    clearInterval(timer);
    await saying;
    await file.close();
    // Taken from us while this process stood still, the lock is somebody else's.
    if ((await holder(path))?.id === self.id) await rm(path, { force: true });
  }
}

async function acquire(
  path: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: (share: number) => void },
): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const held = await holder(path);
    if (await isGone(path, held)) await takeAway(path);
    else {
      if (held) onWait(held.share);
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
  }
}

async function isGone(path: string, held: Held | undefined): Promise<boolean> {
  if (held?.host === hostname() && !isAlive(held.pid)) return true;
  const said = (await stat(path).catch(() => undefined))?.mtimeMs;
  return said !== undefined && Date.now() - said > GONE_AFTER_MS;
}

/** By rename, so that of two who find it stale one takes it away. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => undefined); // somebody else was first
  await rm(aside, { force: true });
}

async function holder(path: string): Promise<Held | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Held; // our own file
  } catch {
    return undefined; // gone, or just being written
  }
}

async function write(file: FileHandle, held: Held): Promise<void> {
  // Of one length, so that no reader meets the end of an older text.
  await file.write(JSON.stringify(held).padEnd(300), 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
