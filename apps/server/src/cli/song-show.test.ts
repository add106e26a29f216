import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsRig, planShow } from "@followspot/lighting";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { syntheticAnalysis } from "../../../../packages/lighting/src/testing/synthetic-analysis.ts";
import { songFrames } from "./song-frames.ts";
import { songJudge } from "./song-judge.ts";
import { songPlan } from "./song-plan.ts";
import { songPlay } from "./song-play.ts";

const dir = mkdtempSync(join(tmpdir(), "song-"));
const analysis = syntheticAnalysis({
  form: [
    ["verse", 8, 0.5],
    ["chorus", 8, 0.9],
    ["outro", 4, 0.2],
  ],
});
const file = (name: string, value: unknown) => {
  const path = join(dir, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};
const hybrid = file("hybrid.json", analysis);
const plan = file("lighting.json", planShow(analysis, { groups: [], seed: 1 }));
const rig = file("rig.json", parsRig(4));
let out = "";

beforeEach(() => {
  out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(dir, { recursive: true }));

describe("song verbs", () => {
  it("plan prints a lighting plan", async () => {
    expect(await songPlan([hybrid, "--rig", rig, "--seed", "7"])).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ version: 1, seed: 7, song_id: "synthetic" });
  });

  it("frames prints one line per frame, 512 slots in hex", async () => {
    expect(await songFrames([plan, "--rig", "pars:4", "--from", "20", "--to", "21"])).toBe(0);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { t: number; universes: Record<string, string> });
    expect(lines).toHaveLength(44);
    expect(lines[0]!.t).toBe(20);
    expect(lines[0]!.universes["1"]).toMatch(/^[0-9a-f]{1024}$/);
  });

  it("judge prints gates for three rigs", async () => {
    expect(await songJudge([plan, hybrid])).toBe(0);
    expect((JSON.parse(out) as { rigs: unknown[] }).rigs).toHaveLength(3);
  });

  it.each([
    ["plan", songPlan, []],
    ["plan", songPlan, [hybrid, "--seed", "x"]],
    ["frames", songFrames, [plan]],
    ["frames", songFrames, [plan, "--rig", "pars:4", "--nonsense"]],
    ["judge", songJudge, [plan]],
    ["play", songPlay, [plan, "--rig", rig]],
    ["play", songPlay, [plan, "--rig", rig, "--output", "http://example.org/"]],
  ] as const)("%s refuses bad arguments with 1", async (_name, verb, args) => {
    expect(await verb([...args])).toBe(1);
  });

  it.each([
    ["plan", songPlan, [join(dir, "missing.json")]],
    ["plan", songPlan, [plan]],
    ["frames", songFrames, [hybrid, "--rig", "pars:4"]],
    ["frames", songFrames, [plan, "--rig", hybrid]],
    ["judge", songJudge, [hybrid, plan]],
  ] as const)("%s refuses bad files with 2", async (_name, verb, args) => {
    expect(await verb([...args])).toBe(2);
  });
});
