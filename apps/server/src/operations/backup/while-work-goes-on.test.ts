import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { claimNext } from "../../songs/processing/song-jobs.ts";
import { purgeSongs } from "../../songs/catalog/songs.store.ts";
import { newId } from "../../platform/database/ids.ts";
import { LOCKS } from "../../platform/database/locks.ts";
import { openCable } from "../../platform/testing/cable.ts";
import { startAdmin } from "../../testing/admin.ts";
import { createInstallation, filesBelow, type Installation } from "../../testing/installation.ts";
import { addFiles } from "./testing/community.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const WAIT = { timeout: 20_000, interval: 5 };

const folder = await folderUntil(afterAll);

let source: Installation;
beforeEach(async () => {
  source = openUntil(onTestFinished, await createInstallation());
});

/** Adds a deleted song that can still be restored, with its sound. */
async function addDeletedSong(): Promise<string> {
  const id = newId();
  await source.sql`
    insert into songs (id, title, downloaded_at, deleted_at) values (${id}, 'Song', now(), now() - interval '9 minutes')`;
  await addFiles(source.dataDir, { [`songs/${id}/audio.mp3`]: "sound" });
  return id;
}

/** Purges songs as the API does, with their files. */
async function purge(): Promise<readonly string[]> {
  const ids = await purgeSongs(source.sql, 5);
  for (const id of ids) await new SongFiles(source.dataDir).remove(id);
  return ids;
}

test("a backup contains the row and the files of a song that is purged during the backup", async () => {
  const id = await addDeletedSong();
  const cable = await openCable(source.url);
  const target = join(folder, "purged");
  try {
    const verb = startAdmin({ ...source, url: cable.url }, "backup", target);
    await expect.poll(verb.said, WAIT).toContain("table ");
    cable.hold();
    expect(await purge()).toEqual([id]);
    cable.letGo();
    expect(await verb.ended).toMatchObject({ code: 0 });
  } finally {
    await cable.close();
  }
  expect(await filesBelow(join(source.dataDir, "songs"))).toEqual([]);
  expect(await filesBelow(join(target, "songs"))).toEqual([`${id}/audio.mp3`]);
});

test("a backup contains the old version of a file that is replaced during the backup", async () => {
  const id = await addDeletedSong();
  const cable = await openCable(source.url);
  const target = join(folder, "replaced");
  try {
    const verb = startAdmin({ ...source, url: cable.url }, "backup", target);
    await expect.poll(verb.said, WAIT).toContain("table ");
    cable.hold();
    // Replaces the file as every step does: a new file under the same name.
    await rm(join(source.dataDir, "songs", id, "audio.mp3"));
    await addFiles(source.dataDir, { [`songs/${id}/audio.mp3`]: "another sound, which is longer" });
    cable.letGo();
    expect(await verb.ended).toMatchObject({ code: 0 });
  } finally {
    await cable.close();
  }
  const { bytes } = JSON.parse(await readFile(join(target, "followspot-backup.json"), "utf8")).files.find(
    ({ path }: { path: string }) => path.endsWith("audio.mp3"),
  );
  expect(bytes).toBe("sound".length);
});

test("no song is purged and no job is granted while a backup lists the files; both continue afterwards", async () => {
  const id = await addDeletedSong();
  const [song, job] = [newId(), newId()];
  await source.sql`insert into songs (id, title) values (${song}, 'Song')`;
  await source.sql`insert into song_jobs (id, song_id, step, state) values (${job}, ${song}, 'download', 'queued')`;
  const noting = await source.sql.reserve();
  await noting`select pg_advisory_lock(${LOCKS.songFiles})`;
  expect(await purge()).toEqual([]);
  expect(await claimNext(source.sql, { job_id: job, worker: "w" })).toMatchObject({ kind: "busy" });
  await noting`select pg_advisory_unlock(${LOCKS.songFiles})`;
  noting.release();
  expect(await purge()).toEqual([id]);
  expect(await claimNext(source.sql, { job_id: job, worker: "w" })).toMatchObject({ kind: "granted" });
});

test("a backup takes its snapshot after a running purge has ended", async () => {
  await addDeletedSong();
  const ending = await source.sql.reserve();
  await ending`begin`;
  expect(await purgeSongs(ending, 5)).toHaveLength(1);
  const target = join(folder, "under-way");
  const verb = startAdmin(source, "backup", target);
  const waiting = async () =>
    (
      await source.sql`select 1 from pg_locks where locktype = 'advisory' and not granted and objid = ${LOCKS.songFiles}`
    ).length;
  await expect.poll(waiting, WAIT).toBe(1);
  await ending`commit`;
  ending.release();
  expect(await verb.ended).toMatchObject({ code: 0 });
  const manifest = JSON.parse(await readFile(join(target, "followspot-backup.json"), "utf8"));
  expect(manifest.tables.find(({ name }: { name: string }) => name === "songs")).toMatchObject({ rows: 0 });
});
