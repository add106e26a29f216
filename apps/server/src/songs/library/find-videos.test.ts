import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { DownloaderState } from "@followspot/contract";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { findNatsServer, startNats } from "../../operations/supervisor/nats.ts";
import { namedDownloader } from "../../testing/release-site.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Answer } from "../../testing/test-server.ts";
import { VideoDesk } from "../processing/downloader/video-desk.ts";
import { FindVideos } from "./find-videos.ts";
import { describeDownloaders, type WorkerDownloader } from "./video.routes.ts";

let desk: VideoDesk;
let now = 0;
let workers: WorkerDownloader[] = [];
const fine: DownloaderState = { version: "2026.10.26", source: "fetched", problem: "", fetching: null };

const folder = await folderUntil(afterAll);
const nats = await startNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {});
openUntil(afterAll, nats, (nats) => nats.stop());
const broker = openUntil(afterAll, await connectBroker(nats.url, "test"), leaveBroker);
const videos = new FindVideos(
  () => broker.connection,
  () => now,
);
const server = await startTestServer({
  dataDir: folder,
  videos: { find: (request) => videos.find(request), downloaders: () => workers },
});
openUntil(afterAll, server);
const { token } = await server.person("Ada", ["Admin"]);
afterAll(() => desk?.close());
beforeEach(async () => {
  desk?.close();
  const site = { downloader: namedDownloader(join(folder, "yt-dlp")), ffmpeg: undefined, testSite: undefined };
  desk = new VideoDesk(broker.connection, site, () => undefined);
  desk.start();
  now += 11 * 60_000; // expires the cache of the previous test
  await rm(join(folder, "asked"), { force: true });
});

/** Replaces yt-dlp: records its arguments, then prints an answer. */
async function answering(answer: object | string, before = ""): Promise<void> {
  await writeFile(join(folder, "answer"), typeof answer === "string" ? answer : JSON.stringify(answer));
  const script = `#!/bin/sh\ncase "$*" in *--version*) echo 2026.10.26; exit 0;; esac\necho "$*" >> ${folder}/asked\n${before}\ncat ${folder}/answer\n`;
  await writeFile(join(folder, "yt-dlp"), script, { mode: 0o755 });
}
const asked = async () =>
  (await readFile(join(folder, "asked"), "utf8").catch(() => "")).trim().split("\n").filter(Boolean);
const search = (query: string, limit = 0): Promise<Answer> =>
  server.call("music.v1.MusicService/SearchYoutube", { query, limit }, token);
const playlist = (url: string): Promise<Answer> =>
  server.call("music.v1.MusicService/ListVideoPlaylist", { url }, token);

const entry = (n: number, more: object = {}) => ({
  id: `video${String(n).padStart(6, "0")}`,
  title: `Song ${n}`,
  channel: "Band",
  duration: 180.7,
  thumbnails: [{ url: "https://i.ytimg.com/x.jpg" }],
  ...more,
});
const LIST = "https://www.youtube.com/playlist?list=PLtest";

describe("a search", () => {
  test("returns the site's results, marks songs that exist already, and omits the site's pictures", async () => {
    const { body } = await server.call(
      "music.v1.MusicService/AddSongFromYoutube",
      { url: "https://youtu.be/video000002" },
      token,
    );
    await answering({ entries: [entry(1), entry(2)] });
    expect((await search("straight line")).body.hits).toEqual([
      {
        ytid: "video000001",
        title: "Song 1",
        artist: "Band",
        duration: 180,
        url: "https://www.youtube.com/watch?v=video000001",
      },
      expect.objectContaining({ ytid: "video000002", songId: body.song.id }),
    ]);
    expect((await asked())[0]).toMatch(/--flat-playlist .* -- ytsearch10:straight line$/);
  });

  test.each([
    ["--exec=touch x", "-- ytsearch10:--exec=touch x"],
    ["  a\n\tb\u0007c  ", "-- ytsearch10:a b c"],
    ["file:///etc/passwd", "-- ytsearch10:file:///etc/passwd"],
    ["$(id); `id`", "-- ytsearch10:$(id); `id`"],
  ])("never treats %j as an option, an address or a command", async (query, end) => {
    await answering({ entries: [] });
    expect((await search(query)).status).toBe(200);
    const [line = ""] = await asked();
    expect(line.endsWith(end)).toBe(true);
  });

  test("rejects empty and overlong queries, and returns at most twenty results", async () => {
    await answering({ entries: Array.from({ length: 60 }, (_, n) => entry(n)) });
    expect((await search(" \u0007 ")).code).toBe("invalid_argument");
    expect((await search("x".repeat(201))).code).toBe("invalid_argument");
    expect((await search("twenty", 50)).body.hits).toHaveLength(20);
    expect((await asked())[0]).toContain("ytsearch20:twenty");
  });

  test("is cached for ten minutes and shared by simultaneous callers, but not after a failure", async () => {
    await answering("no JSON");
    expect(await search("line")).toMatchObject({ code: "failed_precondition" });
    await answering({ entries: [entry(1)] }, "sleep 0.3");
    await Promise.all(Array.from({ length: 10 }, () => search("line")));
    now += 9 * 60_000;
    await search("line");
    expect(await asked()).toHaveLength(2);
    now += 2 * 60_000;
    await search("line");
    expect(await asked()).toHaveLength(3);
  });

  test("runs two at a time; a few more wait, and the rest are rejected as too many", async () => {
    await answering({ entries: [] }, `echo in >> ${folder}/busy; sleep 0.5; echo out >> ${folder}/busy`);
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => search(`words ${n}`)));
    const refused = answers.filter(({ code }) => code === "unavailable");
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body.message).toMatch(/Too many searches/);
    let atWork = 0;
    const most = Math.max(
      ...(await readFile(join(folder, "busy"), "utf8"))
        .trim()
        .split("\n")
        .map((line) => (atWork += line === "in" ? 1 : -1)),
    );
    expect(most).toBe(2);
  });

  test.each<[what: string, answer: object | string, hits: number]>([
    ["titles with control characters and no end", { entries: [entry(1, { title: `\u0000${"x".repeat(9000)}` })] }, 1],
    ["invalid ids", { entries: [entry(1, { id: "../../etc" }), entry(2, { id: 7 }), null, "x", []] }, 0],
    ["the same video twice", { entries: [entry(1), entry(1)] }, 1],
    ["live streams", { entries: [entry(1, { live_status: "is_live" }), entry(2)] }, 1],
    ["invalid lengths", { entries: [entry(1, { duration: "long" }), entry(2, { duration: 1e300 })] }, 2],
  ])("accepts %s", async (what, answer, hits) => {
    await answering(answer);
    const { status, body } = await search(what);
    expect([status, body.hits?.length ?? 0]).toEqual([200, hits]);
    for (const hit of body.hits ?? []) {
      expect(hit.title).toMatch(/^[^\p{Cc}]{1,300}$/u);
      expect(hit.duration ?? 0).toBeLessThan(86_401);
    }
  });

  // kept: Songs and jobs | Searches and downloads without a network failed with a Python error | failed on the old code
  test.each([
    [
      "[youtube:search] Unable to download API page: HTTPSConnection(host=www.youtube.com, port=443): Failed to resolve www.youtube.com ([Errno -2] Name or service not known) (caused by TransportError(x))",
      "unavailable",
      "The server does not find the site: its name has no address here. Let the server reach it, then retry.",
    ],
    [
      "[youtube:search] x: Unable to download API page: HTTP Error 429: Too Many Requests",
      "unavailable",
      "The site asks this server to slow down. Retry in an hour, or upload the file.",
    ],
    ["[youtube:search] out of order in /srv/followspot/secret", "failed_precondition", "out of order in …"],
  ])("that fails with %j returns a sentence without paths", async (words, code, message) => {
    await answering("", `echo 'ERROR: ${words}' >&2; exit 1`);
    const answer = await search("limits");
    expect([answer.code, answer.body.message]).toEqual([code, message]);
  });
});

