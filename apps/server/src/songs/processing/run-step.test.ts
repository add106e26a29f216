import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { GrantedJob, SongAnalysis } from "@followspot/contract";
import { encodeMp3 } from "../audio/encode-mp3.ts";
import { BUILT_IN, type EngineChoice, type Engines } from "../audio/engines/engine-choice.ts";
import { isRunning } from "../../testing/is-running.ts";
import { createStepRunner } from "./run-step.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { songFolders } from "./workplace.ts";
import { folderUntil } from "../../testing/open-until.ts";

const SONG = "01JD0000000000000000000001";
const FASTER = "01JD0000000000000000000002";
const BROKEN = "01JD0000000000000000000003";
const RATE = 44_100;
const SECONDS = 8;
const folder = await folderUntil(afterAll);
const files = new SongFiles(folder);
for (const [song, bpm] of [
  [SONG, 120],
  [FASTER, 150],
] as const) {
  const left = Float32Array.from({ length: SECONDS * RATE }, (_, n) =>
    n % ((60 * RATE) / bpm) < 900 ? 0.6 * Math.sin(n / 5) : 0,
  );
  await files.makeFolder(song);
  const path = files.path(song, "audio.mp3");
  await encodeMp3({ left, right: left }, path, { sampleRate: RATE, attempt: "test-1" });
}
await files.makeFolder(BROKEN);
await writeFile(files.path(BROKEN, "audio.mp3"), "no sound at all");

async function program(name: string, lines: string): Promise<EngineChoice> {
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${lines}\n`, { mode: 0o755 });
  return { kind: "exec", path };
}

interface Given {
  readonly song?: string;
  readonly signal?: AbortSignal;
  readonly ffmpeg?: string;
}

let asked: Partial<Engines> = {};
const runnerWith = (ffmpeg: string | undefined) =>
  createStepRunner({
    ...{ places: songFolders(files), ffmpeg, stems: true, videoSite: {} as never, warn: () => undefined },
    engines: () => ({ ...BUILT_IN, timeoutMs: 60_000, ...asked }),
  });
/** One runner for all tests, as in a worker, so that leftovers of one test affect the next. */
let ownRunner: ReturnType<typeof runnerWith> | undefined;

async function run(step: "analysis" | "stems", engines: Partial<Engines>, given: Given = {}) {
  const { song = SONG, signal = new AbortController().signal, ffmpeg } = given;
  const job = { job_id: "j", song_id: song, step, attempt: 1, url: "" } as unknown as GrantedJob; // fields that steps read
  const notes = new Set<string>();
  asked = engines;
  const runStep = ffmpeg === undefined ? (ownRunner ??= runnerWith(undefined)) : runnerWith(ffmpeg);
  await runStep(job, { signal, onProgress: (_, note) => void notes.add(note) });
  const analysis = JSON.parse(await readFile(files.path(song, "hybrid.json"), "utf8")) as SongAnalysis;
  return { analysis, notes, names: (await readdir(files.folder(song))).sort() };
}

test("the analysis uses the engines' beats and tags, and removes its temporary files", async () => {
  const beats = Array.from({ length: 11 }, (_, i) => 0.3 + 0.7 * i);
  const answer = { engine: "tapper", version: "2", confidence: 0.8, beats, downbeats: [beats[0], beats[3], beats[6]] };
  const tags = { engine: "ears", version: "1", genres: [{ name: "waltz", confidence: 0.7 }] };
  const { analysis, notes, names } = await run("analysis", {
    beats: await program("tapper", `process.stdout.write(${JSON.stringify(JSON.stringify(answer))})`),
    tags: await program("ears", `process.stdout.write(${JSON.stringify(JSON.stringify(tags))})`),
  });
  expect(analysis.insights.engines).toMatchObject({
    beats: { engine: "tapper", version: "2" },
    tags: { engine: "ears", version: "1" },
    key: { engine: "followspot" },
  });
  expect(analysis.beats[5]).toBeCloseTo(3.8, 2);
  expect(analysis.grid.beats_per_bar).toBe(3);
  expect(analysis.insights.genre_analysis.primary_genre).toBe("waltz");
  expect(notes).toContain("asking tapper for beats");
  expect(names).toEqual(["audio.mp3", "hybrid.json"]);
});

test("the analysis replaces a failing engine by the built-in one, and records why", async () => {
  const { analysis } = await run("analysis", { beats: await program("broken", "process.exit(1)") });
  expect(analysis.insights.engines.beats?.engine).toBe("followspot");
  expect(analysis.insights.pattern_reasoning.beats).toBe(
    "broken was asked for beats and did not answer, because it ended with exit code 1. The built-in engine was used.",
  );
  expect(Math.abs(analysis.tempo - 120)).toBeLessThan(2);
});

test("the stems step replaces a failing engine by the built-in one, and records why in the analysis", async () => {
  await run("analysis", {});
  const { analysis, names } = await run("stems", { stems: await program("mute", "") });
  expect(analysis.insights.engines.stems?.engine).toBe("followspot");
  expect(analysis.insights.pattern_reasoning.stems).toContain("mute was asked for stems");
  expect(analysis.stems.drums).toBe("drums.mp3");
  expect(names).toEqual(["audio.mp3", "bass.mp3", "drums.mp3", "hybrid.json", "other.mp3", "vocals.mp3"]);
  expect((await run("stems", {})).analysis.insights.pattern_reasoning).not.toHaveProperty("stems");
});

test("a canceled step kills its engine and leaves no temporary files", async () => {
  const pid = join(folder, "pid");
  const hangs = `require("fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const abort = new AbortController();
  const stopped = run("analysis", { beats: await program("hangs", hangs) }, { signal: abort.signal });
  const outcome = expect(stopped).rejects.toThrow();
  while (!(await readFile(pid, "utf8").catch(() => ""))) await new Promise((resolve) => setTimeout(resolve, 20));
  abort.abort(new Error("the lease is lost"));
  await outcome;
  const engine = Number(await readFile(pid, "utf8"));
  await expect.poll(() => isRunning(engine)).toBe(false);
  expect((await readdir(files.folder(SONG))).filter((name) => name.includes(".tmp"))).toEqual([]);
});

test("stems are encoded by the built-in encoder if ffmpeg cannot encode", async () => {
  await run("analysis", {});
  const ffmpeg = join(folder, "ffmpeg");
  await writeFile(ffmpeg, "#!/bin/sh\necho 'error while loading shared libraries: libmp3lame.so.0' >&2; exit 127\n", {
    mode: 0o755,
  });
  const { names } = await run("stems", {}, { ffmpeg });
  expect(names).toEqual(["audio.mp3", "bass.mp3", "drums.mp3", "hybrid.json", "other.mp3", "vocals.mp3"]);
});

test("a song that cannot be read does not affect the next one", async () => {
  await expect(run("analysis", {}, { song: BROKEN })).rejects.toThrow("no audio we can read");
  const { analysis } = await run("analysis", {});
  expect(Math.abs(analysis.tempo - 120)).toBeLessThan(2);
});

test("simultaneous steps each get their own result, independent of earlier songs", async () => {
  const heard = [];
  for (let time = 0; time < 3; time++) {
    heard.push(await Promise.all([run("analysis", {}), run("analysis", {}, { song: FASTER })]));
  }
  const [slower, faster] = heard[0]!.map(({ analysis }) => analysis);
  expect(Math.abs(slower!.tempo - 120)).toBeLessThan(2);
  expect(Math.abs(faster!.tempo - 150)).toBeLessThan(2);
  for (const both of heard) expect(both.map(({ analysis }) => analysis)).toEqual([slower, faster]);
});
