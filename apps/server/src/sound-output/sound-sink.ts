import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { environmentOf, plainEnvironment } from "../platform/programs.ts";
import type { OutputProgram } from "./output-program.ts";

/** Takes sound, as fast as it is heard. */
export interface SoundSink {
  /** @returns false while it takes no more */
  write(bytes: Uint8Array): boolean;
  close(): void;
}

/** A program opens what it is to play within this. */
const OPEN_MS = 5000;
const LOOK_MS = 10;
const LAST_WORDS = 500;
/** What a sound server is found by. */
const KEPT = ["HOME", "XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "PIPEWIRE_REMOTE", "DBUS_SESSION_BUS_ADDRESS"];

/**
 * A program that plays, fed by a named pipe. That holds a sixth of a second and no more, where a plain child's input holds half
 * a second of a stop that was pressed; and how fast it empties is the clock of the sound card.
 * @param onEnd it ended by itself: its last words
 * @throws Error that says why there is none
 */
export async function openProgramSink({ path, args }: OutputProgram, onEnd: (why: string) => void): Promise<SoundSink> {
  const folder = await mkdtemp(join(tmpdir(), "followspot-sound-"));
  const pipe = join(folder, "sound");
  await promisify(execFile)("mkfifo", ["-m", "600", pipe]);
  let complaint = "";
  let hasEnded = false;
  let isClosed = false;
  const child = spawn("/bin/sh", ["-c", 'exec "$@" < "$0"', pipe, path, ...args], {
    env: { ...plainEnvironment(), ...environmentOf(KEPT) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = (why: string) => {
    if (hasEnded) return;
    hasEnded = true;
    if (!isClosed) onEnd(complaint.trim().split("\n").at(-1) || why);
  };
  child.stderr.on("data", (bytes: Buffer) => (complaint = (complaint + bytes.toString()).slice(-LAST_WORDS)));
  child.on("error", ({ message }) => ended(message));
  child.on("exit", (code) => setTimeout(() => ended(`it ended with exit code ${code}`), LOOK_MS));
  const file = await openPipe(pipe, () => hasEnded).catch(async (error: Error) => {
    isClosed = true;
    endChild(child);
    throw new Error(complaint.trim().split("\n").at(-1) || error.message, { cause: error });
  }).finally(() => rm(folder, { recursive: true, force: true })); // prettier-ignore
  return {
    write(bytes) {
      if (hasEnded || isClosed) return false;
      try {
        // Fewer bytes than a pipe writes at once: all or none.
        writeSync(file, bytes);
        return true;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EAGAIN") ended(`it takes no sound (${code})`);
        return false;
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(file);
      endChild(child);
    },
  };
}

/** Opens only once the program reads, and never waits within a call. */
async function openPipe(path: string, hasEnded: () => boolean): Promise<number> {
  for (const until = performance.now() + OPEN_MS; performance.now() < until; await sleep(LOOK_MS)) {
    if (hasEnded()) throw new Error("it ended at once");
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    }
  }
  throw new Error("it did not begin to play");
}

function endChild(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
}
