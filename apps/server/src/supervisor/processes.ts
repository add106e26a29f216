import { type ChildProcess } from "node:child_process";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

/** A condition a person has to mend; the message says what and how. */
export class StartError extends Error {}

/** A killed process has ended after this, or hangs in the kernel and cannot be waited for. */
const KILLED_MS = 2000;

/**
 * Below the ports that systems give away by themselves (Linux from 32,768, others from 49,152): one from there may have been
 * given to another connection or server by the time it is opened.
 */
const PORTS = { from: 20_000, to: 32_000 };

/** A port on which no process listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((answer, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? answer(false) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)));
  });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, of another user
  }
}

/** The command line of a process, arguments separated by spaces; "" when it has ended. */
export async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === "linux") {
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    }
    return (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout.trim();
  } catch {
    return ""; // ended while we looked
  }
}

/** Processes that work in a folder; none where the system does not tell (it is asked of Linux alone). */
export async function pidsIn(folder: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  const wanted = await realpath(folder).catch(() => folder);
  return pids.filter((_, i) => folders[i] === wanted);
}

/** Sends `signal`, then SIGKILL when the process is still there after `graceMs`. */
export async function stopPid(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  const until = performance.now() + graceMs;
  try {
    process.kill(pid, signal);
    while (isAlive(pid) && performance.now() < until) await sleep(30);
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  } catch {
    return; // it ended by itself
  }
  while (isAlive(pid) && performance.now() < until + KILLED_MS) await sleep(30);
}

/** Stops a child of ours and waits until it has ended, two seconds longer than `graceMs` at the most. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const kill = setTimeout(() => child.kill("SIGKILL"), graceMs);
    const giveUp = setTimeout(resolve, graceMs + KILLED_MS);
    child.once("exit", () => {
      clearTimeout(kill);
      clearTimeout(giveUp);
      resolve();
    });
    child.kill(signal);
  });
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
