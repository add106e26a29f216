import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const HOUSE = join(import.meta.dirname, "house.mjs");
/** A script as npm starts it, whose program prints both process IDs and runs until it is stopped. */
const SCRIPT = `
  import { run } from ${JSON.stringify(HOUSE)};
  process.exit(await run([process.execPath, "-e", "console.log(process.ppid, process.pid); setInterval(() => {}, 1000)"]));`;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// kept: Changes | SIGTERM to npm ended npm and its shell, and left what it had started running | failed on the old code
test.each(["SIGTERM", "SIGHUP", "SIGKILL"] as const)(
  "a script and its program end if %s ends npm's shell",
  async (signal) => {
    // Without `exec` a shell waits for its last command, as Debian's does for every command.
    const shell = spawn("sh", ["-c", '"$0" --input-type=module -e "$1"; true', process.execPath, SCRIPT], {
      env: { ...process.env, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = (await once(shell.stdout, "data")) as [Buffer];
    const pids = printed.toString().trim().split(" ").map(Number);
    onTestFinished(() => pids.filter(isRunning).forEach((pid) => process.kill(pid, "SIGKILL")));
    expect(pids.map(isRunning)).toEqual([true, true]);
    shell.kill(signal);
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  },
);
