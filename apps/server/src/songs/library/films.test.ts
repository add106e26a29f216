import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { newId } from "../../platform/database/ids.ts";
import { SongFiles } from "../catalog/song-files.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const admin = await server.person("Ada", ["Admin"]);
const director = (await server.person("Dirk", ["Director"])).token;
const member = (await server.person("Mia", [])).token;
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const songs = new SongsByHand(server.sql, new SongFiles(dataDir), caller);
const songId = await songs.analysed();
const plan = await songs.plan(songId);
const long = await songs.analysed();
await songs.pretendPlan(long, { ...plan, song_id: long, duration: 900 });
const unplanned = await songs.analysed();
beforeEach(async () => {
  for (const { id } of await films()) await call("CancelFilm", { film_id: id });
});

const SHORT = { from: 10, to: 10.4, type: "webp", size: "640x360", look: "flat", sound: false };

async function call(method: string, body: object, token = director): Promise<Wire> {
  const answer = await server.call(`music.v1.MusicService/${method}`, body, token);
  return { ...answer.body, code: answer.code ?? "" };
}
const films = async (): Promise<Wire[]> => (await call("ListFilms", {})).films ?? [];
const start = (more: object = {}) => call("StartFilm", { song_id: songId, ...SHORT, ...more });
const download = (url: string, token = director) =>
  fetch(`${server.base}${url}`, { headers: { authorization: `Bearer ${token}` } });
const folderOf = (id: string) => join(dataDir, "films", id);

// kept: Songs and jobs | One damaged file hid all films and blocked new ones | failed on the old code
test.each(["", "{", '{"id":1}'])("a film whose state is %j hides no other film and blocks no new one", async (text) => {
  const damaged = folderOf(newId());
  await mkdir(damaged, { recursive: true });
  await writeFile(join(damaged, "film.json"), text);
  expect(await films()).toEqual([]);
  expect(await start()).toMatchObject({ code: "", film: { state: "making" } });
});

test("a Director can film part of a show and download the film, a member cannot", async () => {
  const { film } = await start();
  expect(film).toMatchObject({ state: "making", from: 10, to: 10.4 });
  await vi.waitUntil(async () => (await films())[0].state !== "making", { timeout: 60_000, interval: 200 });
  const [ready] = await films();
  expect(ready).toMatchObject({ id: film.id, state: "ready", progress: 1 });
  const answer = await download(ready.url);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename=".+\.webp"$/);
  const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([picture.format, picture.width, picture.pageHeight ?? picture.height]).toEqual(["webp", 640, 360]);
  expect((await download(ready.url, member)).status).toBe(403);
});

test("only one film is rendered at a time; a canceled one leaves no files and allows the next", async () => {
  const { film } = await start({ to: 60 });
  expect(await start()).toMatchObject({
    code: "failed_precondition",
    message: expect.stringContaining("is being made"),
  });
  expect((await download(`/api/films/${film.id}`)).status).toBe(404);
  await call("CancelFilm", { film_id: film.id });
  expect(await films()).toEqual([]);
  expect(existsSync(folderOf(film.id))).toBe(false);
  expect(await start()).toMatchObject({ code: "" });
});

test("only the newest five films are kept", async () => {
  const made: string[] = [];
  for (let i = 0; i < 6; i++) {
    made.push((await start({ to: 10.1 })).film.id);
    await vi.waitUntil(async () => (await films())[0].state === "ready", { timeout: 60_000, interval: 100 });
  }
  expect((await films()).map(({ id }) => id)).toEqual(made.slice(1).toReversed());
  expect(made.map((id) => existsSync(folderOf(id)))).toEqual([false, true, true, true, true, true]);
});

test("another API server on the same data folder lists, serves and cancels the films of the first", async () => {
  const other = openUntil(afterAll, await startTestServer({ dataDir }));
  const { token } = await other.person("Dee", ["Director"]);
  const ask = async (method: string, body: object) =>
    (await other.call(`music.v1.MusicService/${method}`, body, token)).body;
  const { film: short } = await start();
  await vi.waitUntil(async () => (await films())[0].state === "ready", { timeout: 60_000, interval: 100 });
  const { film: long } = await start({ to: 60 });
  const { films: seen } = await ask("ListFilms", {});
  expect(seen.map(({ id, state }: Wire) => [id, state])).toEqual([
    [long.id, "making"],
    [short.id, "ready"],
  ]);
  const answer = await fetch(`${other.base}${seen[1].url}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  await ask("CancelFilm", { film_id: long.id });
  expect((await films()).map(({ id }) => id)).toEqual([short.id]);
  // The server that renders it detects the cancellation and accepts another film.
  await vi.waitUntil(async () => (await start()).code === "", { timeout: 20_000, interval: 200 });
  expect(existsSync(folderOf(long.id))).toBe(false);
});

test("a film whose server died is reported as failed and allows the next", async () => {
  const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const told = {
    id,
    songId,
    title: "Salt",
    from: 10,
    to: 20,
    type: "webp",
    state: "making",
    progress: 0.4,
    problem: "",
  };
  await mkdir(folderOf(id), { recursive: true });
  await writeFile(join(folderOf(id), "film.json"), JSON.stringify({ ...told, saidAt: Date.now() - 30_000 }));
  expect((await films())[0]).toMatchObject({ id, state: "failed", problem: expect.stringContaining("started again") });
  expect(await start({ to: 10.1 })).toMatchObject({ code: "" });
});

test("a film can be canceled at any time after its start", async () => {
  for (let i = 0; i < 20; i++) {
    const { film } = await start({ to: 10.1 });
    expect(await call("CancelFilm", { film_id: film.id })).toEqual({ code: "" });
    expect(existsSync(folderOf(film.id))).toBe(false);
  }
});

test("names the missing programs for films and the remedy", async () => {
  const { noVideo, noStage } = await call("ListFilms", {});
  expect(noVideo).toContain("Install it there, or name it with FOLLOWSPOT_FFMPEG");
  expect(noStage).toContain("there is no Chromium");
  expect(await start({ type: "mp4" })).toMatchObject({ code: "failed_precondition", message: noVideo });
  expect(await start({ look: "3d" })).toMatchObject({ code: "failed_precondition", message: noStage });
});

test.each([
  ["no stretch", { to: 10 }, "invalid_argument"],
  ["a stretch behind the song", { from: 61, to: 62 }, "invalid_argument"],
  ["another kind", { type: "gif" }, "invalid_argument"],
  ["another size", { size: "64x64" }, "invalid_argument"],
  ["a WebP with sound", { sound: true }, "invalid_argument"],
  ["another song", { song_id: "01HZZZZZZZZZZZZZZZZZZZZZZZ" }, "not_found"],
])("%s is refused", async (_what, more, code) => expect(await start(more)).toMatchObject({ code }));

test.each([
  ["webp", 61, "60 seconds"],
  ["mp4", 601, "600 seconds"],
])("a %s of %i seconds is too long", async (type, to, message) => {
  const refused = { code: "invalid_argument", message: expect.stringContaining(message) };
  expect(await start({ song_id: long, type, from: 0, to })).toMatchObject(refused);
});

test("a song without a show is refused", async () => {
  expect(await start({ song_id: unplanned })).toMatchObject({ code: "failed_precondition" });
});
