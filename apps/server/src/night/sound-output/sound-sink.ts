import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { environmentOf, plainEnvironment } from "../../platform/process/programs.ts";
import type { OutputProgram } from "./output-program.ts";

/** Accepts sound at playback speed. */
export interface SoundSink {
  /** @returns false while it accepts no more */
  write(bytes: Uint8Array): boolean;
  close(): void;
}

/** Time for a program to open its input, ms. */
const OPEN_MS = 5000;
const LOOK_MS = 10;
const LAST_WORDS = 500;
/** Environment variables that locate a sound server. */
const KEPT = ["HOME", "XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "PIPEWIRE_REMOTE", "DBUS_SESSION_BUS_ADDRESS"];

/**
 * Opens a program that plays sound from a named pipe. The pipe holds only a sixth of a second; a child's stdin would
 * still play half a second after a stop. The rate at which it empties is the clock of the sound card.
 * @param onEnd called with its last error message if it ends by itself
 * @throws Error with the reason if it cannot be opened
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
        // Fewer bytes than a pipe writes atomically: all or none.
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

/** Opens the pipe once the program reads it, without blocking calls. */
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
