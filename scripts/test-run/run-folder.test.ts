import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
// @ts-expect-error plain JavaScript without types: `npm test` runs it before anything is installed
import { processesOf } from "./processes-of-run.mjs";

const MODULE = join(import.meta.dirname, "run-folder.mjs");
/** A run that starts a program in a folder of its own and one that ignores signals, prints its name, and waits. */
const RUN = `
  import { spawn } from "node:child_process";
  import { openRunFolder } from ${JSON.stringify(MODULE)};
  const { env, close } = await openRunFolder();
  const idle = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  spawn(process.execPath, ["-e", idle], { env, detached: true, stdio: "ignore" }).unref();
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { cwd: env.TMPDIR, env: {}, detached: true, stdio: "ignore" }).unref();
  process.stdout.write(env.TEST_RUN);
  process.stdin.once("data", () => close()).resume();
`;

async function startRun(): Promise<{ runner: ChildProcess; name: string }> {
  const runner = spawn(process.execPath, ["--input-type=module", "-e", RUN], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void runner.kill("SIGKILL"));
  const [name] = (await once(runner.stdout!, "data")) as [Buffer];
  return { runner, name: name.toString() };
}

const foldersOf = (name: string) => [tmpdir(), "/dev/shm"].map((parent) => join(parent, name)).filter(existsSync);
/** Programs of a run; the process that cleans up after it is none. */
const programsOf = (name: string): { pid: number; command: string }[] =>
  processesOf(name).filter(({ command }: { command: string }) => !command.includes("clean-up.mjs"));

// kept: Changes | A test run that was ended by a signal left its servers, files and memory behind | failed on the old code
test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "removes processes and files of a run ended by %s",
  async (signal) => {
    const { runner, name } = await startRun();
    await expect.poll(() => programsOf(name).length).toBe(2);
    runner.kill(signal);
    await expect.poll(() => [...processesOf(name), ...foldersOf(name)]).toEqual([]);
  },
);

test("removes processes and files of a run that ends by itself before its runner does", async () => {
  const { runner, name } = await startRun();
  await expect.poll(() => programsOf(name).length).toBe(2);
  runner.stdin!.write("end");
  await expect.poll(() => [...programsOf(name), ...foldersOf(name)]).toEqual([]);
});

test("leaves running runs alone and removes the folders of runs that no longer exist", async () => {
  const { pid = 0 } = spawn(process.execPath, ["-e", ""]);
  const dead = `followspot-run-${pid}-dead`;
  mkdirSync(join(tmpdir(), dead));
  writeFileSync(join(tmpdir(), dead, "owner"), "0");
  const first = await startRun();
  await startRun();
  expect(readdirSync(tmpdir())).not.toContain(dead);
  expect(foldersOf(first.name)).not.toEqual([]);
  expect(programsOf(first.name).length).toBe(2);
});
