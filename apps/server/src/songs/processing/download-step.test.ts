import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { GrantedJob, StepResult } from "@followspot/contract";
import { encodeMp3 } from "../audio/encode-mp3.ts";
import { SAMPLES } from "../../testing/pictures.ts";
import { namedDownloader } from "../../testing/release-site.ts";
import { startSecureSite } from "../../testing/secure-site.ts";
import type { PublicSite } from "./public-fetch.ts";
import { createStepRunner } from "./run-step.ts";
import { SongFiles } from "../catalog/song-files.ts";
import type { VideoSiteSettings } from "./video-site.ts";
import { songFolders } from "./workplace.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const SONG = "01JD0000000000000000000002";
const RATE = 44_100;
let answers: Record<string, Buffer> = {};
let warnings: string[] = [];

const folder = await folderUntil(afterAll);
const files = new SongFiles(folder);
const mp3 = join(folder, "song.mp3");
const tone = Float32Array.from({ length: 6 * RATE }, (_, n) => 0.5 * Math.sin(n / 15));
await encodeMp3({ left: tone, right: tone }, mp3, { sampleRate: RATE, attempt: "test" });
const site = createServer((request, response) => {
  const found = answers[request.url ?? ""];
  if (found) response.end(found);
  else response.writeHead(404).end();
}).listen(0, "127.0.0.1");
openUntil(afterAll, site);
await new Promise((resolve) => site.once("listening", resolve));
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
beforeEach(async () => {
  answers = {};
  warnings = [];
  await files.remove(SONG);
  await files.makeFolder(SONG);
});

/** Fails every lookup: only the stand-in site has an address. */
const noNames: PublicSite["lookUp"] = (_host, answer) =>
  answer(Object.assign(new Error("not found"), { code: "ENOTFOUND" }), []);

async function download(url: string, ytdlp?: string, more: Partial<VideoSiteSettings> = {}): Promise<StepResult> {
  const runStep = createStepRunner({
    places: songFolders(files),
    ffmpeg: undefined,
    stems: false,
    videoSite: {
      downloader: namedDownloader(ytdlp),
      ffmpeg: undefined,
      testSite: origin,
      sites: ["soundcloud.com"],
      lookUp: noNames,
      ...more,
    },
    warn: (message) => warnings.push(message),
  });
  const job = { job_id: "j", song_id: SONG, step: "download", attempt: 1, url } as unknown as GrantedJob; // fields that the step reads
  return runStep(job, { signal: new AbortController().signal, onProgress: () => undefined });
}

const names = async () => (await readdir(files.folder(SONG))).sort();

describe("a linked song", () => {
  const URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
  /** Writes a stand-in for yt-dlp that returns a sound and metadata of the site. */
  async function standIn(thumbnail: string): Promise<string> {
    const path = join(folder, "yt-dlp");
    const info = JSON.stringify({ title: "Line", uploader: "Band", thumbnail });
    const script = `#!/bin/sh\ncase "$*" in *--version*) echo 2026.01.01; exit 0;; esac\ncp ${mp3} sound.mp3\nprintf '%s' '${info}' > sound.info.json\n`;
    await writeFile(path, script, { mode: 0o755 });
    return path;
  }

  // kept: Songs and jobs | Covers never appeared: pages may not load pictures of other sites | also
  test("gets its cover in two sizes beside its sound", async () => {
    answers["/cover.jpg"] = await SAMPLES.jpeg!(1200);
    const result = await download(URL, await standIn(`${origin}/cover.jpg`));
    expect(result).toMatchObject({ title: "Line", artist: "Band", has_cover: true });
    expect(result).not.toHaveProperty("image_url");
    expect(await names()).toEqual(["audio.mp3", "cover-small.webp", "cover.webp", "source.mp3"]);
    const sizes = await Promise.all(
      ["cover.webp", "cover-small.webp"].map((name) => sharp(files.path(SONG, name)).metadata()),
    );
    expect(sizes).toMatchObject([
      { format: "webp", width: 640, height: 320 },
      { format: "webp", width: 96, height: 96 },
    ]);
  });

  test.each([
    ["is missing", () => `${origin}/none.jpg`],
    ["is no picture", () => `${origin}/text.jpg`],
    ["lies elsewhere", () => "https://evil.example/x.jpg"],
    ["has no address", () => "javascript:x"],
  ])("whose cover %s is a song without one", async (_what, address) => {
    answers["/text.jpg"] = Buffer.from("no picture");
    const result = await download(URL, await standIn(address()));
    expect(result).toMatchObject({ title: "Line", has_cover: false });
    expect(await names()).toEqual(["audio.mp3", "source.mp3"]);
    expect(warnings).toHaveLength(1);
  });

  test("keeps its earlier cover if the next download has none", async () => {
    answers["/cover.jpg"] = await SAMPLES.jpeg!();
    await download(URL, await standIn(`${origin}/cover.jpg`));
    answers = {};
    expect(await download(URL, await standIn(`${origin}/cover.jpg`))).toMatchObject({ has_cover: true });
  });
});

