import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lightingPlanSchema, type LightingPlan } from "@followspot/contract";
import { emptyPlan } from "@followspot/lighting";
import sharp from "sharp";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bestStart } from "../songs/film/best-seconds.ts";
import { songFilm } from "./song-film.ts";
import { songStill } from "./song-still.ts";

const dir = mkdtempSync(join(tmpdir(), "film-"));
const at = (name: string) => join(dir, name);
let out = "";
let errors = "";

/** Plan of 4 s: dark for a second, red for a second, then blue. */
const known = lightingPlanSchema.parse({
  ...emptyPlan([]),
  song_id: "known",
  duration: 4,
  palette: ["#ff0000"],
  beats: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5],
  downbeats: [0, 2],
  event_lanes: { all: [cue(1, 1, "#ff0000"), cue(2, 2, "#0000ff")] },
});
const plan = at("lighting.json");
writeFileSync(plan, JSON.stringify(known));
/** Picture of one par: its lens is in the middle, 32 of 236 units below the upper edge of the stage. */
const LENS = { width: 1200, height: 236, x: 600, y: 32 };

beforeEach(() => {
  out = errors = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(console, "error").mockImplementation((text) => void (errors += `${String(text)}\n`));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(dir, { recursive: true }));

describe("song -- still", () => {
  it("is dark before the first cue, then lit at the fixture in the cue's color", async () => {
    const colors = [];
    for (const t of ["0.99", "1", "1.99", "2"]) {
      const file = at("still.png");
      expect(await songStill([plan, "--look", "flat", "--rig", "pars:1", "--at", t, file, "--size", "1200x236"])).toBe(
        0,
      );
      colors.push((await pixels(file))(LENS.x, LENS.y));
    }
    const dark = colors[0]!;
    expect(Math.max(...dark)).toBeLessThan(16);
    expect(colors.slice(1)).toEqual([
      [255, 0, 0],
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(JSON.parse(out.trim().split("\n").at(-1)!)).toEqual({
      file: at("still.png"),
      at: 2,
      width: 1200,
      height: 236,
    });
  });

  it("shows beam and pool below the fixture, and the room beside them", async () => {
    expect(
      await songStill([plan, "--look", "flat", "--rig", "pars:1", "--at", "1.5", at("beam.png"), "--size", "600x400"]),
    ).toBe(0);
    const pixel = await pixels(at("beam.png"));
    // Half the size; the stage begins 141 pixels below the upper edge.
    const y = (units: number) => Math.round(141 + units / 2);
    const [beam, pool, aside, above] = [pixel(300, y(100)), pixel(300, y(211)), pixel(100, y(100)), pixel(300, 4)];
    for (const [r, g, b] of [beam, pool]) expect(r! - Math.max(g!, b!)).toBeGreaterThan(60);
    for (const color of [aside, above]) expect(Math.max(...color)).toBeLessThan(24);
  });
});

describe("song -- film", () => {
  it("changes exactly at the frame of a cue, and has the requested length", async () => {
    const args = [
      plan,
      "--look",
      "flat",
      "--rig",
      "pars:1",
      "--from",
      "0.5",
      "--to",
      "2.5",
      "--fps",
      "10",
      "--size",
      "300x64",
    ];
    for (const type of ["webp", "gif"]) {
      expect(await songFilm([...args, at(`edge.${type}`)])).toBe(0);
      const { pages, delay, loop } = await sharp(at(`edge.${type}`), { animated: true }).metadata();
      // Equal frames are merged into one longer frame: 5 dark, 10 red, 5 blue.
      expect({ pages, delay, loop }).toEqual({ pages: 3, delay: [500, 1000, 500], loop: 0 });
      const lens = await Promise.all([0, 1, 2].map(async (page) => (await pixels(at(`edge.${type}`), page))(150, 11)));
      const leading = lens.map((color) =>
        Math.max(...color) < 50 ? "dark" : ["red", "green", "blue"][strongest(color)],
      );
      expect(leading).toEqual(["dark", "red", "blue"]);
    }
    const [first] = out.trim().split("\n");
    expect(JSON.parse(first!)).toEqual({ file: at("edge.webp"), seconds: 2, frames: 20, width: 300, height: 64 });
    expect(errors).toContain("100 % 20 of 20 frames drawn");
  });

  it("has the exact length at frame rates that do not divide a second evenly", async () => {
    const rising = { ...cue(0, 4, "#ff0000"), intent: "ramp", params: { level: 0, to_level: 1 } };
    writeFileSync(at("moving.json"), JSON.stringify({ ...known, event_lanes: { all: [rising] } }));
    for (const type of ["webp", "gif"]) {
      const args = [
        at("moving.json"),
        "--look",
        "flat",
        "--rig",
        "pars:1",
        "--to",
        "1",
        "--fps",
        "30",
        "--size",
        "300x64",
      ];
      expect(await songFilm([...args, at(`thirty.${type}`)])).toBe(0);
      const { delay = [] } = await sharp(at(`thirty.${type}`), { animated: true }).metadata();
      expect(delay.reduce((sum, ms) => sum + ms, 0)).toBe(1000);
    }
  });

  it("is a still picture if only one frame fits, or none differs", async () => {
    for (const [type, to] of [
      ["webp", "1.04"],
      ["gif", "1.04"],
      ["webp", "1.4"],
    ] as const) {
      const args = [
        plan,
        "--look",
        "flat",
        "--rig",
        "pars:1",
        "--from",
        "1",
        "--to",
        to,
        "--size",
        "300x64",
        at(`one.${type}`),
      ];
      expect(await songFilm(args)).toBe(0);
      expect((await pixels(at(`one.${type}`)))(150, 11)[0]).toBeGreaterThan(120);
    }
  });

  it("films the first chorus or drop by default", () => {
    const sections = (...labels: string[]): LightingPlan => ({
      ...known,
      duration: 100,
      sections: labels.map((label, i) => ({ label, start: 30 * i, end: 30 * i + 30, rank: 0 })),
    });
    expect(bestStart(sections("verse", "drop", "chorus"), 20)).toBe(28);
    expect(bestStart(sections("chorus", "verse"), 20)).toBe(0);
    expect(bestStart(sections("verse", "verse"), 20)).toBe(0);
    expect(bestStart({ ...sections("verse", "chorus"), duration: 40 }, 20)).toBe(20);
    const unnamed = {
      ...known,
      duration: 100,
      event_lanes: { all: [{ ...cue(50, 8, "#ff0000"), section: "chorus" }] },
    };
    expect(bestStart(unnamed, 20)).toBe(48);
  });

  it("tells what to do without ffmpeg", async () => {
    vi.stubEnv("PATH", "");
    vi.stubEnv("FOLLOWSPOT_FFMPEG", undefined);
    expect(await songFilm([plan, "--look", "flat", "--rig", "pars:1", at("film.mp4")])).toBe(2);
    expect(errors).toBe(
      "There is no ffmpeg to make a .mp4 with: install it, or name it with FOLLOWSPOT_FFMPEG; a .webp needs none\n",
    );
  });

  it("passes every frame to ffmpeg and reports the complete file", async () => {
    useFfmpeg('cat > "$file"');
    expect(
      await songFilm([plan, "--look", "flat", "--rig", "pars:1", "--to", "1", "--size", "64x64", at("film.webm")]),
    ).toBe(0);
    expect(statSync(at("film.webm")).size).toBe(3 * 64 * 64 * 25);
  });

  it.each([
    ["fails at once", "echo '[x264 @ 0x1] no such encoder' >&2; exit 1", /: no such encoder$/],
    ["fails half-way", 'head -c 20000 > "$file"; echo disk full >&2; exit 1', /: disk full$/],
    ["cannot be run", undefined, /: there is no such program$/],
  ])("leaves no incomplete film when ffmpeg %s", async (_how, script, why) => {
    useFfmpeg(script);
    const before = readdirSync(dir);
    expect(
      await songFilm([plan, "--look", "flat", "--rig", "pars:1", "--to", "4", "--size", "64x64", at("never.mp4")]),
    ).toBe(2);
    expect(errors.trim()).toMatch(why);
    expect(readdirSync(dir)).toEqual(before);
  });

  it("leaves no incomplete film when stopped", async () => {
    const folder = at("stopped");
    mkdirSync(folder);
    const cli = fileURLToPath(new URL("./song.ts", import.meta.url));
    useFfmpeg('cat > "$file"');
    const args = [
      "film",
      plan,
      "--look",
      "flat",
      "--rig",
      "pars:64",
      "--to",
      "4",
      "--fps",
      "60",
      join(folder, "film.mp4"),
    ];
    const child = spawn(process.execPath, ["--no-warnings", cli, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    await once(child.stderr, "data");
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a look", () => {
  const still = (...more: string[]) =>
    songStill([plan, "--rig", "pars:1", "--at", "1", at("look.png"), "--size", "64x64", ...more]);

  it("is flat without Chromium, which is reported", async () => {
    vi.stubEnv("FOLLOWSPOT_CHROMIUM", at("no-chromium"));
    expect(await still()).toBe(0);
    expect(errors).toBe("Drawn flat: there is no Chromium; install it, or name it with FOLLOWSPOT_CHROMIUM\n");
  });

  it("is rejected if it was requested and is unavailable", async () => {
    vi.stubEnv("FOLLOWSPOT_CHROMIUM", at("no-chromium"));
    expect(await still("--look", "3d")).toBe(2);
    expect(errors).toMatch(/^The stage cannot be drawn in 3D: there is no Chromium/);
  });

  it("fails when Chromium exits, with its output", async () => {
    writeFileSync(at("chromium"), "#!/bin/sh\necho no display >&2; exit 7\n", { mode: 0o755 });
    vi.stubEnv("FOLLOWSPOT_CHROMIUM", at("chromium"));
    expect(await still("--look", "3d")).toBe(2);
    expect(errors).toBe("Chromium cannot draw the stage: it ended with exit code 7, no display\n");
  });
});

describe("what cannot be drawn", () => {
  const still = (...more: string[]) => [songStill, [plan, "--look", "flat", "--rig", "pars:1", ...more]] as const;
  const film = (...more: string[]) => [songFilm, [plan, "--look", "flat", "--rig", "pars:1", ...more]] as const;

  it.each([
    [1, /^song -- still PLAN/, ...still("--at", "1")],
    [1, /^song -- still PLAN/, ...still(at("a.png"))],
    [1, /--at is a number from 0 to 4, not nothing/, ...still("--at", "", at("a.png"))],
    [1, /--at is a number from 0 to 4, not 4.5/, ...still("--at", "4.5", at("a.png"))],
    [1, /A still is a .png/, ...still("--at", "1", at("a.jpg"))],
    [1, /even pixels/, ...still("--at", "1", at("a.png"), "--size", "2000x1000")],
    [1, /even pixels/, ...still("--at", "1", at("a.png"), "--size", "101x100")],
    [2, /there is no folder/, ...still("--at", "1", at("none/a.png"))],
    [2, /EISDIR/, ...still("--at", "1", at("folder.png"))],
    [1, /^song -- film PLAN/, ...film()],
    [1, /Unknown option '--nonsense'/, ...film(at("a.webp"), "--nonsense")],
    [1, /A film ends in .mp4, .webm, .webp or .gif/, ...film(at("a.avi"))],
    [1, /--fps is a number from 1 to 60, not 61/, ...film(at("a.webp"), "--fps", "61")],
    [1, /A GIF shows at most 50/, ...film(at("a.gif"), "--fps", "60")],
    [1, /A film ends after it begins/, ...film(at("a.webp"), "--from", "2", "--to", "2")],
    [1, /has no sound/, ...film(at("a.webp"), "--audio", plan)],
    [2, /There is no file/, ...film(at("a.mp4"), "--audio", at("none.mp3"))],
    [2, /is not a lighting plan/, songFilm, [at("long.json"), "--rig", plan, at("a.webp")]],
    [
      1,
      /--look is 3d or flat, not round/,
      songStill,
      [plan, "--rig", "pars:1", "--at", "1", at("a.png"), "--look", "round"],
    ],
    [2, /is not a rig/, songFilm, [plan, "--rig", plan, at("a.webp")]],
  ])("ends with %i: %s", async (code, why, verb, args) => {
    mkdirSync(at("folder.png"), { recursive: true });
    writeFileSync(at("long.json"), "{}");
    expect(await verb([...args])).toBe(code);
    expect(errors).toMatch(why);
    expect(readdirSync(dir).filter((name) => name.includes("tmp-"))).toEqual([]);
  });

  it("includes films over ten minutes, or with more frames than an animated picture holds", async () => {
    writeFileSync(at("hour.json"), JSON.stringify({ ...known, duration: 3600 }));
    const hour = [at("hour.json"), "--look", "flat", "--rig", "pars:1", "--from", "0"];
    expect(await songFilm([...hour, "--to", "601", at("a.webp")])).toBe(1);
    expect(errors).toContain("A film is at most 600 s long");
    expect(await songFilm([...hour, "--to", "600", at("a.webp")])).toBe(1);
    expect(errors).toContain("A WebP holds at most 1500 frames, not 15000");
    expect(existsSync(at("a.webp"))).toBe(false);
  });
});

function cue(time: number, duration: number, color: string) {
  const params = { level: 1, to_level: 1 };
  return { time, duration, intent: "snap", palette: [color], params, section: "verse", energy: 1, reason: "known" };
}

/** Installs a shell script that writes `$file` as ffmpeg, or names a missing program. */
function useFfmpeg(script: string | undefined): void {
  const path = script === undefined ? at("no-ffmpeg") : at("ffmpeg");
  if (script !== undefined) {
    writeFileSync(path, `#!/bin/sh\nfor last; do :; done\nfile=\${last#file:}\n${script}\n`, { mode: 0o755 });
  }
  vi.stubEnv("FOLLOWSPOT_FFMPEG", path);
}

/** Returns a function for the color at x, y of a picture, or of one page of an animated one. */
async function pixels(file: string, page = 0): Promise<(x: number, y: number) => number[]> {
  const { data, info } = await sharp(file, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return (x, y) => [...data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3)];
}

const strongest = (color: readonly number[]) => color.indexOf(Math.max(...color));
