import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { planShow } from "../../packages/lighting/src/index.ts";
import { BASELINES } from "../../packages/lighting/src/testing/baselines.ts";
import { syntheticAnalysis } from "../../packages/lighting/src/testing/synthetic-analysis.ts";

const dir = mkdtempSync(join(tmpdir(), "rivals-"));
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
const rivals = (...args: string[]) =>
  JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, "rivals.ts"), ...args], { encoding: "utf8" }),
  ) as { won: Record<string, { won: number; of: number }>; songs: { baselines: Record<string, unknown> }[] };

afterAll(() => rmSync(dir, { recursive: true }));

describe("rivals", () => {
  it("compares one song with every baseline and draws it, lamp by lamp", () => {
    const picture = join(dir, "song.svg");
    const { songs } = rivals(plan, hybrid, "--rig", "pars:8", "--picture", picture);
    expect(Object.keys(songs[0]!.baselines)).toEqual([...BASELINES]);
    const svg = readFileSync(picture, "utf8");
    expect(svg).toContain(">chorus<");
    expect(svg.length).toBeLessThan(300_000);
  });

  it("counts the songs of a folder that are won, and draws their evening", () => {
    for (const name of ["first", "second", "no song"]) mkdirSync(join(dir, "songs", name), { recursive: true });
    for (const name of ["first", "second"]) {
      copyFileSync(plan, join(dir, "songs", name, "lighting.json"));
      copyFileSync(hybrid, join(dir, "songs", name, "hybrid.json"));
    }
    const picture = join(dir, "evening.svg");
    const { won } = rivals("--songs", join(dir, "songs"), "--rig", "pars:4", "--picture", picture);
    expect(won["single"]).toMatchObject({ won: 2, of: 2 });
    expect(readFileSync(picture, "utf8")).toContain(">second<");
  });
});
