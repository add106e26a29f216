import { type ChildProcess } from "node:child_process";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";

/** A condition that an operator has to fix; the message explains how. */
export class StartError extends Error {}

/** Time to wait for a killed process, ms; after it the process hangs in the kernel. */
const KILLED_MS = 2000;

/**
 * Range below the ephemeral ports (Linux from 32,768, others from 49,152). An ephemeral port may be assigned to another
 * connection or server before it is opened.
 */
const PORTS = { from: 20_000, to: 32_000 };

/** Returns a port on which no process listens. */
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
    return (error as NodeJS.ErrnoException).code === "EPERM"; // alive, owned by another user
  }
}

/** Returns the command line of a process, arguments separated by spaces; "" if it has ended. */
export async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === "linux") {
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    }
    return (await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)])).stdout.trim();
  } catch {
    return ""; // ended meanwhile
  }
}

/** Lists the processes whose working directory is this folder; on Linux only, otherwise empty. */
export async function pidsIn(folder: string): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  const wanted = await realpath(folder).catch(() => folder);
  return pids.filter((_, i) => folders[i] === wanted);
}

/** Sends `signal`, and SIGKILL if the process still runs after `graceMs`. */
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

/** Stops a child process and waits until it has ended, for at most `graceMs` plus two seconds. */
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
