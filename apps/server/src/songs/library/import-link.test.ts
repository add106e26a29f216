import { afterAll, expect, test } from "vitest";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { claimJob } from "../processing/song-jobs.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(
  afterAll,
  await startTestServer({ dataDir, settings: { FOLLOWSPOT_LINK_SITES: ["soundcloud.com"] }, connections: 20 }),
);
const { token } = await server.person("Ada", ["Admin"]);

const music = (method: string, body: object) => server.call(`music.v1.MusicService/${method}`, body, token);
const add = (url: string) => music("AddSongFromYoutube", { url });

// kept: Songs and jobs | Links to other sites and to audio files were refused although they could be downloaded |
// failed on the old code
test.each([
  [
    "https://soundcloud.com/ada/song?utm_source=x",
    "https://soundcloud.com/ada/song#t=1",
    "https://soundcloud.com/ada/song",
    "",
  ],
  ["https://example.org/Ada%20-%20Song.mp3", "https://EXAMPLE.org/Ada%20-%20Song.mp3#x", "Song", "Ada"],
])("the link %s is one song, however often and in whichever form it is added", async (one, other, title, artist) => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => add(i % 2 ? one : other)));
  expect(new Set(answers.map(({ body }) => body.song.id)).size).toBe(1);
  expect(answers.filter(({ body }) => body.status === "created")).toHaveLength(1);
  const { song } = answers[0]!.body;
  expect([song.title, song.artist ?? "", song.ytid ?? ""]).toEqual([title, artist, ""]);
  expect((await add(one)).body).toMatchObject({
    status: "existing",
    message: `This link is here already as "${title}"`,
  });
  expect(await music("CreateSong", { url: one, title: "Mine" })).toMatchObject({ code: "already_exists" });
  const [job] = await server.sql<{ id: string }[]>`select id from song_jobs where song_id = ${song.id}`;
  expect(await claimJob(server.sql, { job_id: job!.id, worker: "w" })).toMatchObject({ job: { url: song.url } });
});

test("a deleted linked song can be added again, and then the deleted one cannot be restored", async () => {
  const url = "https://soundcloud.com/ada/again";
  const { id } = (await add(url)).body.song;
  await music("DeleteSong", { songId: id });
  expect((await add(url)).body).toMatchObject({ status: "created" });
  expect(await music("RestoreSong", { songId: id })).toMatchObject({ code: "already_exists" });
});

test("CreateSong accepts a link to a page, but no video ID with it", async () => {
  const url = "https://soundcloud.com/ada/details";
  expect(await music("CreateSong", { url, title: "x", ytid: "dQw4w9WgXcQ" })).toMatchObject({
    code: "invalid_argument",
  });
  expect((await music("CreateSong", { url, title: "Named" })).body.song).toMatchObject({ title: "Named", url });
});

test.each(["https://vimeo.com/123", "https://evil.example/?u=https://www.youtube.com/watch?v=dQw4w9WgXcQ"])(
  "a link to a site that is not in the settings is refused with the name of the setting: %s",
  async (url) => {
    for (const refused of [await add(url), await music("CreateSong", { url, title: "x" })]) {
      expect(refused.code).toBe("invalid_argument");
      expect(refused.body.message).toMatch(/^Invalid YouTube URL\. FOLLOWSPOT_LINK_SITES does not name /);
    }
  },
);
