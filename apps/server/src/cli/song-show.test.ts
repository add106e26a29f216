import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NO_WISHES } from "@followspot/contract";
import { chooseShow, parsRig, planShow } from "@followspot/lighting";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { syntheticAnalysis } from "../../../../packages/lighting/src/testing/synthetic-analysis.ts";
import { songFrames } from "./song-frames.ts";
import { songJudge } from "./song-judge.ts";
import { songPlan } from "./song-plan.ts";
import { listenForDmx, until } from "../stage/testing/dmx-node.ts";
import { plugInWidget } from "../stage/testing/enttec-widget.ts";
import { songPlay } from "./song-play.ts";
import { songReplay } from "./song-replay.ts";

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

describe("song commands", () => {
  it("plan prints a lighting plan", async () => {
    expect(await songPlan([hybrid, "--rig", rig, "--seed", "7"])).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ version: 1, seed: 7, song_id: "synthetic" });
  });

  // kept: Shows | `song -- plan` planned another show than the server stores | failed with the fault put back
  it("plan prints the show that the server would store, unless a seed is given", async () => {
    expect(await songPlan([hybrid, "--rig", rig])).toBe(0);
    const { groups } = parsRig(4);
    const stored = chooseShow(analysis, { groups, wishes: NO_WISHES, profile: "default" });
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(stored)));
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

  // kept: Shows | `song -- frames … | head` ended in a stack trace | failed with the fault put back
  it("frames ends silently when its reader has closed the pipe", async () => {
    const song = fileURLToPath(new URL("./song.ts", import.meta.url));
    const frames = spawn(process.execPath, [song, "frames", plan, "--rig", "pars:4"]);
    let said = "";
    frames.stderr.on("data", (text: Buffer) => (said += text.toString()));
    frames.stdout.once("data", () => frames.stdout.destroy());
    expect(await once(frames, "close")).toEqual([0, null]);
    expect(said).toBe("");
  });

  it("judge prints gates for three rigs", async () => {
    expect(await songJudge([plan, hybrid])).toBe(0);
    const verdict = JSON.parse(out) as {
      rigs: unknown[];
      words: { text: string }[];
    };
    expect(verdict.rigs).toHaveLength(3);
    expect(verdict.words.map((line) => line.text).join(" ")).toMatch(
      /Sections look (?:alike|as different as they sound)\./,
    );
  });

  it("judge judges every song of a folder, each after the previous one", async () => {
    for (const name of ["first", "second", "no song"]) mkdirSync(join(dir, "songs", name), { recursive: true });
    for (const name of ["first", "second"]) {
      // The layout of the product's song folders.
      writeFileSync(join(dir, "songs", name, "lighting.9.json"), "an older plan");
      copyFileSync(plan, join(dir, "songs", name, "lighting.10.json"));
      copyFileSync(hybrid, join(dir, "songs", name, "hybrid.json"));
    }
    writeFileSync(join(dir, "songs", "a file"), "");
    expect(await songJudge(["--songs", join(dir, "songs")])).toBe(0);
    const { songs } = JSON.parse(out) as { songs: { words: { id: string }[] }[] };
    expect(songs).toHaveLength(2);
    expect(songs[1]!.words.find((line) => line.id === "evening")).toMatchObject({
      text: "Colours like the song before.",
    });
  });

  it.each([
    ["plan", songPlan, []],
    ["plan", songPlan, [hybrid, "--seed", "x"]],
    ["frames", songFrames, [plan]],
    ["frames", songFrames, [plan, "--rig", "pars:4", "--nonsense"]],
    ["judge", songJudge, [plan]],
    ["judge", songJudge, []],
    ["play", songPlay, [plan, "--rig", rig]],
    ["play", songPlay, [plan, "--rig", rig, "--output", "http://example.org/"]],
    ["replay", songReplay, [plan]],
  ] as const)("%s rejects bad arguments with 1", async (_name, verb, args) => {
    expect(await verb([...args])).toBe(1);
  });

  // kept: Stage and lamps | The command line sent sACN without a source identity | failed with the fault put back
  it("play sends as its own source, at the given priority", async () => {
    const node = await listenForDmx();
    vi.stubEnv("FOLLOWSPOT_DATA_DIR", dir);
    const from = String(analysis.duration - 5);
    const output = `sacn://127.0.0.1:${node.port}/7?priority=80`;
    expect(await songPlay([plan, "--rig", rig, "--output", output, "--from", from, "--speed", "10"])).toBe(0);
    await node.close();
    const [packet] = node.packets;
    expect(packet!.bytes.subarray(22, 38).some((octet) => octet !== 0)).toBe(true);
    expect([packet!.bytes[108], packet!.bytes.readUInt16BE(113)]).toEqual([80, 7]);
  });

  /** Starts a show in its own process group, as a terminal does. */
  const playTo = (output: string) => {
    const cli = fileURLToPath(new URL("./song.ts", import.meta.url));
    return spawn(process.execPath, ["--no-warnings", cli, "play", plan, "--rig", rig, "--output", output], {
      env: { ...process.env, FOLLOWSPOT_DATA_DIR: dir },
      stdio: "ignore",
      detached: true,
    });
  };

  // kept: Stage and lamps | A show that was played from a terminal left its lamps lit when the terminal was closed |
  // failed on the old code
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("play leaves the fixtures dark when %s ends it", async (ending) => {
    const node = await listenForDmx();
    const child = playTo(`artnet://127.0.0.1:${node.port}/0`);
    const isLit = () =>
      node.packets
        .at(-1)
        ?.bytes.subarray(18)
        .some((slot) => slot > 0) === true;
    await until(isLit);
    child.kill(ending);
    expect(await once(child, "exit")).toEqual([0, null]);
    await until(() => !isLit());
    await node.close();
  });

  it.each(["SIGINT", "SIGHUP"] as const)(
    "play leaves the fixtures of a USB adapter dark when %s ends all that its terminal started",
    async (ending) => {
      const widget = plugInWidget();
      const child = playTo(`enttec_pro://${widget.path}`);
      const isLit = () => widget.frames.at(-1)?.slots.some((slot) => slot > 0) === true;
      await until(isLit);
      process.kill(-child.pid!, ending);
      expect(await once(child, "exit")).toEqual([0, null]);
      await until(() => !isLit());
      widget.close();
    },
  );

  it("replay sends what play recorded, and an existing file is not overwritten", async () => {
    const node = await listenForDmx();
    vi.stubEnv("FOLLOWSPOT_DATA_DIR", dir);
    const recorded = join(dir, "show.frames.gz");
    const to = ["--output", `artnet://127.0.0.1:${node.port}/0`];
    const tail = ["--from", String(analysis.duration - 5), "--speed", "10"];
    expect(await songPlay([plan, "--rig", rig, ...to, ...tail, "--record", recorded])).toBe(0);
    const looks = () => new Set(node.packets.splice(0).map(({ bytes }) => bytes.subarray(18).toString("hex")));
    const played = looks();
    expect(await songReplay([recorded, ...to])).toBe(0);
    const replayed = looks();
    await node.close();
    // A busy machine drops some of the about twenty looks on either side; another show has none of them.
    const both = [...replayed].filter((look) => played.has(look)).length;
    expect(both).toBeGreaterThan(0.5 * Math.min(replayed.size, played.size));
    expect(await songPlay([plan, "--rig", rig, ...to, ...tail, "--record", recorded])).toBe(1);
  });

  // kept: Stage and lamps | A show played by hand whose recording could not be written ended as if all were well |
  // failed on the old code
  it("play reports a failed recording although the show was played to its end", async () => {
    const node = await listenForDmx();
    vi.stubEnv("FOLLOWSPOT_DATA_DIR", dir);
    const tail = ["--from", String(analysis.duration - 5), "--speed", "10"];
    const play = [plan, "--rig", rig, "--output", `artnet://127.0.0.1:${node.port}/0`, ...tail];
    expect(await songPlay([...play, "--record", join(dir, "no such folder", "show.gz")])).toBe(2);
    expect(node.packets).toEqual([]);
    const name = `${"x".repeat(300)}.gz`; // longer than any file system allows
    expect(await songPlay([...play, "--record", join(dir, name)])).toBe(2);
    expect(node.packets.length).toBeGreaterThan(10);
    expect(vi.mocked(console.error).mock.lastCall).toMatchObject([
      expect.stringContaining("is not whole: ENAMETOOLONG"),
    ]);
    await node.close();
  });

  it.each([
    ["plan", songPlan, [join(dir, "missing.json")]],
    ["plan", songPlan, [plan]],
    ["frames", songFrames, [hybrid, "--rig", "pars:4"]],
    ["frames", songFrames, [plan, "--rig", hybrid]],
    ["judge", songJudge, [hybrid, plan]],
    ["judge", songJudge, ["--songs", dir]],
    ["replay", songReplay, [plan, "--output", "artnet://127.0.0.1:9/0"]],
    ["replay", songReplay, [join(dir, "missing.gz"), "--output", "artnet://127.0.0.1:9/0"]],
  ] as const)("%s rejects bad files with 2", async (_name, verb, args) => {
    expect(await verb([...args])).toBe(2);
  });
});
