import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { JobStep, SongAnalysis } from "@followspot/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { encodeMp3 } from "../audio/encode-mp3.ts";
import { BUILT_IN } from "../audio/engines/engine-choice.ts";
import { namesStems, STEM_FILES } from "../audio/write-stems.ts";
import { sourceOfBytes } from "../../platform/blobs/blob-store.ts";
import type { Caller } from "../../platform/caller.ts";
import { newId } from "../../platform/database/ids.ts";
import { LOCKS } from "../../platform/database/locks.ts";
import { Metrics } from "../../platform/process/metrics.ts";
import { runAdmin } from "../../testing/admin.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { namedDownloader } from "../../testing/release-site.ts";
import { openS3, S3_KEYS, s3Setting, startS3 } from "../../testing/s3-store.ts";
import { analysisAt } from "../../testing/songs-by-hand.ts";
import { synthesiseSong } from "../../testing/synthetic-song.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { retrySong } from "./change-song.ts";
import { purgeAlone, purgeOldFiles, type KeptDays, type OldFiles } from "./old-files.ts";
import { createStepRunner } from "../processing/run-step.ts";
import { claimJob, settleJob } from "../processing/song-jobs.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { countPurgedFiles } from "./song-metrics.ts";
import { receive, storeOriginal } from "./store-original.ts";
import { findSong } from "../catalog/songs.store.ts";
import { workplaces } from "../processing/workplace.ts";

const STEMS = Object.values(STEM_FILES).toSorted();
const LINK = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const MONTH: KeptDays = { stems: 30, original: 30 };
const SECONDS = 8;
const PREFIX = "old";

for (const [name, value] of Object.entries(S3_KEYS)) vi.stubEnv(name, value);
const s3 = openUntil(afterAll, await startS3());
const scratch = await folderUntil(afterAll);
const wav = synthesiseSong(SECONDS, 120);
const mp3Path = join(scratch, "song.mp3");
const tone = Float32Array.from({ length: SECONDS * 44_100 }, (_, n) => 0.5 * Math.sin(n / 15));
await encodeMp3({ left: tone, right: tone }, mp3Path, { sampleRate: 44_100, attempt: "test" });
const mp3 = await readFile(mp3Path);

