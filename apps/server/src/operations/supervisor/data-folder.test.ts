import { spawn, type ChildProcess } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../platform/settings.ts";
import { lockDataDir, prepareDataDir } from "./data-folder.ts";
import { freePort } from "./processes.ts";
import { folderUntil } from "../../testing/open-until.ts";

/** Time in which six processes start on two cores, ms. */
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
 * Starts another Followspot that takes the lock and keeps it; resolves with its output: "locked" or the refusal.
 * @param at Unix time at which it takes the lock, ms, so that several do at once; 0 = when it is up
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

// kept: Doors | Two simultaneous starts on one data folder both succeeded | failed on the old code
test("of several simultaneous starts exactly one gets the data folder", async () => {
  // Left by a killed process: it must neither block a start nor let two start.
  await writeFile(join(dataDir, "running.pid"), "999999999");
  const allAreUp = Date.now() + START_MS;
  const all = await Promise.all(Array.from({ length: 6 }, () => startAnother(allAreUp)));
  expect(all.filter(({ said }) => said === "locked")).toHaveLength(1);
  expect(all.filter(({ said }) => /is running on .* already/.test(said))).toHaveLength(5);
});

test("the refusal names the process with the lock, and how to start a second one", async () => {
  const { child } = await startAnother();
  await expect(lockDataDir(dataDir)).rejects.toThrow(`(process ${child.pid}). Stop it first, or set PORT`);
});

test("the folder of a killed Followspot is free at once", async () => {
  const { child } = await startAnother();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  const unlock = await lockDataDir(dataDir);
  expect((await startAnother()).said).toContain(`process ${process.pid}`);
  await unlock();
  expect((await startAnother()).said).toBe("locked");
});

test("npm start on a folder in use ends with one sentence, before it changes anything", async () => {
  const { child } = await startAnother();
  const settings = { DATABASE_URL: "", NATS_URL: "", PORT: String(await freePort()), FOLLOWSPOT_DATA_DIR: dataDir };
  const second = spawn(process.execPath, [join(ROOT, "apps/server/dist/main.js")], {
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

test("a folder that cannot be created is refused with a remedy", async () => {
  await writeFile(join(dataDir, "a file"), "");
  await expect(prepareDataDir(join(dataDir, "a file", "data"))).rejects.toThrow(
    "Set FOLLOWSPOT_DATA_DIR to a folder you own",
  );
});