describe("a playlist", () => {
  test("lists each entry once and in order, counts the omitted ones, and reports a truncation", async () => {
    const entries = [entry(1), entry(1), entry(2, { title: "[Private video]", duration: null }), entry(3)];
    await answering({ title: "Opening\nnight", entries });
    const { body } = await playlist("https://youtube.com/watch?v=video000001&list=PLtest");
    expect(body).toMatchObject({ title: "Opening night", leftOut: 2 });
    expect(body.hits.map(({ ytid }: { ytid: string }) => ytid)).toEqual(["video000001", "video000003"]);
    expect((await asked())[0]).toMatch(
      /--playlist-items 1:201 .* -- https:\/\/www\.youtube\.com\/playlist\?list=PLtest$/,
    );
    now += 11 * 60_000;
    await answering({ title: "Long", entries: Array.from({ length: 201 }, (_, n) => entry(n)) });
    const long = (await playlist(LIST)).body;
    expect([long.hits.length, long.isCut, long.leftOut ?? 0]).toEqual([200, true, 0]);
  });

  test.each([
    "https://evil.example/playlist?list=PLx",
    "https://www.youtube.com/playlist",
    "https://www.youtube.com/playlist?list=WL",
    "https://www.youtube.com/playlist?list=PL%20--exec",
    "https://a@youtube.com/playlist?list=PLx",
    "--exec",
    "",
  ])("is not requested for %j", async (url) => {
    await answering({ entries: [] });
    expect((await playlist(url)).code).toBe("invalid_argument");
    expect(await asked()).toEqual([]);
  });
});

test("without a worker, a search fails at once, and the status says why links would wait", async () => {
  desk.close();
  workers = [];
  expect(await search("waltz")).toMatchObject({ code: "unavailable", body: { message: /No worker/ } });
  const { body } = await server.call("music.v1.MusicService/GetDownloader", {}, token);
  expect(body).toEqual({ problem: expect.stringMatching(/No worker is running/) });
});

test("reports every worker's downloader with its age, and the first problem", async () => {
  const lacking: DownloaderState = { version: "", source: "none", problem: "It could not be fetched.", fetching: null };
  workers = [{ id: "w1", downloader: { ...fine, fetching: 40 } }, { id: "w2", downloader: lacking }, { id: "old" }];
  const { body } = await server.call("music.v1.MusicService/GetDownloader", {}, token);
  expect(body.problem).toBe("It could not be fetched.");
  expect(body.downloaders[0]).toMatchObject({
    worker: "w1",
    version: "2026.10.26",
    released: "2026-10-26",
    fetchingPercent: 40,
  });
  expect(describeDownloaders(workers)).toMatchObject({
    workers: 3,
    downloader: { version: "2026.10.26", age_days: expect.any(Number), problem: "It could not be fetched." },
  });
});

test("only Admins may search, list playlists and read the status", async () => {
  const { token: director } = await server.person("Dora", ["Director"]);
  for (const method of ["SearchYoutube", "ListVideoPlaylist", "GetDownloader"])
    expect((await server.call(`music.v1.MusicService/${method}`, { query: "x", url: LIST }, director)).status).toBe(
      403,
    );
});
