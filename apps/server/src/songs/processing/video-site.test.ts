import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { namedDownloader, startReleaseSite, type ReleaseStandIn } from "../../testing/release-site.ts";
import { Downloader } from "./downloader/downloader.ts";
import { downloadVideo } from "./video-site.ts";
import { folderUntil } from "../../testing/open-until.ts";

const URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

const folder = await folderUntil(afterAll);
const standIn = join(folder, "yt-dlp");
beforeEach(async () => {
  await rm(join(folder, "work"), { recursive: true, force: true });
  await mkdir(join(folder, "work"));
});

/** Writes a stand-in for yt-dlp that prints its version, or runs `script` in the private folder. */
async function playing(script: string, version = "2026.01.01"): Promise<void> {
  await writeFile(standIn, `#!/bin/sh\ncase "$*" in *--version*) echo ${version}; exit 0;; esac\n${script}\n`);
  await chmod(standIn, 0o755);
}

const LIMITS = { silenceMs: 5000, totalMs: 10_000 };
const attempt = (number = 1) => ({ songFolder: join(folder, "work"), number });
const download = (
  limits = LIMITS,
  signal = new AbortController().signal,
  more: Partial<Parameters<typeof downloadVideo>[2]> = {},
) =>
  downloadVideo(
    URL,
    attempt(),
    { downloader: namedDownloader(standIn), ffmpeg: undefined, testSite: undefined, limits, ...more },
    { signal, onProgress: () => {} },
  );

