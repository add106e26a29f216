// The folders of one test run. Everything that the run starts or writes names them, so that all of it can be found and
// removed however the run ends. Plain Node >= 20 without dependencies.
import { spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endProcessesOf } from "./processes-of-run.mjs";

/** Folders of all runs begin with this, followed by the process ID of their runner. */
const PREFIX = "followspot-run-";
/** The runner's start time, in a file of its folder: process IDs are reused. */
const OWNER = "owner";
/** In memory, where PostgreSQL's files are fastest; it exists on Linux only. */
const MEMORY = "/dev/shm";

/** Parents of the folders of a run: the disk, and memory where there is any. */
const parents = () => [tmpdir(), MEMORY].filter((folder) => isWritable(folder));

/**
 * Makes the folder of this run and starts a process that cleans up after it, even if this process is killed. First removes
 * what earlier runs left behind.
 *
 * @returns `env`: variables for everything that the run starts; `close`: ends the run's processes and removes its files
 */
export async function openRunFolder() {
  await tidyDeadRuns();
  const name = `${PREFIX}${process.pid}-${Date.now().toString(36)}`;
  for (const parent of parents()) {
    const folder = join(parent, name);
    mkdirSync(folder);
    // As root PostgreSQL runs as the user nobody, who must be able to enter.
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, OWNER), startTimeOf(process.pid));
  }
  // It ends the run as soon as its standard input closes, which happens when this process ends in whatever way.
  const cleaner = spawn(process.execPath, [fileURLToPath(new URL("clean-up.mjs", import.meta.url)), name], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  const ended = new Promise((resolve) => cleaner.once("exit", resolve));
  return {
    env: { ...process.env, TMPDIR: join(tmpdir(), name), TEST_RUN: name },
    close: () => {
      cleaner.stdin.end();
      return ended;
    },
  };
}

/** Ends the processes of a run, unmounts its small disks and removes its folders. */
export async function tidyRun(name) {
  await endProcessesOf(name);
  for (const place of mountsOf(name)) spawnSync("umount", ["--lazy", place]);
  for (const parent of parents()) {
    rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Where disks of a run are mounted, the innermost first; Linux only. */
function mountsOf(name) {
  if (!existsSync("/proc/mounts")) return [];
  const places = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  return places.filter((place) => place.includes(name)).reverse();
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function tidyDeadRuns() {
  const folders = parents().flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  const dead = folders.filter((folder) => basename(folder).startsWith(PREFIX) && !isRunning(folder));
  for (const folder of dead) await tidyRun(basename(folder)).catch(() => {}); // it belongs to another user
}

function isRunning(folder) {
  const [pid] = basename(folder).slice(PREFIX.length).split("-");
  const owner = join(folder, OWNER);
  return existsSync(owner) && readFileSync(owner, "utf8") === startTimeOf(Number(pid));
}

/** When a process started, in the system's own unit; "" if it has ended, "running" where the system does not report it. */
function startTimeOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return "";
  }
  if (!existsSync("/proc/self/stat")) return "running";
  try {
    // The 22nd field (proc(5)); the second may hold spaces and ends with the last parenthesis.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ")[19];
  } catch {
    return "";
  }
}
