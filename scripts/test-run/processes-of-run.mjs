// The processes of a test run: those whose command line, environment or working folder names it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a process may take to stop in order, ms. PostgreSQL removes its shared memory then. */
const GRACE_MS = 3000;
/** A killed process that is still there after this hangs in the kernel, ms. */
const KILL_MS = 2000;
const LOOK_MS = 50;

/** Ends every process of a run: first in order, after {@link GRACE_MS} at once. */
export async function endProcessesOf(run) {
  const asked = new Set();
  for (const end = Date.now() + GRACE_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const left = processesOf(run);
    if (left.length === 0) return;
    for (const { pid, command } of left) {
      if (asked.has(pid)) continue;
      asked.add(pid);
      // SIGTERM lets PostgreSQL wait for its clients; SIGINT does not.
      send(pid, /\bpostgres\b/.test(command) ? "SIGINT" : "SIGTERM");
    }
  }
  for (const end = Date.now() + KILL_MS; Date.now() < end; await sleep(LOOK_MS)) {
    const left = processesOf(run);
    if (left.length === 0) return;
    for (const { pid } of left) send(pid, "SIGKILL");
  }
}

/** Process ID and command line of each process of a run. Zombies and this process are not among them. */
export function processesOf(run) {
  const found = existsSync("/proc/self/cmdline") ? processesByProc(run) : processesByPs(run);
  return found.filter(({ pid }) => pid !== process.pid);
}

function processesByProc(run) {
  const read = (pid, file) => orEmpty(() => readFileSync(`/proc/${pid}/${file}`, "utf8"));
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: read(name, "cmdline").replaceAll("\0", " ") }))
    .filter(
      ({ pid, command }) =>
        command !== "" &&
        (command.includes(run) ||
          read(pid, "environ").includes(run) ||
          orEmpty(() => readlinkSync(`/proc/${pid}/cwd`)).includes(run)),
    );
}

/** macOS: `-E` prints the environment of one's own processes behind their command line. */
function processesByPs(run) {
  return execFileSync("ps", ["-axwwE", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64e6 })
    .split("\n")
    .filter((line) => line.includes(run))
    .map((line) => ({ pid: parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, "") }));
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function orEmpty(read) {
  try {
    return read();
  } catch {
    return ""; // it has ended meanwhile, or belongs to another user
  }
}
