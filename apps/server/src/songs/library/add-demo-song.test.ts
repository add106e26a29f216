import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { DEMO_SONGS, demoSongPath, type DemoSongName } from "../demo-songs/demo-songs.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const add = (song = "") => server.call("music.v1.MusicService/AddDemoSong", { song }, token);

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const { token } = await server.person("Ada", ["Admin"]);

// kept: Songs and jobs | Simultaneous requests for the demo song added several copies | failed on the old code
test("a demo song is added once for simultaneous and later calls", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add()));
  expect(new Set(answers.map(({ body }) => body.song.id)).size).toBe(1);
  expect((await add()).body.song.id).toBe(answers[0]?.body.song.id);
  const written = await server.sql`select 1 from audit_log where action = 'song.created'`;
  expect(written).toHaveLength(1);
});

test("a demo song added by release 0.1.0 is not added again", async () => {
  const { id } = (await add("rock")).body.song;
  await server.sql`update songs set source_hash = ${DEMO_SONGS.rock.formerSha256} where id = ${id}`;
  expect((await add("rock")).body.song.id).toBe(id);
});

test.each(Object.entries(DEMO_SONGS))("the hash of %s is that of its file", async (name, { sha256 }) => {
  const bytes = await readFile(demoSongPath(name as DemoSongName));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
});

test("a deleted demo song is added again", async () => {
  const before = (await add()).body.song.id;
  await server.call("music.v1.MusicService/DeleteSong", { songId: before }, token);
  expect((await add()).body.song.id).not.toBe(before);
});

test('each demo song has its own title with "(demo)", and an unknown name is refused with the known ones', async () => {
  const songs = [];
  for (const name of ["house", "rock", "ballad"]) songs.push((await add(name)).body.song);
  expect(songs.map(({ title, artist }) => [title, artist])).toEqual([
    ["Harbour Lights (demo)", "Followspot"],
    ["Eight Second-hand Pars (demo)", "Followspot"],
    ["Doors at Seven (demo)", "Followspot"],
  ]);
  const { body } = await add("polka");
  expect(body).toMatchObject({ code: "invalid_argument", message: "song must be one of house, rock, ballad" });
});
