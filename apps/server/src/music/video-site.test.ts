import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { namedDownloader, startReleaseSite, type ReleaseStandIn } from "../testing/release-site.ts";
import { Downloader } from "./downloader/downloader.ts";
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
    { downloader: namedDownloader(standIn), ffmpeg: undefined, testSite: undefined, limits },
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

test.each([
  ["2025.11.11", false],
  ["2025.11.12", true],
  ["2026.10.26.232826", true],
])("names our own Node as the only runtime where the version knows the option: %s", async (version, isNamed) => {
  await playing(`printf '%s\\n' "$@" > ${folder}/arguments; printf x > sound.webm`, version);
  await download();
  const given = (await readFile(join(folder, "arguments"), "utf8")).trim().split("\n");
  const at = given.indexOf("--no-js-runtimes");
  expect(at >= 0 ? given.slice(at, at + 3) : []).toEqual(
    isNamed ? ["--no-js-runtimes", "--js-runtimes", `node:${process.execPath}`] : [],
  );
  expect(given).not.toContain("--remote-components");
});

test("refuses a downloader older than the floor before it sees the link", async () => {
  await playing(`touch ${folder}/was-run`, "2023.03.04");
  await expect(download()).rejects.toThrow(/2023\.03\.04 is older than 2025\.01\.01/);
  expect(await readdir(folder)).not.toContain("was-run");
});

describe("where the site has outgrown the downloader", () => {
  let site: ReleaseStandIn;
  let downloader: Downloader;
  const OUTGROWN = "echo 'ERROR: [youtube] dQw4w9WgXcQ: Unable to extract player response' >&2; exit 1";
  const release = (version: string, script: string) =>
    site.release(
      version,
      `#!/bin/sh\ncase "$*" in *--version*) echo ${version}; exit 0;; esac\necho ${version} >> ${folder}/tried\n${script}\n`,
    );
  const tried = async () => (await readFile(join(folder, "tried"), "utf8")).trim().split("\n");
  const downloadNow = (told: string[] = []) =>
    downloadVideo(
      URL,
      join(folder, "work"),
      { downloader, ffmpeg: undefined, testSite: undefined },
      { signal: new AbortController().signal, onProgress: (_share, what) => told.push(what) },
    );
  /** Version one is here, and nobody has asked for another of late. */
  async function outgrown(): Promise<void> {
    const settings = { configured: undefined, floor: "2025.01.01", folder: join(folder, "kept") };
    downloader = new Downloader({ ...settings, releases: { base: site.base } }, () => undefined);
    release("2026.01.01", OUTGROWN);
    await downloader.update({ signal: new AbortController().signal, onFetch: () => undefined });
    await rm(join(folder, "kept/asked.json"));
  }

  beforeEach(async () => {
    site = await startReleaseSite();
    await rm(join(folder, "kept"), { recursive: true, force: true });
    await rm(join(folder, "tried"), { force: true });
  });
  afterEach(async () => {
    await downloader.close();
    await site.close();
  });

  test("fetches the newest and tries once more before it fails", async () => {
    await outgrown();
    release("2026.02.02", "printf sound > sound.m4a");
    const told: string[] = [];
    expect(await readFile((await downloadNow(told)).path, "utf8")).toBe("sound");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02"]);
    expect(told).toContain("fetching");
  });

  test("fails with the site's words when the newest does not understand it either, or there is none", async () => {
    await outgrown();
    release("2026.02.02", OUTGROWN);
    await expect(downloadNow()).rejects.toThrow("Unable to extract player response");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02"]);
    await rm(join(folder, "kept/asked.json"));
    await expect(downloadNow()).rejects.toThrow("Unable to extract player response");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02", "2026.02.02"]);
  });

  test("does not blame the downloader for a video that is not to be had", async () => {
    await outgrown();
    release("2026.01.02", "echo 'ERROR: [youtube] dQw4w9WgXcQ: Private video' >&2; exit 1");
    await downloader.update({ signal: new AbortController().signal, onFetch: () => undefined });
    await rm(join(folder, "kept/asked.json"));
    release("2026.02.02", "printf sound > sound.m4a");
    await expect(downloadNow()).rejects.toThrow("Private video");
    expect(await tried()).toEqual(["2026.01.02"]);
  });
});
