import { chmod, link, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startProgram } from "../songs/audio/child-program.ts";
import { decodeAudio } from "../songs/audio/decode-audio.ts";
import { encodeMp3 } from "../songs/audio/encode-mp3.ts";
import { tryFfmpeg } from "../songs/audio/try-ffmpeg.ts";
import { readTags } from "../songs/audio/read-tags.ts";
import { wavFile } from "../songs/audio/wav.ts";
import { runDownloader } from "../songs/processing/downloader/run-downloader.ts";
import { SoundDevice } from "../stage/sound/sound-device.ts";
import { png } from "./pictures.ts";
import { HELPER, keepHelpersApart } from "../platform/process/helper-account.ts";
import { PictureProgram } from "../platform/pictures/picture-program.ts";
import { plainEnvironment } from "../platform/process/programs.ts";
import { parseSettings } from "../platform/settings.ts";
import { folderUntil } from "./open-until.ts";

const isRoot = process.getuid?.() === 0;
const RATE = 44_100;
const tone = Float32Array.from({ length: 2 * RATE }, (_, n) => 0.5 * Math.sin(n / 10));

let dataDir: string;
let song: string;
let warnings: string[];
const SECRETS = ["secrets.json", "running.json", "postgres-password", "nats/server.conf"];

const programs = await folderUntil(afterAll);
await chmod(programs, 0o755);
beforeEach(async () => {
  // The umask of the product's processes: everything for root only.
  const before = process.umask(0o077);
  dataDir = await mkdtemp(join(tmpdir(), "followspot-data-"));
  await mkdir(join(dataDir, "nats"));
  for (const name of SECRETS) await writeFile(join(dataDir, name), "canary");
  await mkdir(join(dataDir, "songs/S1"), { recursive: true });
  song = join(dataDir, "songs/S1/original.wav");
  await writeFile(song, wavFile(tone, tone, RATE));
  process.umask(before);
  warnings = [];
  keepHelpersApart(dataDir, (line) => warnings.push(line));
  return () => rm(dataDir, { recursive: true, force: true });
});

