import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { notifyWatchdog } from "./watchdog.ts";

const INTERVAL_MS = 400;

/** Returns the environment of a service of systemd, with a systemd-notify that writes its arguments to a file. */
async function openService(program = 'echo "$NOTIFY_SOCKET $*" >> "$(dirname "$0")/sent"') {
  const folder = await folderUntil(onTestFinished);
  await writeFile(join(folder, "systemd-notify"), `#!/bin/sh\n${program}\n`);
  await chmod(join(folder, "systemd-notify"), 0o755);
  const sent = async () => (await readFile(join(folder, "sent"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    NOTIFY_SOCKET: "/run/systemd/notify",
    WATCHDOG_USEC: String(INTERVAL_MS * 1000),
    WATCHDOG_PID: String(process.pid),
  };
  return { folder, sent, env };
}

const start = (env: NodeJS.ProcessEnv, warnings: string[] = []) => {
  const end = notifyWatchdog(env, (message) => warnings.push(message));
  return end && openUntil(onTestFinished, end, (stop) => stop());
};

// kept: Doors | A hung supervisor was never detected, so that a process which died then was not restarted | failed on the old code
test("notifies the watchdog of systemd until it is stopped", async () => {
  const { sent, env } = await openService();
  const warnings: string[] = [];
  expect(start(env, warnings)).toBeDefined();
  await expect.poll(async () => (await sent()).length).toBeGreaterThanOrEqual(4);
  expect(new Set(await sent())).toEqual(new Set(["/run/systemd/notify WATCHDOG=1"]));
  expect(warnings).toEqual([]);
});

test.each(["NOTIFY_SOCKET", "WATCHDOG_USEC"])("notifies no watchdog without %s", async (name) => {
  const { env } = await openService();
  expect(start({ ...env, [name]: undefined })).toBeUndefined();
});

test("notifies no watchdog that watches another process", async () => {
  const { env } = await openService();
  expect(start({ ...env, WATCHDOG_PID: "1" })).toBeUndefined();
});

test.each([
  ["fails", "echo 'Failed to notify' >&2; exit 1"],
  ["is missing", undefined],
])("logs a program that %s", async (_how, program) => {
  const { folder, env } = await openService(program);
  const warnings: string[] = [];
  start(program === undefined ? { ...env, PATH: join(folder, "none") } : env, warnings);
  await expect.poll(() => warnings[0]).toMatch(/^systemd's watchdog could not be notified: \w/);
});
