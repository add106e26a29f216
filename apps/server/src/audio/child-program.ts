import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { asHelper, type HelperNeeds } from "../platform/helper-account.ts";
import { AudioError } from "./audio-error.ts";
import type { ProgramEnd } from "./program-fault.ts";

export interface ChildProgram {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves at the exit; rejects with an AudioError when it was cancelled or timed out. */
  readonly done: Promise<ProgramEnd>;
  /** End it and everything it started. */
  readonly kill: () => void;
  /** The same, without waiting for whatever holds its pipes; `done` rejects with `why`. */
  readonly stop: (why: AudioError) => void;
}

export interface ProgramLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Everything the program sees of our environment; see `plainEnvironment`. */
  readonly env: NodeJS.ProcessEnv;
  /** Working folder; ours unless given. */
  readonly cwd?: string;
  /** For one that reads what strangers made: it runs without our rights. */
  readonly helper?: HelperNeeds;
}

/** A pipe still open this long after its program was killed is held by a process that left the group. */
const PIPE_GRACE_MS = 1000;

/** Start a program without a shell, in a process group of its own, that ends with its time or signal. */
export function startProgram(command: string, args: readonly string[], limits: ProgramLimits): ChildProgram {
  const start = limits.helper ? asHelper(command, args, limits.helper) : { command, args, rights: {} };
  const child = spawn(start.command, start.args, {
    ...start.rights,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    shell: false,
    env: limits.env,
    ...(limits.cwd !== undefined && { cwd: limits.cwd }),
  });
  let isClosed = false;
  const kill = () => {
    try {
      // The group outlives its leader while a child of the leader runs on.
      if (child.pid !== undefined && !isClosed) process.kill(-child.pid, "SIGKILL");
    } catch {
      // No process of the group is left.
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
    // A process that left the group may still hold the pipes; it is not waited for.
    setTimeout(() => {
      if (isClosed) return;
      child.stdout.destroy();
      child.stderr.destroy();
    }, PIPE_GRACE_MS).unref();
  };
  const timer = setTimeout(() => stop(new AudioError("timed_out")), limits.timeoutMs);
  const onAbort = () => stop(new AudioError("cancelled", limits.signal?.reason));
  limits.signal?.addEventListener("abort", onAbort, { once: true });
  if (limits.signal?.aborted) onAbort();

  const done = new Promise<ProgramEnd>((resolve, reject) => {
    const settle = (code: number | null) => {
      isClosed = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", onAbort);
      if (reason) reject(reason);
      else resolve({ code, complaint });
    };
    child.on("error", (error) => {
      complaint = String(error);
      settle(null);
    });
    // What a program leaves running is not waited for; what it has printed stays in the pipe.
    child.on("exit", kill);
    child.on("close", settle);
  });
  // The reader of the pipes awaits this afterwards; until then a rejection is not unhandled.
  done.catch(() => undefined);
  return { process: child, done, kill, stop };
}

/** Start one of our own programs beside this file with this Node. */
export function startOwnProgram(file: string, args: readonly string[], limits: ProgramLimits): ChildProgram {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { helper } = limits;
  return startProgram(process.execPath, ["--no-warnings", path, ...args], {
    ...limits,
    ...(helper && { helper: { ...helper, reads: [path, ...(helper.reads ?? [])] } }),
  });
}
