import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

let song: string;
let videos = 0;

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const admin = await server.person("Ada", ["Admin"]);
await server.sql`
  create function refuse_audit() returns trigger language plpgsql as 'begin raise exception ''the log is full''; end'`;
beforeEach(async () => {
  const { body } = await music("AddSongFromYoutube", { url: nextVideo() });
  song = body.song.id;
  // Analyzed, with a plan to come.
  await server.sql`update songs set downloaded_at = now(), analysis_status = 'ready' where id = ${song}`;
});
afterEach(() => server.sql`drop trigger if exists refuse_audit on audit_log`);

const music = (method: string, body: object) => server.call(`music.v1.MusicService/${method}`, body, admin.token);
const nextVideo = () => `https://youtu.be/${String(++videos).padStart(11, "a")}`;
const breakLog = () =>
  server.sql`create trigger refuse_audit before insert on audit_log execute function refuse_audit()`;
const state = async () => [
  await server.sql`select * from songs order by id`,
  await server.sql`select * from song_jobs order by id`,
  await server.sql`select seq from outbox order by seq`,
];

const ofSong = (more: object) => () => ({ song_id: song, ...more });
const CHANGES: [method: string, action: string, body: () => object][] = [
  ["AddSongFromYoutube", "song.created", () => ({ url: nextVideo() })],
  ["CreateSong", "song.created", () => ({ title: "Line", url: nextVideo() })],
  ["UpdateSong", "song.updated", ofSong({ title: "Other" })],
  ["RetrySong", "song.retried", ofSong({ step: "analysis" })],
  ["CancelSong", "song.cancelled", ofSong({})],
  ["GetSongLighting", "song.replanned", ofSong({ force_regenerate: true })],
  ["DeleteSong", "song.deleted", ofSong({})],
];

// kept: Changes | Changes of songs appeared in the audit log under inconsistent names | failed on the old code
test.each(CHANGES)("%s is written to the audit log as %s, with user and song", async (method, action, body) => {
  const { status, body: answer } = await music(method, body());
  expect(status).toBe(200);
  const target = `song ${action === "song.created" ? answer.song.id : song}`;
  expect(await server.sql`select user_id, action, target from audit_log order by id desc limit 1`).toEqual([
    { user_id: admin.id, action, target },
  ]);
});

// kept: Changes | A change was stored without its audit row | failed on the old code
// kept: Songs and jobs | One song of 200 had no audit row after many kills | also
test.each(CHANGES)("%s changes nothing if the audit row cannot be written", async (method, _action, body) => {
  await breakLog();
  const before = await state();
  expect((await music(method, body())).status).toBe(500);
  expect(await state()).toEqual(before);
});

// kept: Changes | A stored song could lose its original file | failed on the old code
test("an upload whose audit row cannot be written leaves neither a song nor a file", async () => {
  await breakLog();
  const [rows, folders] = [await state(), await readdir(join(dataDir, "songs")).catch(() => [])];
  const answer = await fetch(`${server.base}/api/songs/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/octet-stream" },
    body: synthesiseSong(2, 120) as never,
  });
  expect(answer.status).toBe(500);
  expect([await state(), await readdir(join(dataDir, "songs"))]).toEqual([rows, folders]);
});

// kept: Changes | When title and artist were saved at the same time, one of them was lost | failed on the old code
test("simultaneous changes of title and artist are both stored, and both written to the audit log", async () => {
  for (let round = 0; round < 20; round++) {
    const [title, artist] = [`Title ${round}`, `Artist ${round}`];
    const fields = [{ title }, { artist }];
    await Promise.all(fields.map((given) => music("UpdateSong", { song_id: song, ...given })));
    expect((await music("GetSong", { song_id: song })).body.song).toMatchObject({ title, artist });
  }
  const rows = await server.sql`select 1 from audit_log where target = ${`song ${song}`} and action = 'song.updated'`;
  expect(rows).toHaveLength(40);
});
