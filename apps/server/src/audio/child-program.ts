import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AudioError } from "./audio-error.ts";

export interface ChildProgram {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves at the exit; rejects with an AudioError when it was cancelled or timed out. */
  readonly done: Promise<{ readonly code: number | null; readonly complaint: string }>;
  /** End it and everything it started. */
  readonly kill: () => void;
}

/** Start a program without a shell, in a process group of its own, that ends with its time or signal. */
export function startProgram(
  command: string,
  args: readonly string[],
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): ChildProgram {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    shell: false,
  });
  const kill = () => {
    try {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended between the question and the call.
    }
  };
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    if (complaint.length < 4000) complaint += bytes.toString();
  });
  // A child that dies early breaks its pipe; its exit code tells why.
  child.stdin.on("error", () => undefined);

  let reason: AudioError | undefined;
  const stop = (why: AudioError) => {
    reason ??= why;
    kill();
  };
  const timer = setTimeout(() => stop(new AudioError("timed_out")), limits.timeoutMs);
  const onAbort = () => stop(new AudioError("cancelled", limits.signal?.reason));
  limits.signal?.addEventListener("abort", onAbort, { once: true });
  if (limits.signal?.aborted) onAbort();

  const done = new Promise<{ code: number | null; complaint: string }>((resolve, reject) => {
    const settle = (code: number | null) => {
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", onAbort);
      if (reason) reject(reason);
      else resolve({ code, complaint });
    };
    child.on("error", (error) => {
      complaint = String(error);
      settle(null);
    });
    child.on("close", settle);
  });
  // Whoever reads the pipes awaits this afterwards; until then a rejection is not unhandled.
  done.catch(() => undefined);
  return { process: child, done, kill };
}

/** Start one of our own programs beside this file with this Node. */
export function startOwnProgram(
  file: string,
  args: readonly string[],
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): ChildProgram {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return startProgram(process.execPath, ["--no-warnings", path, ...args], limits);
}
