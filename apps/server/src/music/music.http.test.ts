import { readdir, utimes, writeFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { synthesiseSong } from "../testing/synthetic-song.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { SongFiles } from "./song-files.ts";

const SONG = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
/** Hundred bytes, each its own place. */
const SOUND = Buffer.from(Array.from({ length: 100 }, (_, i) => i));

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const files = new SongFiles(dataDir);
const admin = (await server.person("Ada", ["Admin"])).token;
await files.makeFolder(SONG);
await writeFile(files.path(SONG, "audio.mp3"), SOUND);
await writeFile(files.path(SONG, "hybrid.json"), JSON.stringify({ text: "x".repeat(10_000) }));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.base + path, { headers: { authorization: `Bearer ${admin}`, ...headers } });
const sound = (headers: Record<string, string> = {}) => get(`/proxy/songs/${SONG}/audio.mp3`, headers);

test.each([
  ["bytes=0-0", 206, 0, 0],
  ["bytes=10-", 206, 10, 99],
  ["bytes=90-200", 206, 90, 99],
  ["bytes=-1", 206, 99, 99],
  ["bytes=-500", 200, 0, 99],
  ["items=0-5", 200, 0, 99],
])("answers the Range %s of a song's sound by RFC 9110", async (range, status, from, to) => {
  const answer = await sound({ range });
  expect(answer.status).toBe(status);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(SOUND.subarray(from, to + 1));
  if (status === 206) expect(answer.headers.get("content-range")).toBe(`bytes ${from}-${to}/100`);
});

test.each(["bytes=100-", "bytes=999-", "bytes=0-1,4-5,8-9"])("refuses the Range %s", async (range) => {
  expect((await sound({ range })).status).toBe(416);
});

test("a player that goes on after the sound was made again gets the new one whole", async () => {
  const first = await sound();
  const etag = first.headers.get("etag") ?? "";
  expect((await sound({ "if-none-match": etag, "cache-control": "max-age=0" })).status).toBe(304);
  await writeFile(files.path(SONG, "audio.mp3"), Buffer.alloc(100, 7));
  const other = await sound({ range: "bytes=50-", "if-range": etag });
  await writeFile(files.path(SONG, "audio.mp3"), SOUND);
  expect(other.status).toBe(200);
});

test("reads nothing of a song for somebody who is not signed in", async () => {
  const answers = async () => {
    const path = `/proxy/songs/${SONG}/hybrid.json`;
    return [(await fetch(server.base + path)).status, (await get(path)).status];
  };
  expect(await answers()).toEqual([401, 200]);
  // Whoever asks the database for the song's corrections now fails.
  await server.sql`alter table song_corrections rename to song_corrections_gone`;
  const whileGone = await answers();
  await server.sql`alter table song_corrections_gone rename to song_corrections`;
  server.failures.length = 0;
  expect(whileGone).toEqual([401, 500]);
});

test("files are private, sandboxed and packed where it helps", async () => {
  const answer = await get(`/proxy/songs/${SONG}/heard.json`, { "accept-encoding": "gzip" });
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  expect(answer.headers.get("content-security-policy")).toBe("sandbox");
  expect(((await answer.json()) as { text: string }).text).toHaveLength(10_000);
});

test.each(["%2e%2e", "..%2f..%2fsecrets.json", SONG.toLowerCase(), "a%00b", `${SONG}%2f..`])(
  "the song %s names no folder",
  async (id) => {
    const answer = await get(`/proxy/songs/${id}/audio.mp3`);
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as { code: string }).code).toBeDefined();
  },
);

async function upload(body: Buffer, name: string): Promise<Wire> {
  const response = await fetch(`${server.base}/api/songs/upload`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${admin}`,
      "content-type": "text/plain",
      "x-file-name": encodeURIComponent(name),
    },
    body: body as never,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

test("an upload is a song with its audit row, whatever its type says; a second time it is the same one", async () => {
  const wav = synthesiseSong(2, 120);
  const first = await upload(wav, "Bea - Glow.wav");
  expect(first).toMatchObject({ status: 201, song: { title: "Glow", artist: "Bea" } });
  const second = await upload(wav, "other name.wav");
  expect([second.status, second.song.id]).toEqual([200, first.song.id]);
  const audits = await server.sql`select action from audit_log where target = ${`song ${first.song.id}`}`;
  expect(audits).toMatchObject([{ action: "song.created" }]);
});

test("what is no sound leaves nothing behind", async () => {
  const before = await readdir(files.root);
  expect((await upload(Buffer.from("hello"), "x.mp3")).code).toBe("invalid_argument");
  expect((await upload(Buffer.alloc(0), "x.mp3")).code).toBe("invalid_argument");
  expect(await readdir(files.root)).toEqual(before);
});

test("folders nobody knows go after an hour in which nothing in them was written", async () => {
  const [old, growing] = ["01ARZ3NDEKTSV4RRFFQ69G5FAA", "01ARZ3NDEKTSV4RRFFQ69G5FAB"];
  const longAgo = new Date(Date.now() - 7_200_000);
  for (const id of [old!, growing!]) {
    await files.makeFolder(id);
    await writeFile(files.path(id, "source.tmp"), "x");
    if (id === old) await utimes(files.path(id, "source.tmp"), longAgo, longAgo);
    await utimes(files.folder(id), longAgo, longAgo);
  }
  await files.removeOrphans(async () => new Set([SONG]));
  const left = await readdir(files.root);
  expect([left.includes(old!), left.includes(growing!), left.includes(SONG)]).toEqual([false, true, true]);
});

test("a song's cover is served by us, to those who are signed in", async () => {
  const { song } = await upload(synthesiseSong(3, 120), "Covered.wav");
  const cover = async () => (await server.call("music.v1.MusicService/GetSong", { song_id: song.id }, admin)).body.song;
  expect((await cover()).imageUrl ?? "").toBe("");
  await server.sql`update songs set has_cover = true where id = ${song.id}`;
  await writeFile(files.path(song.id, "cover.webp"), "a picture");
  const { imageUrl } = await cover();
  // The console's pages load pictures from their own origin only.
  expect(imageUrl).toMatch(/^\/(?!\/)/);
  const answer = await get(imageUrl);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  expect((await fetch(server.base + imageUrl)).status).toBe(401);
});
