import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { asHelper, type HelperNeeds } from "../../platform/process/helper-account.ts";
import { AudioError } from "./audio-error.ts";
import type { ProgramEnd } from "./program-fault.ts";

export interface ChildProgram {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves at the exit; rejects with an AudioError after a cancel or a timeout. */
  readonly done: Promise<ProgramEnd>;
  /** Kills it and everything it started. */
  readonly kill: () => void;
  /** Kills it without waiting for processes that hold its pipes; `done` rejects with `why`. */
  readonly stop: (why: AudioError) => void;
}

export interface ProgramLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Complete environment of the program; see `plainEnvironment`. */
  readonly env: NodeJS.ProcessEnv;
  /** Working folder; ours by default. */
  readonly cwd?: string;
  /** Set for a program that reads untrusted files: it runs with restricted permissions. */
  readonly helper?: HelperNeeds;
}

/** Time after a kill until pipes are closed, ms; one still open is held by a process that left the group. */
const PIPE_GRACE_MS = 1000;

/** Starts a program without a shell, in a separate process group, with a timeout and an abort signal. */
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
      // The group outlives its leader while a child of the leader runs.
      if (child.pid !== undefined && !isClosed) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has no process left.
    }
  };
  let complaint = "";
  child.stderr.on("data", (bytes: Buffer) => {
    if (complaint.length < 4000) complaint += bytes.toString();
  });
  // A child that dies early breaks its pipe; its exit code gives the reason.
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
    // Background processes of a program are not waited for; its output stays in the pipe.
    child.on("exit", kill);
    child.on("close", settle);
  });
  // The reader of the pipes awaits this later; until then a rejection is not unhandled.
  done.catch(() => undefined);
  return { process: child, done, kill, stop };
}

/** Starts a program of this repository with the Node that runs this process. */
export function startOwnProgram(program: URL, args: readonly string[], limits: ProgramLimits): ChildProgram {
  const path = fileURLToPath(program);
  const { helper } = limits;
  return startProgram(process.execPath, ["--no-warnings", path, ...args], {
    ...limits,
    ...(helper && { helper: { ...helper, reads: [path, ...(helper.reads ?? [])] } }),
  });
}