test("returns the sound and the sanitized metadata of a successful download", async () => {
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

test("runs without a shell, a configuration or our environment, and passes the link after --", async () => {
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
    /^This is private\. /,
  ],
  ["fails without a word", "exit 3", /without saying why/],
  ["kills itself", "kill -9 $$", /without saying why/],
  ["says it is done and leaves nothing", "exit 0", /no sound/],
  ["leaves an empty file", ": > sound.m4a", /empty file/],
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
])("accepts a song whose metadata are %s", async (_name, script) => {
  await playing(`printf x > sound.m4a; ${script}`);
  expect(await download()).toMatchObject({ title: "", artist: "" });
});

test("rejects a partial file, and keeps it for the next attempt", async () => {
  await playing("printf x > sound.140.m4a.part");
  await expect(download()).rejects.toThrow(/no sound/);
  expect(await readdir(join(folder, "work"))).toEqual(["download.tmp"]);
});

describe("an interrupted download", () => {
  /** Script that writes a song in two parts, the second only if it finds the first. Records what it found. */
  const HALVES = `ls -A >> FOLDER/found; echo "$PWD" >> FOLDER/where
if [ -e sound.140.m4a.part ]; then printf second >> sound.140.m4a.part; mv sound.140.m4a.part sound.140.m4a; exit 0; fi
printf first- > sound.140.m4a.part; printf '{}' > sound.140.info.json; printf cookie > left-over`;
  const found = async () => (await readFile(join(folder, "found"), "utf8")).trim().split("\n").filter(Boolean);
  const halves = (end: string) => playing(`${HALVES}\n${end}`.replaceAll("FOLDER", folder));
  beforeEach(async () => {
    await rm(join(folder, "found"), { force: true });
    await rm(join(folder, "where"), { force: true });
  });

  // kept: Songs and jobs | An interrupted download restarted from the beginning | failed on the old code
  test.each([
    ["the connection broke", "echo 'ERROR: unable to download video data: timed out' >&2; exit 1", /does not reach/],
    ["the site fell silent", "sleep 63.1", /stopped sending/],
    ["the downloader was killed", "kill -9 $$", /without saying why/],
  ])("resumes after %s", async (_what, end, why) => {
    await halves(end);
    await expect(download({ silenceMs: 300, totalMs: 10_000 })).rejects.toThrow(why);
    expect(await readdir(join(folder, "work"))).toEqual(["download.tmp"]);
    expect(await readdir(join(folder, "work/download.tmp"))).toEqual(["sound.140.m4a.part"]);
    const { path } = await download();
    expect(await readFile(path, "utf8")).toBe("first-second");
    expect(await found()).toEqual(["sound.140.m4a.part"]);
  });

  test("runs the downloader with options to resume, and one file per format", async () => {
    await playing(`printf '%s\n' "$@" > ${folder}/arguments; printf x > sound.webm`);
    await download();
    const given = (await readFile(join(folder, "arguments"), "utf8")).trim().split("\n");
    expect(given).toEqual(expect.arrayContaining(["--continue", "--part", "sound.%(format_id)s.%(ext)s"]));
    expect(given.join(" ")).not.toMatch(/--no-part|--no-continue/);
  });

  test("of a killed worker is resumed from a copy, because its downloader may still be writing", async () => {
    const dead = join(folder, "work/scratch.tmp-download-1-dead");
    await mkdir(dead);
    await writeFile(join(dead, "sound.140.m4a.part"), "first-");
    await writeFile(join(dead, "cookies.txt"), "secret");
    const writer = await open(join(dead, "sound.140.m4a.part"), "a");
    await halves("");
    const { path } = await download();
    await writer.writeFile("of the dead");
    await writer.close();
    expect(await readFile(path, "utf8")).toBe("first-second");
    expect(await found()).toEqual(["sound.140.m4a.part"]);
    expect(await readdir(join(folder, "work"))).toHaveLength(1);
  });

  test("deletes its partial file if the disk is full", async () => {
    await halves("echo 'ERROR: unable to write data: [Errno 28] No space left on device' >&2; exit 1");
    await expect(download()).rejects.toMatchObject({ wait: { kind: "room" } });
    expect(await readdir(join(folder, "work"))).toEqual([]);
  });

  // kept: Songs and jobs | A download over a slow connection was aborted after 15 minutes | failed on the old code
  test("has no time limit as long as data arrives", async () => {
    await playing(
      `until [ -e ${folder}/enough ]; do echo "[download] 1.0%"; sleep 0.01; done; printf slow > sound.140.m4a`,
    );
    // Data arrives every 100 seconds.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let passedMs = 0;
    const onProgress = () => {
      vi.advanceTimersByTime(100_000);
      passedMs += 100_000;
      if (passedMs >= 2 * 3600_000) writeFileSync(join(folder, "enough"), "");
    };
    try {
      const settings = { downloader: namedDownloader(standIn), ffmpeg: undefined, testSite: undefined };
      const { path } = await downloadVideo(URL, attempt(), settings, {
        signal: new AbortController().signal,
        onProgress,
      });
      expect(await readFile(path, "utf8")).toBe("slow");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("cookies", () => {
  const TEXT = "# Netscape HTTP Cookie File\n.youtube.com\tTRUE\t/\tTRUE\t1999999999\tSID\tsecret-of-ada\n";
  const jar = () => join(folder, "jar.txt");
  const withJar = (access = { cookies: jar(), proxy: undefined as string | undefined }) =>
    download(LIMITS, undefined, { access });
  const failure = () =>
    withJar().then(
      () => Promise.reject(new Error("it was accepted")),
      ({ message }: Error) => message,
    );
  beforeEach(async () => {
    await writeFile(jar(), TEXT, { mode: 0o600 });
    await chmod(jar(), 0o600);
  });

  // kept: Songs and jobs | A server that the site takes for a robot, or that is behind a proxy, could not download at
  // all | failed on the old code
  test("are passed to the downloader as a private copy, which is always deleted afterwards", async () => {
    await playing(`printf '%s\n' "$@" > ${folder}/arguments
for last; do case "$before" in --cookies) given="$last";; esac; before="$last"; done
cat "$given" > ${folder}/lent; stat -c %a "$given" > ${folder}/mode; echo "$given" > ${folder}/at
echo changed >> "$given"; printf x > sound.webm`);
    const video = await withJar();
    expect(await readFile(join(folder, "lent"), "utf8")).toBe(TEXT);
    expect((await readFile(join(folder, "mode"), "utf8")).trim()).toBe("600");
    const at = (await readFile(join(folder, "at"), "utf8")).trim();
    expect(at.startsWith(join(folder, "work/scratch.tmp-download-1-"))).toBe(true);
    await expect(stat(at)).rejects.toThrow();
    expect(await readFile(jar(), "utf8")).toBe(TEXT);
    expect(await readdir(join(video.path, ".."))).toEqual(["sound.webm"]);
  });

  test("are deleted after a failed or aborted download, and do not appear in its error", async () => {
    await playing(`echo "ERROR: cannot use secret-of-ada of $PWD/cookies.txt" >&2; exit 1`);
    expect(await failure()).toBe("cannot use … of …");
    await playing(`printf x > sound.140.m4a.part; sleep 62.9`);
    const stopped = download({ silenceMs: 300, totalMs: 9000 }, undefined, {
      access: { cookies: jar(), proxy: undefined },
    });
    await expect(stopped).rejects.toThrow("stopped sending");
    const left = await readdir(join(folder, "work"), { recursive: true });
    expect(left.sort()).toEqual(["download.tmp", "download.tmp/sound.140.m4a.part"]);
  });

  test.each<[what: string, spoil: () => Promise<void>, why: RegExp]>([
    [
      "others may read",
      () => chmod(jar(), 0o640),
      /^Others than its owner may read .* FOLLOWSPOT_YTDLP_COOKIES .*mode 0600, then retry\.$/,
    ],
    ["is not there", () => rm(jar()), /^FOLLOWSPOT_YTDLP_COOKIES names no file/],
    ["holds none", () => writeFile(jar(), "secret-of-ada"), /holds no cookies.*Netscape/],
  ])("of a file that %s are not used, and the error names a remedy", async (_what, spoil, why) => {
    await playing(`touch ${folder}/was-run-with-cookies; printf x > sound.webm`);
    await spoil();
    const message = await failure();
    expect(message).toMatch(why);
    expect(message).not.toMatch(/jar\.txt|secret-of-ada/);
    expect(await readdir(folder)).not.toContain("was-run-with-cookies");
  });

  // kept: Songs and jobs | A server that the site takes for a robot, or that is behind a proxy, could not download at
  // all | also
  test("a proxy is passed in the environment, because arguments would show its password in process lists", async () => {
    await playing(`printf '%s\n' "$@" > ${folder}/arguments; env > ${folder}/environment; printf x > sound.webm`);
    const proxy = "http://ada:pass%20word@proxy.example:8080";
    await withJar({ cookies: jar(), proxy });
    expect(await readFile(join(folder, "environment"), "utf8")).toContain(`https_proxy=${proxy}\n`);
    expect(await readFile(join(folder, "arguments"), "utf8")).not.toContain("pass");
    await playing("echo 'ERROR: odd words of ada and pass word at pass%20word' >&2; exit 1");
    await expect(withJar({ cookies: jar(), proxy })).rejects.toThrow("odd words of … and … at …");
  });
});

test("kills a silent downloader and all its child processes", async () => {
  await playing(`sleep 61.7 & sleep 61.7`);
  await expect(download({ silenceMs: 300, totalMs: 10_000 })).rejects.toThrow("stopped sending");
  expect(() => execFileSync("pgrep", ["-f", "sleep 61.7"])).toThrow();
});

test("stops when the step is canceled", async () => {
  await playing("sleep 62.3");
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error("the lease is lost")), 200);
  await expect(download(undefined, abort.signal)).rejects.toThrow("the lease is lost");
});

test.each([
  ["2025.11.11", false],
  ["2025.11.12", true],
  ["2026.10.26.232826", true],
])("names Node as the only JavaScript runtime if the version supports the option: %s", async (version, isNamed) => {
  await playing(`printf '%s\\n' "$@" > ${folder}/arguments; printf x > sound.webm`, version);
  await download();
  const given = (await readFile(join(folder, "arguments"), "utf8")).trim().split("\n");
  const at = given.indexOf("--no-js-runtimes");
  expect(at >= 0 ? given.slice(at, at + 3) : []).toEqual(
    isNamed ? ["--no-js-runtimes", "--js-runtimes", `node:${process.execPath}`] : [],
  );
  expect(given).not.toContain("--remote-components");
});

test("refuses a downloader below the minimum version before it receives the link", async () => {
  await playing(`touch ${folder}/was-run`, "2023.03.04");
  await expect(download()).rejects.toThrow(/2023\.03\.04 is older than 2025\.01\.01/);
  expect(await readdir(folder)).not.toContain("was-run");
});

describe("a download that the installed version can no longer do", () => {
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
      attempt(),
      { downloader, ffmpeg: undefined, testSite: undefined },
      { signal: new AbortController().signal, onProgress: (_share, what) => told.push(what) },
    );
  /** Version one is installed, and no process has requested another one recently. */
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

  test("updates the downloader and retries once before it fails", async () => {
    await outgrown();
    release("2026.02.02", "printf sound > sound.m4a");
    const told: string[] = [];
    expect(await readFile((await downloadNow(told)).path, "utf8")).toBe("sound");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02"]);
    expect(told).toContain("fetching");
  });

  test("fails with the site's message if the newest version fails too, or if there is none", async () => {
    await outgrown();
    release("2026.02.02", OUTGROWN);
    await expect(downloadNow()).rejects.toThrow("Unable to extract player response");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02"]);
    await rm(join(folder, "kept/asked.json"));
    await expect(downloadNow()).rejects.toThrow("Unable to extract player response");
    expect(await tried()).toEqual(["2026.01.01", "2026.02.02", "2026.02.02"]);
  });

  test("does not blame the downloader for an unavailable video", async () => {
    await outgrown();
    release("2026.01.02", "echo 'ERROR: [youtube] dQw4w9WgXcQ: Private video' >&2; exit 1");
    await downloader.update({ signal: new AbortController().signal, onFetch: () => undefined });
    await rm(join(folder, "kept/asked.json"));
    release("2026.02.02", "printf sound > sound.m4a");
    await expect(downloadNow()).rejects.toThrow("This is private");
    expect(await tried()).toEqual(["2026.01.02"]);
  });
});
