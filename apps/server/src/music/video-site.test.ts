import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { downloadVideo } from "./video-site.ts";

const URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
let folder: string;
let standIn: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "followspot-downloader-"));
  standIn = join(folder, "yt-dlp");
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => rm(join(folder, "work"), { recursive: true, force: true }));

/** A program in place of yt-dlp: says its version, then runs `script` in the private folder. */
async function playing(script: string, version = "2026.01.01"): Promise<void> {
  await writeFile(standIn, `#!/bin/sh\ncase "$*" in *--version*) echo ${version}; exit 0;; esac\n${script}\n`);
  await chmod(standIn, 0o755);
}

const download = (limits = { silenceMs: 5000, totalMs: 10_000 }, signal = new AbortController().signal) =>
  downloadVideo(
    URL,
    join(folder, "work"),
    { ytdlp: standIn, floor: "2025.01.01", ffmpeg: undefined, testSite: undefined, limits },
    { signal, onProgress: () => {} },
  );

test("keeps the sound and the cleaned words of a good download", async () => {
  await playing(
    `printf sound > sound.m4a; printf '{"title":"A\\\\nB","uploader":"<script>alert(1)</script>","thumbnail":"https://i.ytimg.com/vi/x/hq.jpg"}' > sound.info.json`,
  );
  const video = await download();
  expect(await readFile(video.path, "utf8")).toBe("sound");
  expect(video).toMatchObject({
    title: "A B",
    artist: "<script>alert(1)</script>",
    coverAddress: "https://i.ytimg.com/vi/x/hq.jpg",
  });
});

test("runs without a shell, configuration or our environment, the link behind --", async () => {
  process.env.FOLLOWSPOT_SECRET_FOR_THIS_TEST = "secret";
  await playing(`printf '%s\\n' "$@" > ${folder}/arguments; env > ${folder}/environment; printf x > sound.webm`);
  await download();
  delete process.env.FOLLOWSPOT_SECRET_FOR_THIS_TEST;
  const given = (await readFile(join(folder, "arguments"), "utf8")).trim().split("\n");
  expect(given.slice(-2)).toEqual(["--", URL]);
  expect(given).toEqual(expect.arrayContaining(["--ignore-config", "--no-playlist", "--no-exec", "--max-filesize"]));
  expect(await readFile(join(folder, "environment"), "utf8")).not.toContain("secret");
});

test.each<[name: string, script: string, says: RegExp]>([
  [
    "says why and fails",
    "echo 'ERROR: [youtube] dQw4w9WgXcQ: Video unavailable. This video is private' >&2; exit 1",
    /^Video unavailable\. This video is private$/,
  ],
  ["fails without a word", "exit 3", /without saying why/],
  ["kills itself", "kill -9 $$", /without saying why/],
  ["says it is done and leaves nothing", "exit 0", /no sound/],
  ["leaves an empty file", ": > sound.m4a", /empty file/],
  ["leaves only a part", "printf x > sound.m4a.part", /no sound/],
  ["leaves a live stream out", "echo '[download] v does not pass filter (!is_live), skipping'", /live stream/],
  [
    "finds it too large",
    "echo '[download] File is larger than max-filesize (1 > 0 bytes). Aborting.'",
    /larger than 700 MB/,
  ],
  [
    "names paths of the server",
    "echo 'ERROR: unable to open /var/lib/followspot/secret/file' >&2; exit 1",
    /^unable to open …$/,
  ],
  ["floods the terminal and fails", "yes 'ERROR: flood' | head -c 3000000 >&2; exit 1", /^flood$/],
])("turns a downloader that %s into a readable error", async (_name, script, says) => {
  await playing(script);
  const error: Error = await download().then(
    () => Promise.reject(new Error("it was accepted")),
    (reason) => reason,
  );
  expect(error.message).toMatch(says);
  expect(error.message.length).toBeLessThanOrEqual(500);
  expect(await readdir(join(folder, "work"))).toEqual([]);
});

test.each([
  ["broken", "printf '{broken' > sound.info.json"],
  ["of twenty megabytes", "head -c 20000000 /dev/zero > sound.info.json"],
])("takes the song without metadata when they are %s", async (_name, script) => {
  await playing(`printf x > sound.m4a; ${script}`);
  expect(await download()).toMatchObject({ title: "", artist: "" });
});

test("stops a silent downloader together with everything it started", async () => {
  await playing(`sleep 61.7 & sleep 61.7`);
  await expect(download({ silenceMs: 300, totalMs: 10_000 })).rejects.toThrow("stopped sending");
  expect(() => execFileSync("pgrep", ["-f", "sleep 61.7"])).toThrow();
});

test("stops when the step is cancelled", async () => {
  await playing("sleep 62.3");
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("the lease is lost")), 200);
  await expect(download(undefined, abort.signal)).rejects.toThrow("the lease is lost");
});

test("refuses a downloader older than the floor before it sees the link", async () => {
  await playing(`touch ${folder}/was-run`, "2023.03.04");
  await expect(download()).rejects.toThrow(/2023\.03\.04 is older than 2025\.01\.01/);
  expect(await readdir(folder)).not.toContain("was-run");
});
