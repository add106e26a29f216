import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decodeAudio } from "../decode-audio.ts";
import { isRunning } from "../../../testing/is-running.ts";
import { writeStems } from "../write-stems.ts";
import { askEngines } from "./ask-engines.ts";
import { LogMel, MEL_BANDS } from "./beat-this.ts";
import { BUILT_IN, chosenEngines, type EngineChoice } from "./engine-choice.ts";
import { EngineSong } from "./engine-song.ts";
import { parseSettings } from "../../../platform/settings.ts";
import { folderUntil } from "../../../testing/open-until.ts";

const RATE = 44_100;
const SECONDS = 4;
/** A click every half second. */
const clicks = Float32Array.from({ length: SECONDS * RATE }, (_, n) =>
  n % (RATE / 2) < 400 ? 0.8 * Math.sin(n / 4) : 0,
);

const folder = await folderUntil(afterAll);
const song = await EngineSong.create(folder, "test-1");
await song.write(clicks, clicks);
await song.close();

/** Creates an engine from lines of Node code, as a user would. */
async function program(name: string, lines: string): Promise<EngineChoice> {
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${lines}\n`, { mode: 0o755 });
  return { kind: "exec", path };
}

const prints = (answer: unknown) => `process.stdout.write(${JSON.stringify(JSON.stringify(answer))})`;
const GOOD = { engine: "tapper", version: "2", confidence: 0.9, beats: [0.5, 1, 1.5, 2], downbeats: [0.51] };

const askBeats = (beats: EngineChoice, signal?: AbortSignal, timeoutMs = 20_000) =>
  askEngines(song, { ...BUILT_IN, beats, timeoutMs }, { timeoutMs, signal });

describe("a beats engine", () => {
  test("answers with its name, confidence and downbeats moved onto its beats", async () => {
    const { beats, refused } = await askBeats(await program("good.js", prints(GOOD)));
    expect(refused).toBeUndefined();
    expect(beats).toEqual({
      by: { engine: "tapper", version: "2" },
      confidence: 0.9,
      beats: [0.5, 1, 1.5, 2],
      downbeats: [0.5],
    });
  });

  test("receives the song as a 44.1 kHz WAV, works in the scratch folder and sees no secrets of ours", async () => {
    process.env.FOLLOWSPOT_SECRET = "not for engines";
    const choice = await program(
      "curious.js",
      `const fs = require("fs"); const wav = fs.readFileSync(process.argv[2]);
       const { seconds, ...answer } = { ...${JSON.stringify(GOOD)}, seconds: (wav.length - 44) / 4 / wav.readUInt32LE(24) };
       answer.engine = [seconds, process.cwd() === fs.realpathSync(require("path").dirname(process.argv[2])), process.env.FOLLOWSPOT_SECRET].join();
       process.stdout.write(JSON.stringify(answer));`,
    );
    const { beats } = await askBeats(choice).finally(() => delete process.env.FOLLOWSPOT_SECRET);
    expect(beats?.by.engine).toBe("4,true,");
  });

  test.each([
    ["rubbish", `process.stdout.write("beats: lots")`, "not JSON"],
    ["nothing", ``, "not JSON"],
    ["exit code 1", `process.stdout.write("{}"); process.exit(1)`, "exit code 1"],
    ["a flood", `const x = "x".repeat(65536); (function f() { process.stdout.write(x, f); })()`, "more than 2 MB"],
    ["beats that do not ascend", prints({ ...GOOD, beats: [1, 0.5, 2], downbeats: [] }), "do not ascend"],
    ["NaN", `process.stdout.write('{"engine":"x","version":"","confidence":1,"beats":[NaN,1]}')`, "not JSON"],
    ["a null beat", prints({ ...GOOD, beats: [0.5, Number.NaN] }), "beats.1"],
    ["confidence 7", prints({ ...GOOD, confidence: 7 }), "confidence"],
    ["milliseconds", prints({ ...GOOD, beats: [500, 1000, 1500], downbeats: [] }), "behind the end"],
    ["a beat every millisecond", prints({ ...GOOD, beats: [1, 1.001, 1.002], downbeats: [] }), "closer than"],
    ["a downbeat between beats", prints({ ...GOOD, downbeats: [0.75] }), "not one of its beats"],
    ["no beats", prints({ ...GOOD, beats: [], downbeats: [] }), "no beats"],
    ["one beat, and one behind the end", prints({ ...GOOD, beats: [3.5, 4.4], downbeats: [] }), "no beats"],
    ["its own regret", prints({ refused: "the licence has run out." }), "it said: the licence has run out."],
  ])("that answers %s is refused with the reason", async (name, lines, reason) => {
    const { beats, refused } = await askBeats(await program(`${name.replaceAll(" ", "-")}.js`, lines));
    expect(beats).toBeUndefined();
    expect(refused?.beats).toContain(reason);
    expect(refused?.beats).not.toContain(folder);
  });

  test("that does not exist or is not executable is refused", async () => {
    const missing = await askBeats({ kind: "exec", path: join(folder, "missing") });
    expect(missing.refused?.beats).toContain("no such program");
    await writeFile(join(folder, "plain.txt"), "");
    expect((await askBeats({ kind: "exec", path: join(folder, "plain.txt") })).refused?.beats).toContain(
      "may not be run",
    );
  });

  const HANGS = `const { spawn } = require("child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    require("fs").writeFileSync(PIDS, process.pid + " " + child.pid);
    setInterval(() => {}, 1000);`;
  const pidsOf = async (path: string) => (await readFile(path, "utf8")).split(" ").map(Number);

  test("that hangs is killed after its timeout, with its children", async () => {
    const pids = join(folder, "hangs.pids");
    const choice = await program("hangs.js", HANGS.replace("PIDS", JSON.stringify(pids)));
    const { refused } = await askBeats(choice, undefined, 4000);
    expect(refused?.beats).toContain("longer than 4 seconds");
    for (const pid of await pidsOf(pids)) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("that is canceled ends the step, with its children", async () => {
    const pids = join(folder, "cancelled.pids");
    const choice = await program("cancelled.js", HANGS.replace("PIDS", JSON.stringify(pids)));
    const abort = new AbortController();
    const asked = askBeats(choice, abort.signal);
    const outcome = expect(asked).rejects.toMatchObject({ code: "cancelled" });
    while (!(await readFile(pids, "utf8").catch(() => ""))) await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    await outcome;
    for (const pid of await pidsOf(pids)) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("ends when its parent process is killed", async () => {
    const pids = join(folder, "orphan.pids");
    const choice = await program("orphan.js", HANGS.replace("PIDS", JSON.stringify(pids)));
    const asks = join(folder, "asks.ts");
    const asked = { wav: song.wav, folder: song.folder, seconds: SECONDS };
    await writeFile(
      asks,
      `import { askEngines } from ${JSON.stringify(join(import.meta.dirname, "ask-engines.ts"))};
       await askEngines(${JSON.stringify(asked)}, ${JSON.stringify({ ...BUILT_IN, beats: choice })}, { timeoutMs: 60000 });`,
    );
    const worker = spawn(process.execPath, [asks], { stdio: "ignore" });
    while (!(await readFile(pids, "utf8").catch(() => ""))) await new Promise((resolve) => setTimeout(resolve, 20));
    worker.kill("SIGKILL");
    for (const pid of await pidsOf(pids)) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("finds the song if its folder was given as a relative path", async () => {
    const near = await EngineSong.create(relative(process.cwd(), folder), "test-4");
    await near.write(clicks, clicks);
    await near.close();
    const choice = await program("finds.js", `require("fs").statSync(process.argv[2]);${prints(GOOD)}`);
    const options = { timeoutMs: 20_000 };
    expect((await askEngines(near, { ...BUILT_IN, beats: choice, ...options }, options)).refused).toBeUndefined();
    await near.remove();
  });

  test("whose child holds its pipe returns its answer at once, and the child is killed", async () => {
    const pids = join(folder, "leaves.pids");
    const choice = await program(
      "leaves.js",
      `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
       require("fs").writeFileSync(${JSON.stringify(pids)}, String(child.pid));
       process.stdout.write(${JSON.stringify(JSON.stringify(GOOD))}, () => process.exit(0));`,
    );
    expect((await askBeats(choice)).beats?.beats).toHaveLength(4);
    for (const pid of await pidsOf(pids)) await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

test("a tags engine answers with genres and instruments, and does not hide a failure of the beats engine", async () => {
  const tags = await program(
    "tags.js",
    prints({
      engine: "ears",
      version: "1",
      genres: [{ name: "house", confidence: 0.8 }],
      instruments: [{ name: "organ", confidence: 0.6 }],
    }),
  );
  const beats = await program("fails.js", "process.exit(3)");
  const answer = await askEngines(song, { ...BUILT_IN, beats, tags, timeoutMs: 20_000 }, { timeoutMs: 20_000 });
  expect(answer.tags).toEqual({
    by: { engine: "ears", version: "1" },
    genres: [{ name: "house", confidence: 0.8 }],
    instruments: [{ name: "organ", confidence: 0.6, stems: [] }],
  });
  expect(Object.keys(answer.refused ?? {})).toEqual(["beats"]);
});

describe("a Beat This! network", () => {
  /** Replaces onnxruntime-node and the network: the probability of a beat is the loudness of the frame. */
  const RUNTIME = `
    exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
    exports.InferenceSession = { create: async () => ({
      inputNames: ["spectrogram"], outputNames: ["beat", "downbeat"],
      run: async ({ spectrogram: { data, dims: [, frames, bands] } }) => {
        const loud = Float32Array.from({ length: frames }, (_, f) =>
          data.subarray(f * bands, (f + 1) * bands).reduce((a, b) => a + b, 0) / bands - 1);
        return { beat: { data: loud }, downbeat: { data: loud.map((v, f) => (f % 100 === 6 ? v : -5)) } };
      },
    }) };`;

  test("receives a tone in its band of Slaney's scale", () => {
    const mel = new LogMel();
    mel.push(Float32Array.from({ length: LogMel.RATE }, (_, n) => Math.sin((2 * Math.PI * 1000 * n) / LogMel.RATE)));
    const frames = mel.finish();
    expect(frames.length).toBe(51 * MEL_BANDS);
    const middle = [...frames.subarray(25 * MEL_BANDS, 26 * MEL_BANDS)];
    // 1 kHz is 15 mel; band b is centered at 0.45 + (b + 1) × 0.383 mel.
    expect(middle.indexOf(Math.max(...middle))).toBe(37);
  });

  test("without onnxruntime-node is refused with the command to install it", async () => {
    const path = join(folder, "alone.onnx");
    await writeFile(path, "");
    const { refused } = await askBeats({ kind: "beat-this", path });
    expect(refused?.beats).toContain("npm install --ignore-scripts onnxruntime-node");
  });

  test("detects the clicks of a song longer than one chunk at their times", async () => {
    const home = join(folder, "beat-this");
    await mkdir(join(home, "node_modules/onnxruntime-node"), { recursive: true });
    await writeFile(join(home, "node_modules/onnxruntime-node/index.js"), RUNTIME);
    await writeFile(join(home, "small.onnx"), "");
    const long = await EngineSong.create(home, "test-2");
    for (let i = 0; i < 10; i++) await long.write(clicks, clicks);
    await long.close();
    const choice: EngineChoice = { kind: "beat-this", path: join(home, "small.onnx") };
    const options = { timeoutMs: 25_000 };
    const { beats, refused } = await askEngines(long, { ...BUILT_IN, beats: choice, ...options }, options);
    expect(refused).toBeUndefined();
    expect(beats?.by).toEqual({ engine: "beat-this", version: "small" });
    expect(beats?.beats).toHaveLength(80);
    expect(Math.max(...beats!.beats.map((t, i) => Math.abs(t - i / 2)))).toBeLessThan(0.021);
  });
});

describe("stems of an engine", () => {
  const STEMS = ["drums", "bass", "vocals", "other"];
  /** Copies the song to four files, the drums at half level. */
  const COPIES = (out: string, seconds = SECONDS) => `
    const fs = require("fs"); const path = require("path");
    const wav = fs.readFileSync(process.argv.at(-1)).subarray(0, 44 + 4 * ${seconds * RATE});
    fs.mkdirSync(${out}, { recursive: true });
    for (const stem of ${JSON.stringify(STEMS)}) {
      const copy = Buffer.from(wav); copy.writeUInt32LE(copy.length - 44, 40);
      if (stem === "drums") for (let i = 44; i < copy.length; i += 2) copy.writeInt16LE(copy.readInt16LE(i) >> 1, i);
      fs.writeFileSync(path.join(${out}, stem + ".wav"), copy);
    }`;
  const ANSWER = prints({
    engine: "parter",
    version: "3",
    stems: Object.fromEntries(STEMS.map((stem) => [stem, `out/${stem}.wav`])),
  });

  const stemsBy = async (name: string, stems: EngineChoice) => {
    const out = join(folder, name);
    await mkdir(out);
    const written = await writeStems(song.wav, {
      folder: out,
      attempt: "test-3",
      engines: { ...BUILT_IN, stems, timeoutMs: 20_000 },
    });
    return { written, out, names: (await readdir(out)).sort() };
  };
  const FILES = ["bass.mp3", "drums.mp3", "other.mp3", "vocals.mp3"];
  const peakOf = async (path: string) => {
    const { left } = await decodeAudio(path);
    return left.reduce((peak, level) => Math.max(peak, Math.abs(level)), 0);
  };

  test("become the song's stem files, and no other file remains", async () => {
    const choice = await program("parts.js", COPIES('"out"') + ANSWER);
    const { written, out, names } = await stemsBy("parted", choice);
    expect(written).toEqual({ by: { engine: "parter", version: "3" } });
    expect(names).toEqual(FILES);
    expect(await peakOf(join(out, "drums.mp3"))).toBeCloseTo(0.4, 1);
    expect(await peakOf(join(out, "bass.mp3"))).toBeCloseTo(0.8, 1);
  });

  test.each([
    ["shorter than the song", COPIES('"out"', 1.5) + ANSWER, "1.5 seconds long"],
    ["missing", ANSWER, "is not there"],
    [
      "outside its folder",
      ANSWER.replaceAll("out/", "../../../../../../etc/hosts?").replaceAll(/\?\w+\.wav/g, ""),
      "outside",
    ],
    [
      "no sound",
      `require("fs").mkdirSync("out"); for (const s of ${JSON.stringify(STEMS)}) require("fs").writeFileSync("out/" + s + ".wav", "x");${ANSWER}`,
      "cannot be read",
    ],
  ])("that are %s are refused; the built-in separator writes them", async (name, lines, reason) => {
    const { written, names } = await stemsBy(name.replaceAll(" ", "-"), await program(`${name}.js`, lines));
    expect(written.by.engine).toBe("followspot");
    expect(written.refused).toContain(reason);
    expect(names).toEqual(FILES);
  });

  test("come from demucs if it is on the PATH, otherwise from the built-in separator", async () => {
    const path = process.env.PATH;
    process.env.PATH = join(folder, "bin");
    try {
      expect((await stemsBy("no-demucs", { kind: "demucs" })).written.refused).toContain("demucs is not on PATH");
      await mkdir(join(folder, "bin"));
      await program(
        "bin/demucs",
        COPIES('path.join(process.argv[process.argv.indexOf("-o") + 1], "htdemucs", "song")') +
          `process.stderr.write(" 50%|###   |")`,
      );
      const { written, out } = await stemsBy("demucs", { kind: "demucs" });
      expect(written).toEqual({ by: { engine: "demucs", version: "htdemucs" } });
      expect(await peakOf(join(out, "drums.mp3"))).toBeCloseTo(0.4, 1);
    } finally {
      process.env.PATH = path;
    }
  });
});

describe("the engine settings", () => {
  test("default to built-in", () => {
    expect(chosenEngines(parseSettings({}))).toEqual({ ...BUILT_IN, timeoutMs: 1_800_000 });
  });

  test("name programs and models by their full path", () => {
    const engines = chosenEngines(
      parseSettings({
        FOLLOWSPOT_BEATS_ENGINE: "beat-this:/models/small.onnx",
        FOLLOWSPOT_STEMS_ENGINE: "demucs",
        FOLLOWSPOT_TAGS_ENGINE: "exec:/opt/my ears",
        FOLLOWSPOT_ENGINE_SECONDS: "60",
      }),
    );
    expect(engines).toEqual({
      beats: { kind: "beat-this", path: "/models/small.onnx" },
      stems: { kind: "demucs" },
      tags: { kind: "exec", path: "/opt/my ears" },
      timeoutMs: 60_000,
    });
  });

  test.each([
    ["FOLLOWSPOT_BEATS_ENGINE", "demucs"],
    ["FOLLOWSPOT_BEATS_ENGINE", "exec:tapper"],
    ["FOLLOWSPOT_STEMS_ENGINE", "beat-this:/m.onnx"],
    ["FOLLOWSPOT_TAGS_ENGINE", "exec:/"],
  ])("%s=%s is refused with the allowed values", (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(/must be built-in or exec:\/path\/to\/program/);
  });
});