/** Writes a program that reports its identity and what it can read, and then runs `ending`. */
async function curious(ending = "exit 1"): Promise<string> {
  const path = join(programs, "curious");
  const reads = [...SECRETS.map((name) => join(dataDir, name)), "/proc/$PPID/environ", `/proc/${process.pid}/environ`];
  const lines = [
    "grep -E '^(Uid|Gid|NoNewPrivs|CapEff|CapBnd):' /proc/self/status >&2",
    ...reads.map((each) => `cat "${each}" > /dev/null 2>&1 && echo "got ${each}" >&2`),
    `ls "${dataDir}" "${join(dataDir, "songs")}" > /dev/null 2>&1 && echo "listed" >&2`,
    `(echo broken >> "${join(dataDir, "secrets.json")}") 2> /dev/null && echo "wrote" >&2`,
    ending,
  ];
  await writeFile(path, `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
  return path;
}

/** Report of such a program when it is fully isolated. */
const APART = ["Uid: U U U U", "Gid: G G G G", "CapEff: 0", "CapBnd: 0", "NoNewPrivs: 1"]
  .join("\n")
  .replaceAll("U ", `${HELPER.uid} `)
  .replace(/U$/m, String(HELPER.uid))
  .replaceAll("G ", `${HELPER.gid} `)
  .replace(/G$/m, String(HELPER.gid));
const said = (text: string) => text.trim().replaceAll(/\t/g, " ").replaceAll(/0{16}/g, "0");

describe.skipIf(!isRoot)("a helper program of a server that runs as root", () => {
  // kept: Doors | As root decoders, the downloader and picture programs had every right, and read the signing key |
  // failed on the old code
  test("has its own account, cannot gain privileges, and can read no secret", async () => {
    const program = startProgram(await curious(), [], { timeoutMs: 5000, env: plainEnvironment(), helper: {} });
    expect(said((await program.done).complaint)).toBe(APART);
    expect(warnings).toEqual([]);
  });

  test("decodes, encodes and reads tags only of the songs it has access to", async () => {
    const { seconds } = await decodeAudio(song);
    const target = join(dataDir, "songs/S1/audio.mp3");
    await encodeMp3({ left: tone, right: tone }, target, { sampleRate: RATE, attempt: "1" });
    expect([seconds, (await stat(target)).size > 1000, (await stat(target)).uid]).toEqual([2, true, 0]);
    expect(await readTags(song, AbortSignal.timeout(10_000))).toMatchObject({ title: "" });
    // Helpers have access to this one song, other accounts to nothing.
    const modes = await Promise.all(
      ["songs", "songs/S1", "songs/S1/original.wav"].map((path) => stat(join(dataDir, path))),
    );
    expect(modes.map(({ mode, uid }) => [(mode & 0o777).toString(8), uid])).toEqual([["710", 0], ["710", 0], ["640", 0]]); // prettier-ignore
    expect(warnings).toEqual([]);
  });

  test("is isolated in the threads that process songs, too", async () => {
    const script = `
      import { workerData } from "node:worker_threads";
      const { startProgram } = await import(workerData.url);
      const program = startProgram(workerData.path, [], { timeoutMs: 5000, env: {}, helper: {} });
      console.log((await program.done).complaint);`;
    const url = new URL("../songs/audio/child-program.ts", import.meta.url).href;
    const thread = new Worker(script, { eval: true, workerData: { url, path: await curious() }, stdout: true });
    expect(said(await text(thread.stdout))).toBe(APART);
  });

  test("in place of ffmpeg is isolated while it decodes", async () => {
    const words = join(programs, "words");
    await writeFile(words, "", { mode: 0o666 });
    await chmod(words, 0o666);
    const ffmpeg = await curious("exit 1");
    await writeFile(ffmpeg, (await readFile(ffmpeg, "utf8")).replaceAll(">&2", `>> ${words}`), { mode: 0o755 });
    await decodeAudio(song, { ffmpeg });
    expect(said(await readFile(words, "utf8"))).toBe(APART);
  });

  // kept: Doors | As root the trial of ffmpeg kept all rights of the server | failed on the old code
  test("in place of ffmpeg is isolated while it is tried", async () => {
    const words = join(programs, "words of a trial");
    await writeFile(words, "");
    await chmod(words, 0o666);
    const ffmpeg = await curious("echo ffmpeg version 7");
    await writeFile(ffmpeg, (await readFile(ffmpeg, "utf8")).replaceAll(">&2", `>> "${words}"`), { mode: 0o755 });
    const settings = parseSettings({ FOLLOWSPOT_DATA_DIR: dataDir, FOLLOWSPOT_FFMPEG: ffmpeg });
    expect(await tryFfmpeg(settings)).toMatchObject({ works: false });
    const runs = said(await readFile(words, "utf8")).split(/(?=^Uid)/m);
    expect(runs.length).toBeGreaterThan(1);
    expect(new Set(runs.map((run) => run.trim()))).toEqual(new Set([APART]));
    expect(warnings).toEqual([]);
  });

  // kept: Doors | As root decoders, the downloader and picture programs had every right, and read the signing key |
  // also
  test("downloads into a folder that we own again afterwards, without links to the outside", async () => {
    const folder = join(dataDir, "songs/S1/scratch");
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, "cookies"), "jar", { mode: 0o600 });
    const yt = await curious(`
      cat cookies > sound.m4a && id -u > "$TMPDIR/sound.info.json"
      ln -s "${join(dataDir, "secrets.json")}" sound.link; mkdir left; echo x > left/over
      exit 0`);
    const limits = { folder, signal: AbortSignal.timeout(10_000), silenceMs: 5000, totalMs: 9000, keep: 1000 };
    const { all } = await runDownloader({ path: yt, version: "2025.01.01" }, [], "x", limits);
    expect(said(all)).toBe(APART);
    expect(await readFile(join(folder, "sound.m4a"), "utf8")).toBe("jar");
    expect(await readFile(join(folder, "sound.info.json"), "utf8")).toBe(`${HELPER.uid}\n`);
    const left = await Promise.all(["", "sound.m4a", "sound.info.json"].map((name) => stat(join(folder, name))));
    expect(left.map(({ uid }) => uid)).toEqual([0, 0, 0]);
    await expect(readFile(join(folder, "sound.link"))).rejects.toThrow("ENOENT");
    await expect(stat(join(folder, "left"))).rejects.toThrow("ENOENT");
  });

  test("gets no access to a file with another hard link", async () => {
    const folder = join(dataDir, "songs/S1/scratch");
    await mkdir(folder);
    await link(join(dataDir, "secrets.json"), join(folder, "hard"));
    await symlink(join(dataDir, "running.json"), join(folder, "soft"));
    const limits = { folder, signal: AbortSignal.timeout(10_000), silenceMs: 5000, totalMs: 9000, keep: 1000 };
    await runDownloader({ path: await curious("exit 0"), version: "2025.01.01" }, [], "x", limits);
    for (const name of ["secrets.json", "running.json"]) expect((await stat(join(dataDir, name))).uid).toBe(0);
  });

  test("renders pictures, and records from a sound device", async () => {
    const pictures = new PictureProgram();
    const [made] = await pictures.make(png(), [{ fit: "inside", side: 8 }]);
    expect(Buffer.from(made!).toString("latin1", 8, 12)).toBe("WEBP");
    const children = (await readFile(`/proc/self/task/${process.pid}/children`, "utf8")).trim().split(" ");
    const states = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/status`, "utf8")));
    expect(states.some((state) => state.includes(`Uid:\t${HELPER.uid}`) && state.includes("NoNewPrivs:\t1"))).toBe(
      true,
    );
    pictures.close();

    const problems: string[] = [];
    const ffmpeg = await curious("id -u >&2; exit 1");
    const device = new SoundDevice(ffmpeg, [], { onSound: () => {}, onProblem: (problem) => problems.push(problem) });
    await expect.poll(() => problems[0]).toBe(`The sound device gives no sound: ${HELPER.uid}`);
    device.close();
  });

  test("that another account cannot run is run anyway, with one warning", async () => {
    const hidden = await mkdtemp(join(tmpdir(), "followspot-hidden-"));
    const path = join(hidden, "program");
    await writeFile(path, "#!/bin/sh\nid -u\n", { mode: 0o755 });
    for (let run = 0; run < 2; run++) {
      const program = startProgram(path, [], { timeoutMs: 5000, env: plainEnvironment(), helper: {} });
      expect((await program.process.stdout.toArray()).join("")).toBe("0\n");
    }
    expect(warnings).toEqual([`${path} runs with all rights of this server: another account cannot get to ${path}`]);
    await rm(hidden, { recursive: true });
  });
});

test("a missing program is reported as missing, whichever account would run it", async () => {
  const missing = await decodeAudio(song, { ffmpeg: join(programs, "nothing") });
  expect(missing.seconds).toBe(2);
});