describe.each(["the data folder", "an S3 bucket"])("old files in %s", (where) => {
  const isBucket = where === "an S3 bucket";
  let server: Awaited<ReturnType<typeof startTestServer>>;
  let dataDir: string;
  let files: SongFiles;
  let caller: Caller;
  // A hook that a hook registers is not run.
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  const end = (close: () => Promise<void>) => ends.push(close);
  beforeAll(async () => {
    dataDir = await folderUntil(end);
    files = isBucket ? new SongFiles(dataDir, openS3(s3.port, PREFIX)) : new SongFiles(dataDir);
    server = openUntil(end, await startTestServer({ dataDir, blobs: files.store, connections: 6 }));
    await server.sql`update migrations set applied_at = now() - interval '1 year'`;
    const admin = await server.person("Ada", ["Admin"]);
    caller = { userId: admin.id, name: "Ada", roles: ["Admin"], sessionId: "" };
  });
  beforeEach(async () => {
    for (const id of await files.songIds()) await files.remove(id);
    for (const table of ["songs", "playlists", "events", "outbox", "played_songs"])
      await server.sql`delete from ${server.sql(table)}`;
    await server.sql`update show_queue set mode = 'stopped', song_id = null, laid_out = null, playlist_id = null`;
  });

  /** Adds a song with all its files, created and last used the given number of days ago. */
  async function addSong({ url = "", days = 40, sound = mp3 as Uint8Array | null } = {}): Promise<string> {
    const id = newId();
    const ytid = url === LINK ? "dQw4w9WgXcQ" : "";
    await server.sql`
      insert into songs (id, title, artist, ytid, url, source_file, duration, created_at, downloaded_at, analysis_status,
        lighting_status, stems_generated, tempo)
      values (${id}, 'Line', 'Band', ${ytid}, ${url}, ${url ? "" : "source.wav"}, ${SECONDS}, now() - make_interval(days => ${days}),
        now() - make_interval(days => ${days}), 'ready', 'ready', true, 120)`;
    const put = (name: string, content: string | Uint8Array) =>
      files.store.write(`songs/${id}/${name}`, sourceOfBytes(content));
    if (sound) await put("audio.mp3", sound);
    await put("source.wav", wav);
    await put("lighting.1.json", "{}");
    for (const name of STEMS) await put(name, mp3);
    await put("hybrid.json", JSON.stringify(namesStems(analysisAt(id, 120))));
    return id;
  }
  const namesOf = async (id: string) => (await files.list(id)).map(({ name }) => name).toSorted();
  const purge = (days = MONTH) => purgeOldFiles({ sql: server.sql, files }, days);

  test("are deleted once their song was unused for the configured days, and the song is updated", async () => {
    const id = await addSong();
    const young = await addSong({ days: 20 });
    expect(await purge()).toMatchObject({ files: 5, bytes: 4 * mp3.length + wav.length, songs: 1 });
    expect(await namesOf(id)).toEqual(["audio.mp3", "hybrid.json", "lighting.1.json"]);
    expect(await namesOf(young)).toHaveLength(8);
    expect(await findSong(server.sql, id)).toMatchObject({ stems_generated: false, source_file: "" });
    const analysis = (await files.readJson(id, "hybrid.json")) as SongAnalysis;
    expect([analysis.stems.drums, analysis.insights.engines.stems]).toEqual(["", undefined]);
    const told = await server.sql`select 1 from outbox where subject like 'events.song%'`;
    expect(told).toHaveLength(1);
  });

  // Whether a song is in use is in the database: the store makes no difference.
  if (!isBucket) {
    test.each<[string, KeptDays, number]>([
      ["stems", { stems: 30, original: undefined }, 4],
      ["originals", { stems: undefined, original: 30 }, 1],
      ["nothing", { stems: undefined, original: undefined }, 0],
    ])("of kind %s are deleted if only they have a limit", async (_what, days, count) => {
      await addSong();
      expect(await purge(days)).toMatchObject({ files: count });
    });

    test.each<[string, (id: string) => Promise<unknown>]>([
      [
        "is at work",
        (id) => server.sql`
      insert into song_jobs (id, song_id, step, state) values (${newId()}, ${id}, 'lighting', 'queued')`,
      ],
      [
        "was worked on lately",
        (id) => server.sql`
      insert into song_jobs (id, song_id, step, state, ended_at) values (${newId()}, ${id}, 'stems', 'done', now())`,
      ],
      ["plays", (id) => server.sql`update show_queue set mode = 'playing', song_id = ${id}`],
      ["is laid out as the next one", (id) => server.sql`update show_queue set mode = 'playing', laid_out = ${id}`],
      [
        "is on the playlist that plays",
        async (id) => {
          await listSong(id);
          await server.sql`update show_queue set mode = 'playing', playlist_id = 'list'`;
        },
      ],
      [
        "is on a playlist while an event is to come",
        async (id) => {
          await listSong(id);
          await addEvent("1 month");
        },
      ],
      [
        "was played lately",
        (id) => server.sql`
      insert into played_songs (id, song_id, title, artist, seconds, started_at, ended_at, playlist)
      values (${newId()}, ${id}, 'Line', '', 8, now(), now(), '')`,
      ],
      ["could not be planned", (id) => server.sql`update songs set lighting_status = 'error' where id = ${id}`],
    ])("stay while their song %s", async (_what, meanwhile) => {
      const id = await addSong();
      await meanwhile(id);
      expect(await purge()).toMatchObject({ files: 0 });
      expect(await namesOf(id)).toHaveLength(8);
    });

    test("stay for the configured days after an upgrade from a version that recorded no uses", async () => {
      await addSong();
      await server.sql`update migrations set applied_at = now() - interval '29 days' where name like '077%'`;
      expect(await purge()).toMatchObject({ files: 0 });
      await server.sql`update migrations set applied_at = now() - interval '31 days' where name like '077%'`;
      expect(await purge()).toMatchObject({ files: 5 });
    });

    test("of a playlist's songs are deleted once its events are over", async () => {
      await listSong(await addSong());
      await addEvent("-1 hour");
      expect(await purge()).toMatchObject({ files: 5 });
    });
  }

  async function listSong(id: string): Promise<void> {
    await server.sql`insert into playlists (id, name, created_by) values ('list', 'List', '')`;
    await server.sql`insert into playlist_songs (playlist_id, song_id) values ('list', ${id})`;
  }
  const addEvent = (until: string) => server.sql`
    insert into events (id, title, starts_at, ends_at)
    values (${newId()}, 'Night', now() - interval '2 months', now() + ${until}::interval)`;

  test.each(["audio.mp3", "hybrid.json", "drums.mp3"])("stay if a user has opened %s of their song", async (name) => {
    const id = await addSong();
    const director = await server.person("Dora", ["Director"]);
    const path = name === "drums.mp3" ? `stems/${name}` : name;
    const headers = { authorization: `Bearer ${director.token}` };
    const answer = await fetch(`${server.base}/proxy/songs/${id}/${path}`, { headers });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    await expect.poll(() => server.sql`select 1 from song_uses`).toHaveLength(1);
    expect(await purge()).toMatchObject({ files: 0 });
  });

  test.each([
    ["is missing", null],
    ["was cut off", mp3.subarray(0, -200)],
    ["lacks its second half", mp3.subarray(0, mp3.length / 2)],
    ["is another file", Buffer.from("no sound")],
  ])("an original stays while audio.mp3 %s", async (_what, sound) => {
    const id = await addSong({ sound });
    expect(await purge()).toMatchObject({ files: 4 });
    expect(await namesOf(id)).toContain("source.wav");
    expect(await findSong(server.sql, id)).toMatchObject({ source_file: "source.wav" });
  });

  // The journey songs-in-s3 runs these steps with a bucket.
  if (!isBucket) {
    test("are recreated by another analysis of the song", async () => {
      const id = await addSong();
      await purge();
      await retrySong(server.sql, caller, id, "analysis");
      for (const step of ["analysis", "stems"] as const) await runStep(id, step);
      expect(await namesOf(id)).toEqual(expect.arrayContaining(STEMS));
      expect(await findSong(server.sql, id)).toMatchObject({ stems_generated: true, analysis_status: "ready" });
    });

    test("of a linked song include the original, which a retry downloads again", async () => {
      const id = await addSong({ url: LINK });
      await purge();
      await retrySong(server.sql, caller, id, "download");
      await runStep(id, "download");
      expect(await namesOf(id)).toContain("source.mp3");
    });
  }

  test("of an uploaded song include the original, which a new upload restores; a retry without it is refused", async () => {
    const upload = () =>
      storeOriginal({ sql: server.sql, files }, caller, "Line.wav", (path) => receive(Readable.from([wav]), path, 1e9));
    const { id } = (await upload()).song;
    await runStep(id, "download");
    await server.sql`delete from song_jobs where song_id = ${id}`;
    const old = server.sql`now() - interval '40 days'`;
    await server.sql`
      update songs set created_at = ${old}, downloaded_at = ${old}, analysis_status = 'ready', lighting_status = 'ready'`;
    expect(await purge()).toMatchObject({ files: 1 });
    await expect(retrySong(server.sql, caller, id, "download")).rejects.toThrow("upload the file again");

    expect((await upload()).song.id).toBe(id);
    expect(await files.songIds()).toEqual([id]);
    await retrySong(server.sql, caller, id, "download");
    await runStep(id, "download");
    expect(await findSong(server.sql, id)).toMatchObject({ source_file: "source.wav" });
  });

  /** Claims a step of a song, runs it as a worker would, and reports the result. */
  async function runStep(id: string, step: JobStep): Promise<void> {
    const [queued] = await server.sql<{ id: string }[]>`
      select id from song_jobs where song_id = ${id} and step = ${step} and state = 'queued'`;
    const reply = await claimJob(server.sql, { job_id: queued!.id, worker: "w" });
    if (reply.kind !== "granted") throw new Error(reply.kind);
    const ytdlp = join(scratch, "yt-dlp");
    const script = `#!/bin/sh\ncase "$*" in *--version*) echo 2026.01.01; exit 0;; esac\ncp ${mp3Path} sound.mp3\necho '{"title":"Line"}' > sound.info.json\n`;
    await writeFile(ytdlp, script, { mode: 0o755 });
    const run = createStepRunner({
      places: workplaces(files),
      ffmpeg: undefined,
      stems: true,
      engines: () => BUILT_IN,
      videoSite: { downloader: namedDownloader(ytdlp), ffmpeg: undefined, testSite: undefined },
      warn: () => undefined,
    });
    const result = await run(reply.job, { signal: new AbortController().signal, onProgress: () => undefined });
    const { job_id, lease_token } = reply.job;
    expect(await settleJob(server.sql, { job_id, lease_token, outcome: { kind: "done", result } })).toBe("applied");
  }

  test("stay while a backup lists the files", async () => {
    const id = await addSong();
    const connection = await server.sql.reserve();
    await connection`select pg_advisory_lock(${LOCKS.songFiles})`;
    expect(await purge()).toMatchObject({ files: 0, isCutShort: true });
    await connection`select pg_advisory_unlock(${LOCKS.songFiles})`;
    connection.release();
    expect(await namesOf(id)).toHaveLength(8);
    expect(await purge()).toMatchObject({ files: 5, isCutShort: false });
  });

  test("are deleted by one process at a time, and counted in metrics", async () => {
    await addSong();
    const metrics = new Metrics();
    const told: OldFiles[] = [];
    const count = countPurgedFiles(metrics);
    const alone = () =>
      purgeAlone({ sql: server.sql, files }, MONTH, (old) => {
        told.push(old);
        count(old);
      });
    const connection = await server.sql.reserve();
    await connection`select pg_advisory_lock(${LOCKS.oldFiles})`;
    expect(await alone()).toBeUndefined();
    await connection`select pg_advisory_unlock(${LOCKS.oldFiles})`;
    connection.release();
    expect(await alone()).toMatchObject({ files: 5 });
    expect(told.map(({ kind }) => kind)).toEqual(["stems", "original"]);
    const text = await metrics.text();
    expect(text).toContain('followspot_purged_files_total{kind="stems"} 4');
    expect(text).toContain(`followspot_purged_bytes_total{kind="original"} ${wav.length}`);
  });

  test("are listed by the command's dry run before it deletes them", async () => {
    vi.stubEnv("FOLLOWSPOT_BLOBS", isBucket ? s3Setting(s3.port, PREFIX) : "");
    onTestFinished(() => void vi.stubEnv("FOLLOWSPOT_BLOBS", ""));
    const id = await addSong();
    const cut = await addSong({ sound: mp3.subarray(0, -200) });
    const place = { url: server.url, dataDir, key: "k".repeat(40) };
    const admin = (...args: string[]) => runAdmin(place, "purge-files", ...args);
    const dry = await admin("--dry-run", "--stems-days", "30", "--originals-days", "30");
    expect(dry).toMatchObject({ code: 0, said: "" });
    const lines = dry.out.trim().split("\n");
    expect(lines.filter((line) => line.startsWith(id))).toHaveLength(2);
    expect(lines.find((line) => line.startsWith(cut) && line.includes("source.wav"))).toContain("stays");
    expect(lines.at(-1)).toMatch(/^9 files \(\d+\.\d MB\) would be removed. Nothing was.$/);
    expect(await namesOf(id)).toHaveLength(8);

    const done = await admin("--originals-days", "30");
    expect(done.out).toMatch(/1 files \(\d\.\d MB\) of 1 songs that were not used were removed/);
    expect(await namesOf(id)).toHaveLength(7);
    expect(await admin()).toMatchObject({ code: 2, said: expect.stringContaining("All files are kept.") });
  });
});
