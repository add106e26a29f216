import { spawn, type ChildProcess } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { lockDataDir, prepareDataDir } from "./data-folder.ts";
import { freePort } from "./processes.ts";
import { folderUntil } from "../testing/open-until.ts";

/** Six processes are up within this on two cores. */
const START_MS = 2000;

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = await folderUntil(onTestFinished);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/**
 * Another Followspot that takes the lock and keeps it; resolves with what it says: "locked" or the refusal.
 * @param at Unix time in ms at which it reaches for the lock, so that several do at once; 0 = when it is up
 */
function startAnother(at = 0): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const script = `
    import { lockDataDir } from ${JSON.stringify(join(import.meta.dirname, "data-folder.ts"))};
    while (Date.now() < ${at});
    globalThis.unlock = await lockDataDir(process.argv[1]).catch((error) => console.log(error.message));
    if (globalThis.unlock) console.log("locked");
    setInterval(() => {}, 1000);`;
  const args = ["--input-type=module-typescript", "-e", script, dataDir];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (said: Buffer) => resolve({ child, said: said.toString().trim() }));
    child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
  });
}

// kept: Doors | Two quick starts on one data folder both went ahead | failed on the old code
test("of many that start at the same time exactly one gets the data folder", async () => {
  // Left by one that was killed: no process may wait because of it, and no two may go ahead because of it.
  await writeFile(join(dataDir, "running.pid"), "999999999");
  const allAreUp = Date.now() + START_MS;
  const all = await Promise.all(Array.from({ length: 6 }, () => startAnother(allAreUp)));
  expect(all.filter(({ said }) => said === "locked")).toHaveLength(1);
  expect(all.filter(({ said }) => /is running on .* already/.test(said))).toHaveLength(5);
});

test("the refusal names the process that holds the folder, and how to get a second one", async () => {
  const { child } = await startAnother();
  await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${child.pid}). Stop it first, or set PORT`);
});

test("a folder whose Followspot was killed is free at once", async () => {
  const { child } = await startAnother();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  const unlock = await lockDataDir(dataDir);
  expect((await startAnother()).said).toContain(`process ${process.pid}`);
  await unlock();
  expect((await startAnother()).said).toBe("locked");
});

test("npm start on a folder that is in use ends with one sentence, before it touches anything", async () => {
  const { child } = await startAnother();
  const settings = { DATABASE_URL: "", NATS_URL: "", PORT: String(await freePort()), FOLLOWSPOT_DATA_DIR: dataDir };
  const second = spawn(process.execPath, [join(ROOT, "apps/server/src/main.ts")], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  children.push(second);
  const ended = new Promise<number | null>((resolve) => second.once("exit", resolve));
  const [code, said] = await Promise.all([ended, text(second.stderr)]);
  expect([code, said.trim()]).toEqual([
    1,
    expect.stringContaining(`on ${dataDir} already (process ${child.pid}). Stop`),
  ]);
  expect(await readdir(dataDir)).toEqual(expect.not.arrayContaining(["postgres", "nats", "secrets.json"]));
  expect(child.exitCode).toBeNull();
});

test("a folder that cannot be made is refused with what to do", async () => {
  await writeFile(join(dataDir, "a file"), "");
  await expect(prepareDataDir(join(dataDir, "a file", "data"))).rejects.toThrow(
    "Set FOLLOWSPOT_DATA_DIR to a folder you own",
  );
});
