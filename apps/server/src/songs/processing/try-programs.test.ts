import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { tryFfmpeg } from "../audio/try-ffmpeg.ts";
import { describeProgram, type ProgramReport } from "../../platform/process/programs.ts";
import { parseSettings } from "../../platform/settings.ts";
import { openDownloader } from "./downloader/open-downloader.ts";
import { tryPrograms } from "./try-programs.ts";
import { folderUntil } from "../../testing/open-until.ts";

const path = process.env.PATH;
const folder = await folderUntil(afterAll);
afterEach(() => void (process.env.PATH = path));

async function program(name: string, lines: string, mode = 0o755): Promise<string> {
  const at = join(folder, name);
  await writeFile(at, lines.startsWith("#!") ? lines : `#!/bin/sh\n${lines}\n`, { mode });
  return at;
}

/** Writes a stand-in with ffmpeg's functions that the worker uses: version, decoding to AU, encoding to MP3. */
const standIn = (name: string, encodes: string) =>
  program(
    name,
    `#!${process.execPath}
if (process.argv[2] === "-version") { console.log("ffmpeg version 7.1-stand-in Copyright"); process.exit(0); }
if (process.argv.includes("libmp3lame")) { ${encodes} }
else {
  const head = Buffer.alloc(24); head.write(".snd"); head.writeUInt32BE(24, 4); head.writeUInt32BE(1, 20);
  const body = Buffer.alloc(4 * 22050); for (let n = 0; n < 22050; n++) body.writeFloatBE(0.1, 4 * n);
  process.stdout.write(Buffer.concat([head, body]));
}
`,
  );
const ENCODES = `process.stdin.on("data", () => {}).on("end", () => process.stdout.write("mp3"));`;

const settings = (env: Record<string, string>) => parseSettings({ FOLLOWSPOT_DATA_DIR: folder, ...env });

test("a working ffmpeg is used, and reported with its version", async () => {
  const ffmpeg = await standIn("ffmpeg-good", ENCODES);
  const report = await tryFfmpeg(settings({ FOLLOWSPOT_FFMPEG: ffmpeg }));
  expect(report).toMatchObject({ name: "ffmpeg", path: ffmpeg, version: "7.1-stand-in", works: true, why: "" });
});

test.each<[what: string, make: () => Promise<string>, why: RegExp]>([
  [
    "lacks a library",
    () => program("a", "echo 'a: error while loading shared libraries: libx.so.4: cannot open' >&2; exit 127"),
    /^the shared library libx\.so\.4 is missing/,
  ],
  ["is of another kind of machine", () => program("b", "#!\x7fELF nonsense"), /.+/],
  ["may not be executed", () => program("c", "exit 0", 0o644), /^it may not be executed/],
  ["is not there", async () => join(folder, "nothing"), /^there is no such program/],
  [
    "ends with words of its own",
    () => program("h", "echo 'Traceback'; echo \"No module named 'x' in /usr/lib/secret/place\" >&2; exit 1"),
    /^it ended with exit code 1: No module named 'x' in …/,
  ],
  ["hangs", () => program("d", "sleep 20"), /^it did not answer within 0\.5 seconds/],
  ["knows its version and crashes on sound", () => program("e", 'test "$1" = -version || kill -SEGV $$'), /crashed/],
  ["decodes to nothing", () => program("f", "exit 0"), /^it does not decode a short sound/],
  ["cannot write MP3", () => standIn("g", "process.exit(8)"), /^it cannot write MP3/],
])(
  "a configured ffmpeg that %s is reported with the reason, the setting and the fallback",
  async (_what, make, why) => {
    const named = await make();
    const report = await tryFfmpeg(settings({ FOLLOWSPOT_FFMPEG: named }), { timeoutMs: 500 });
    expect(report).toMatchObject({ path: named, works: false });
    expect(report!.why).toMatch(why);
    expect(report!.why).toContain("correct FOLLOWSPOT_FFMPEG or take it away");
    expect(describeProgram(report!)).not.toContain("\n");
  },
);

test("a broken ffmpeg on PATH is ignored, and a machine without one reports nothing about it", async () => {
  process.env.PATH = folder;
  expect(await tryFfmpeg(settings({}))).toBeUndefined();
  await program("ffmpeg", "exit 127");
  const said: ProgramReport[] = [];
  const tried = tryPrograms(
    settings({}),
    openDownloader(settings({}), () => undefined),
    (report) => said.push(report),
  );
  expect(await tried.ffmpeg).toBeUndefined();
  expect(await tried.reports).toMatchObject([
    { name: "ffmpeg", works: false },
    { name: "yt-dlp", works: false },
  ]);
  expect(said).toHaveLength(2);
});

test("an engine that does not run is replaced; one that only declines a short sound is used", async () => {
  const broken = await program(
    "broken-engine",
    "echo 'error while loading shared libraries: libcuda.so' >&2; exit 127",
  );
  const picky = await program("picky-engine", `echo '{"refused":"songs under a minute are not read"}'`);
  const good = await program("good-engine", `echo '{}'`);
  const chosen = settings({
    FOLLOWSPOT_BEATS_ENGINE: `exec:${broken}`,
    FOLLOWSPOT_TAGS_ENGINE: `exec:${picky}`,
    FOLLOWSPOT_STEMS_ENGINE: `exec:${good}`,
  });
  const tried = tryPrograms(
    chosen,
    openDownloader(chosen, () => undefined),
    () => undefined,
  );
  expect(await tried.engines).toMatchObject({
    beats: { kind: "built-in" },
    tags: { kind: "exec", path: picky },
    stems: { kind: "exec", path: good },
  });
  const reports = (await tried.reports).filter(({ name }) => name.startsWith("engine"));
  expect(reports.map(({ works }) => works)).toEqual([false, true, false]);
  expect(reports[0]!.why).toMatch(/^the shared library libcuda\.so is missing; the built-in engine is used/);
  expect(reports[2]!.why).toMatch(/songs under a minute are not read; songs ask it all the same/);
});
