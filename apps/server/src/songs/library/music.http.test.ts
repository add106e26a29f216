import { readdir, utimes, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { sourceOfBytes, type BlobStore } from "../../platform/blobs/blob-store.ts";
import { FolderBlobs } from "../../platform/blobs/folder-blobs.ts";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { S3Blobs } from "../../platform/blobs/s3-blobs.ts";
import { linkOrigin, readS3Address, type S3Address } from "../../platform/files/s3-address.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../../testing/s3-store.ts";
import { startTestServer, type TestServer, type Wire } from "../../testing/test-server.ts";
import { SongFiles } from "../catalog/song-files.ts";

const SONG = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
/** One hundred bytes, each with its own value. */
const SOUND = Buffer.from(Array.from({ length: 100 }, (_, i) => i));

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());

describe.each([
  ["a folder", (folder: string) => new FolderBlobs(folder)],
  ["an S3 bucket", () => openS3(s3.port)],
] as const)("songs stored in %s", (_where, openStore) => {
  let dataDir: string;
  let store: BlobStore;
  let server: TestServer;
  let files: SongFiles;
  let admin: string;
  const put = (name: string, bytes: string | Uint8Array, song = SONG) =>
    store.write(`songs/${song}/${name}`, sourceOfBytes(bytes));
  beforeAll(async () => {
    dataDir = await folderUntil(afterAll);
    store = openStore(dataDir);
    server = openUntil(afterAll, await startTestServer({ dataDir, blobs: store }));
    files = new SongFiles(dataDir, store);
    admin = (await server.person("Ada", ["Admin"])).token;
    await put("audio.mp3", SOUND);
    await put("hybrid.json", JSON.stringify({ text: "x".repeat(10_000) }));
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(server.base + path, { method, headers: { authorization: `Bearer ${admin}`, ...headers } });
  const sound = (headers: Record<string, string> = {}, method = "GET") =>
    get(`/proxy/songs/${SONG}/audio.mp3`, headers, method);

  test.each([
    ["bytes=0-0", 206, 0, 0],
    ["bytes=10-", 206, 10, 99],
    ["bytes=90-200", 206, 90, 99],
    ["bytes=-1", 206, 99, 99],
    ["bytes=-500", 200, 0, 99],
    ["items=0-5", 200, 0, 99],
  ])("answers the Range %s of a song's sound as RFC 9110 requires", async (range, status, from, to) => {
    const answer = await sound({ range });
    expect(answer.status).toBe(status);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(SOUND.subarray(from, to + 1));
    if (status === 206) expect(answer.headers.get("content-range")).toBe(`bytes ${from}-${to}/100`);
  });

  test.each(["bytes=100-", "bytes=999-", "bytes=0-1,4-5,8-9"])("refuses the Range %s", async (range) => {
    expect((await sound({ range })).status).toBe(416);
  });

  // kept: Songs and jobs | A player could join bytes of two versions of a sound | failed on the old code
  test("sends the whole new file to a player that resumes after the sound has changed", async () => {
    const first = await sound();
    const etag = first.headers.get("etag") ?? "";
    expect((await sound({ "if-none-match": etag, "cache-control": "max-age=0" })).status).toBe(304);
    await put("audio.mp3", Buffer.alloc(100, 7));
    const other = await sound({ range: "bytes=50-", "if-range": etag });
    await put("audio.mp3", SOUND);
    expect(other.status).toBe(200);
  });

  // kept: Doors | A song's corrections were read before the caller was authenticated | failed on the old code
  test("reads nothing about a song before the caller is authenticated", async () => {
    const answers = async () => {
      const path = `/proxy/songs/${SONG}/hybrid.json`;
      return [(await fetch(server.base + path)).status, (await get(path)).status];
    };
    expect(await answers()).toEqual([401, 200]);
    // Every read of the song's corrections now fails.
    await server.sql`alter table song_corrections rename to song_corrections_away`;
    const whileGone = await answers();
    await server.sql`alter table song_corrections_away rename to song_corrections`;
    server.failures.length = 0;
    expect(whileGone).toEqual([401, 500]);
  });

  test("files are private, sandboxed, and compressed if that helps", async () => {
    const answer = await get(`/proxy/songs/${SONG}/heard.json`, { "accept-encoding": "gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("content-security-policy")).toBe("sandbox");
    expect(((await answer.json()) as { text: string }).text).toHaveLength(10_000);
  });

  test.each(["%2e%2e", "..%2f..%2fsecrets.json", SONG.toLowerCase(), "a%00b", `${SONG}%2f..`])(
    "the song ID %s never names a folder",
    async (id) => {
      const answer = await get(`/proxy/songs/${id}/audio.mp3`);
      expect(answer.status).toBe(404);
      expect(((await answer.json()) as { code: string }).code).toBeDefined();
    },
  );

  async function upload(body: Buffer, name: string, type = "text/plain"): Promise<Wire> {
    const response = await fetch(`${server.base}/api/songs/upload`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${admin}`,
        "content-type": type,
        "x-file-name": encodeURIComponent(name),
      },
      body: body as never,
    });
    return { status: response.status, ...((await response.json()) as object) };
  }

  // kept: Songs and jobs | A form with a file was stored as a song, with the form's boundary in its sound | failed on the old code
  test("refuses a form, and says how to send the file", async () => {
    const refused = await upload(synthesiseSong(2, 60), "Form.wav", 'multipart/form-data; boundary="x"');
    expect(refused).toMatchObject({ status: 400, code: "invalid_argument" });
    expect(refused.message).toMatch(/^Send the file itself as the body/);
  });

  test("an upload creates a song with its audit row, whatever its content type; a repeated upload returns the same song", async () => {
    const wav = synthesiseSong(2, 120);
    const first = await upload(wav, "Bea - Glow.wav");
    expect(first).toMatchObject({ status: 201, song: { title: "Glow", artist: "Bea" } });
    const second = await upload(wav, "other name.wav");
    expect([second.status, second.song.id]).toEqual([200, first.song.id]);
    const audits = await server.sql`select action from audit_log where target = ${`song ${first.song.id}`}`;
    expect(audits).toMatchObject([{ action: "song.created" }]);
  });

  // kept: Songs and jobs | A song whose uploaded file was lost could only fail again, and uploading the file again was
  // refused as a duplicate | failed on the old code
  test("uploading a lost file again restores it, and restarts the song if it had failed", async () => {
    const wav = synthesiseSong(4, 120);
    const { song } = await upload(wav, "Lost.wav");
    const lose = async (status: string) => {
      await files.removeFiles(song.id, ["source.wav"]);
      await server.sql`delete from song_jobs where song_id = ${song.id}`;
      await server.sql`update songs set analysis_status = ${status} where id = ${song.id}`;
    };
    const jobs = () => server.sql`select step from song_jobs where song_id = ${song.id}`;

    await lose("error");
    const back = await upload(wav, "Lost.wav");
    expect(back).toMatchObject({ status: 200, restarted: true, song: { id: song.id, analysisStatus: "pending" } });
    expect(await files.stat(song.id, "source.wav")).toMatchObject({ bytes: wav.length });
    expect(await jobs()).toMatchObject([{ step: "download" }]);

    await lose("ready");
    expect(await upload(wav, "Lost.wav")).toMatchObject({ status: 200, restarted: false, song: { id: song.id } });
    expect(await files.stat(song.id, "source.wav")).toMatchObject({ bytes: wav.length });
    expect(await jobs()).toEqual([]);
  });

  /** Returns the paths of partial files on this machine. */
  async function halfWritten(): Promise<string[]> {
    const names = await readdir(files.root, { recursive: true }).catch(() => []);
    return names.filter((name) => name.includes(".tmp"));
  }

  test("an aborted upload leaves no files", async () => {
    const before = await files.songIds();
    const upload = httpRequest(`${server.base}/api/songs/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-length": 10_000_000 },
    });
    upload.on("error", () => undefined);
    upload.write(synthesiseSong(10, 120));
    await expect.poll(halfWritten).not.toEqual([]);
    upload.destroy();
    await expect.poll(halfWritten).toEqual([]);
    expect(await files.songIds()).toEqual(before);
  });

  test("a file without sound is refused and leaves no files", async () => {
    const before = await files.songIds();
    expect((await upload(Buffer.from("hello"), "x.mp3")).code).toBe("invalid_argument");
    expect((await upload(Buffer.alloc(0), "x.mp3")).code).toBe("invalid_argument");
    expect(await files.songIds()).toEqual(before);
    expect(await halfWritten()).toEqual([]);
  });

  test("HEAD returns the length of a song's sound without a body", async () => {
    const answer = await sound({}, "HEAD");
    expect([answer.status, answer.headers.get("content-length"), answer.headers.get("accept-ranges")]).toEqual([
      200,
      "100",
      "bytes",
    ]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  });

  test("a browser with a current copy of a file does not receive it again", async () => {
    const modified = (await sound()).headers.get("last-modified") ?? "";
    expect((await sound({ "if-modified-since": modified, "cache-control": "max-age=0" })).status).toBe(304);
    expect((await sound({ range: "bytes=50-", "if-range": modified })).status).toBe(206);
  });

  // kept: Songs and jobs | Covers never appeared: pages may not load pictures of other sites | failed on the old code
  test("a song's cover is served by our origin, to signed-in users only", async () => {
    const { song } = await upload(synthesiseSong(3, 120), "Covered.wav");
    const cover = async () =>
      (await server.call("music.v1.MusicService/GetSong", { song_id: song.id }, admin)).body.song;
    expect((await cover()).imageUrl ?? "").toBe("");
    await server.sql`update songs set has_cover = true where id = ${song.id}`;
    await put("cover.webp", "a picture", song.id);
    const { imageUrl } = await cover();
    // The console's pages load pictures from their own origin only.
    expect(imageUrl).toMatch(/^\/(?!\/)/);
    const answer = await get(imageUrl);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await fetch(server.base + imageUrl)).status).toBe(401);
  });
});

// kept: Songs and jobs | A long upload at one API server could be deleted by another one that started | failed on the
// old code
test("folders of unknown songs are deleted after an hour without a write", async () => {
  const files = new SongFiles(await folderUntil(onTestFinished));
  await files.makeFolder(SONG);
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

test("files of unknown songs in a bucket are deleted after an hour, unless all songs are unknown: the bucket may be another product's", async () => {
  const files = new SongFiles(await folderUntil(onTestFinished), openS3(s3.port, "orphans"));
  const other = "01ARZ3NDEKTSV4RRFFQ69G5FAA";
  for (const id of [SONG, other]) await files.store.write(`songs/${id}/audio.mp3`, sourceOfBytes("x"));
  const known = async () => new Set([SONG]);
  await files.removeOrphans(known);
  expect((await files.songIds()).toSorted()).toEqual([other, SONG].toSorted());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await files.removeOrphans(async () => new Set());
  expect(await files.songIds()).toHaveLength(2);
  await files.removeOrphans(known);
  expect(await files.songIds()).toEqual([SONG]);
});

test("if the setting allows it, browsers are redirected to the bucket by a link that needs no sign-in", async () => {
  const address = readS3Address(s3Setting(s3.port, "linked", "&links=1"));
  const store = new S3Blobs(address as S3Address); // a valid address
  await store.write(`songs/${SONG}/audio.mp3`, sourceOfBytes(SOUND));
  const dataDir = await folderUntil(onTestFinished);
  const server = openUntil(onTestFinished, await startTestServer({ dataDir, blobs: store }));
  const { token } = await server.person("Ada", ["Admin"]);
  const path = `${server.base}/proxy/songs/${SONG}/audio.mp3`;
  const answer = await fetch(path, { redirect: "manual", headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(307);
  const link = new URL(answer.headers.get("location")!);
  expect(link.origin).toBe(linkOrigin(address as S3Address));
  const part = await fetch(link, { headers: { range: "bytes=10-19" } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, SOUND.subarray(10, 20)]);
  expect((await fetch(path, { redirect: "manual" })).status).toBe(401);
});