describe("a song linked from another site", () => {
  test("is downloaded like a video if the site is in the settings", async () => {
    const path = join(folder, "yt-dlp");
    const script = `#!/bin/sh\ncase "$*" in *--version*) echo 2026.01.01; exit 0;; esac\necho "$*" > ${folder}/asked\ncp ${mp3} sound.http.mp3\nprintf '{"title":"Line"}' > sound.http.info.json\n`;
    await writeFile(path, script, { mode: 0o755 });
    expect(await download("https://soundcloud.com/ada/song", path)).toMatchObject({ title: "Line" });
    expect(await readFile(join(folder, "asked"), "utf8")).toMatch(/-- https:\/\/soundcloud\.com\/ada\/song$/m);
    expect(await names()).toEqual(["audio.mp3", "source.mp3"]);
  });

  test.each<[what: string, body: () => Promise<Buffer>, type: string, outcome: RegExp | object]>([
    [
      "that is sound is fetched",
      () => readFile(mp3),
      "application/octet-stream",
      { title: "", duration: expect.closeTo(6, 0) },
    ],
    [
      "that is another kind of file is refused",
      async () => Buffer.from("MZ no sound"),
      "audio/mpeg",
      /is no sound we can read/,
    ],
    ["that leads to a page is refused", async () => Buffer.from("<p>"), "text/html; charset=utf-8", /leads to a page/],
  ])("as a file %s", async (_what, body, type, outcome) => {
    const bytes = await body();
    const secure = await startSecureSite((_request, response) =>
      response.writeHead(200, { "content-type": type }).end(bytes),
    );
    const access = { cookies: undefined, proxy: secure.proxy };
    const lookUp: PublicSite["lookUp"] = (_host, answer) => answer(null, [{ address: "93.184.216.34", family: 4 }]);
    try {
      const step = download("https://example.org/Ada%20-%20Song.mp3", undefined, { access, lookUp });
      if (outcome instanceof RegExp) await expect(step).rejects.toThrow(outcome);
      else expect(await step).toMatchObject(outcome);
      expect(await names()).toEqual(outcome instanceof RegExp ? [] : ["audio.mp3", "source.mp3"]);
    } finally {
      await secure.close();
    }
  });

  test("is refused with a sentence if the site is not in the worker's settings", async () => {
    await expect(download("https://bandcamp.com/track/song")).rejects.toThrow(
      /FOLLOWSPOT_LINK_SITES does not name bandcamp/,
    );
  });
});

describe("an uploaded file", () => {
  const text = (id: string, value: string) => frame(id, Buffer.concat([Buffer.from([3]), Buffer.from(value)]));
  const picture = (bytes: Buffer) =>
    frame("APIC", Buffer.concat([Buffer.from("\0image/jpeg\0\x03\0", "latin1"), bytes]));

  function frame(id: string, body: Buffer): Buffer {
    const head = Buffer.alloc(10);
    head.write(id);
    head.writeUInt32BE(body.length, 4);
    return Buffer.concat([head, body]);
  }

  /** Stores an MP3 that begins with an ID3v2.3 tag. */
  async function upload(...frames: Buffer[]): Promise<void> {
    const body = Buffer.concat(frames);
    const head = Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1");
    for (let i = 0; i < 4; i++) head[6 + i] = (body.length >> (7 * (3 - i))) & 127;
    await writeFile(files.path(SONG, "source.mp3"), Buffer.concat([head, body, await readFile(mp3)]));
  }

  test("gets title, artist and cover from its tags", async () => {
    await upload(text("TIT2", "  Straight\nLine "), text("TPE1", "Test Artist"), picture(await SAMPLES.jpeg!(300)));
    const result = await download("");
    expect(result).toMatchObject({ title: "Straight Line", artist: "Test Artist", has_cover: true });
    expect(result.duration).toBeCloseTo(6, 0);
    expect(await names()).toEqual(["audio.mp3", "cover-small.webp", "cover.webp", "source.mp3"]);
  });

  test("has no title and no artist if it has no tags", async () => {
    await copyFile(mp3, files.path(SONG, "source.mp3"));
    expect(await download("")).toMatchObject({ title: "", artist: "", has_cover: false });
  });

  test("is accepted with broken tags", async () => {
    await upload(text("TIT2", "Broken"), picture(Buffer.from("no picture")), frame("APIC", Buffer.alloc(3)));
    expect(await download("")).toMatchObject({ has_cover: false, warnings: [] });
    expect(await names()).toEqual(["audio.mp3", "source.mp3"]);
  });
});
