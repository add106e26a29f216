import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { synthesiseSong } from "./synthetic-song.ts";

const run = promisify(execFile);
const TIMEOUT = { timeout: 120_000 };
/** Environment without a decoder: the package must do the decoding. */
const ALONE = { ...process.env, PATH: "/nowhere" };
const BPM = 124;

/** Empty folder with the package and its registry dependencies, linked from here, so that the test needs no network. */
let folder: string;
let dependencies: Readonly<Record<string, string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-verbs-"));
  const { stdout } = await run("npm", ["run", "-s", "pack:song", folder], { cwd: ROOT });
  const own = join(folder, "node_modules/followspot-song");
  await mkdir(own, { recursive: true });
  await run("tar", ["-xzf", stdout.trim(), "--strip-components=1", "-C", own]);
  ({ dependencies } = JSON.parse(await readFile(join(own, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies).filter((each) => !each.startsWith("@followspot/"))) {
    await mkdir(join(folder, "node_modules", name, ".."), { recursive: true });
    await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  await writeFile(join(folder, "night.wav"), synthesiseSong(12, BPM));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const verb = (program: string, ...args: string[]) =>
  run(process.execPath, [program, ...args], { cwd: folder, env: ALONE, maxBuffer: 64e6 });
const packed = (...args: string[]) => verb(join(folder, "node_modules/followspot-song/song.js"), ...args);
const ours = (...args: string[]) => verb(fileURLToPath(new URL("../cli/song.ts", import.meta.url)), ...args);

test(
  "the packed song commands analyze, plan, play and render a song elsewhere, as those of the checkout do",
  TIMEOUT,
  async () => {
    const heard = await packed("analyse", "night.wav");
    expect(Math.abs(JSON.parse(heard.stdout).tempo - BPM)).toBeLessThan(1);
    expect(heard.stdout).toBe((await ours("analyse", "night.wav")).stdout);
    await writeFile(join(folder, "hybrid.json"), heard.stdout);
    const planned = await packed("plan", "hybrid.json");
    expect(planned.stdout).toBe((await ours("plan", "hybrid.json")).stdout);
    await writeFile(join(folder, "lighting.json"), planned.stdout);
    const output = ["--rig", "pars:4", "--output", "artnet://127.0.0.1:16454/0", "--record", "show.frames.gz"];
    await packed("play", "lighting.json", ...output, "--from", "11");
    expect((await readFile(join(folder, "show.frames.gz"))).byteLength).toBeGreaterThan(100);
    await packed("still", "lighting.json", "--rig", "pars:8", "--at", "6", "chorus.png");
    expect((await readFile(join(folder, "chorus.png"))).subarray(1, 4).toString()).toBe("PNG");
  },
);

test("the packed song commands write stems, and use their own name in messages", TIMEOUT, async () => {
  await packed("analyse", "night.wav", "--stems", "stems");
  expect((await readFile(join(folder, "stems/drums.mp3"))).byteLength).toBeGreaterThan(10_000);
  expect((await packed("plan", "--help")).stdout).toMatch(/^followspot-song plan /);
});

test("the package needs nothing of this repository, and contains the licenses of its parts", async () => {
  const bundled = Object.keys(dependencies).filter((name) => name.startsWith("@followspot/"));
  expect(bundled.length).toBe(4);
  const inside = (path: string) => readFile(join(folder, "node_modules/followspot-song", path), "utf8");
  for (const name of bundled) expect(JSON.parse(await inside(`node_modules/${name}/package.json`)).name).toBe(name);
  expect(await inside("LICENSE")).toContain("Apache License");
  expect(await inside("node_modules/@followspot/gpl-decoders/COPYING")).toContain("GNU GENERAL PUBLIC LICENSE");
});
