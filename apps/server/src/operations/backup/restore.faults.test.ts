import { cp, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FolderBlobs } from "../../platform/blobs/folder-blobs.ts";
import { runAdmin, startAdmin } from "../../testing/admin.ts";
import { createInstallation, filesBelow, rowsOf, type Installation } from "../../testing/installation.ts";
import { OF_THE_INSTALLATION } from "../../platform/database/communities.ts";
import { LEFT_OUT } from "./of-the-moment.ts";
import { restoreBackup } from "./restore-backup.ts";
import { openBackupConnection } from "./take-backup.ts";
import { addCommunity } from "./testing/community.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

/** Tables that a restore adjusts: work on songs, the queue, the song that was playing. */
const SETTLED = ["song_jobs", "show_queue", "played_songs"];

let target: Installation;
const folder = await folderUntil(afterAll);
const backup = join(folder, "backup");
const source = openUntil(afterAll, await createInstallation());
const songs = await addCommunity(source);
await source.sql`
  update show_queue set turn = 7, walk_in_db = -6, outage_since = now(), outage_revision = 1,
    started_at = now() - interval '40 seconds', ends_at = now() + interval '21 seconds'`;
await source.sql`update heartbeat set beat_at = now()`;
await source.sql`
  insert into played_songs (id, turn, song_id, title, artist, seconds, started_at, ended_at, heard_from, playlist)
  select 'P', 7, song_id, 'Lit', '', 61, started_at, started_at, 10, '' from show_queue`;
await source.sql`update lights set aim = ${source.sql.json({ home: { pan: 0.25, tilt: 0.75 }, swap: true })}`;
expect(await runAdmin(source, "backup", backup)).toMatchObject({ code: 0 });
beforeEach(async () => {
  target = openUntil(onTestFinished, await createInstallation());
});

/** Copies the backup with a change. */
async function changed(change: (copy: string) => Promise<void>): Promise<string> {
  const copy = await mkdtemp(join(folder, "changed-"));
  await cp(backup, copy, { recursive: true });
  await change(copy);
  return copy;
}

/** A command restores 58 tables until the last moment that a test waits for; only a hung one takes this long. */
const WAIT = { timeout: 150_000, interval: 5 };
const MANIFEST = "followspot-backup.json";
// oxlint-disable-next-line typescript/no-explicit-any -- JSON that a test changes as it likes
const changeManifest = (change: (manifest: any) => void) =>
  changed(async (copy) => {
    const manifest = JSON.parse(await readFile(join(copy, MANIFEST), "utf8"));
    change(manifest);
    await writeFile(join(copy, MANIFEST), JSON.stringify(manifest));
  });

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

/** Restores into the target, within this process. */
async function restore(from: string): Promise<void> {
  const connection = await openBackupConnection(target.url);
  try {
    const { dataDir } = target;
    await restoreBackup(connection, { dataDir, store: new FolderBlobs(dataDir), source: from, say: () => {} });
  } finally {
    await connection.close();
  }
}

async function isEmpty({ sql, dataDir }: Installation): Promise<boolean> {
  const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from users`;
  return row?.rows === 0 && (await filesBelow(dataDir)).filter((path) => !path.startsWith("last-")).length === 0;
}

async function isWhole({ sql, dataDir }: Installation): Promise<boolean> {
  const [rows, were] = [await rowsOf(sql, SETTLED), await rowsOf(source.sql, [...SETTLED, ...LEFT_OUT])];
  const isSame = Object.entries(were).every(([table, its]) => JSON.stringify(rows[table]) === JSON.stringify(its));
  const { tokens } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  return isSame && tokens === source.key && (await filesBelow(join(dataDir, "songs"))).length === 2;
}

const sessions = async ({ sql }: Installation) =>
  (
    await sql`select 1 from pg_stat_activity where application_name = 'followspot backup' and datname = current_database()`
  ).length;

describe("a restored backup", () => {
  let elsewhere: Installation;
  let told: Awaited<ReturnType<typeof runAdmin>>;
  beforeAll(async () => {
    elsewhere = await createInstallation();
    told = await runAdmin(elsewhere, "restore", backup);
  });
  afterAll(() => elsewhere.close());

  test("contains all rows and files and the key, but no transient state", async () => {
    expect([told.code, told.said]).toEqual([0, expect.stringContaining("Restored: ")]);
    const ofTheInstallation = Object.keys(OF_THE_INSTALLATION);
    const rows = await rowsOf(elsewhere.sql, [...ofTheInstallation, ...SETTLED]);
    expect(rows).toEqual({
      ...(await rowsOf(source.sql, [...ofTheInstallation, ...SETTLED])),
      ...Object.fromEntries(LEFT_OUT.filter((name) => !ofTheInstallation.includes(name)).map((name) => [name, []])),
    });
    for (const path of [`songs/${songs.songId}/audio.mp3`, "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.frames.gz"])
      expect(await readFile(join(elsewhere.dataDir, path))).toEqual(await readFile(join(source.dataDir, path)));
    expect(await filesBelow(elsewhere.dataDir)).toEqual([
      "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.frames.gz",
      "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.json",
      "secrets.json",
      `songs/${songs.songId}/audio.mp3`,
      `songs/${songs.songId}/lighting.1.json`,
    ]);
    expect(JSON.parse(await readFile(join(elsewhere.dataDir, "secrets.json"), "utf8")).tokens).toBe(source.key);
  });

  test("has working triggers, sequences and search", async () => {
    const { sql } = elsewhere;
    await sql`insert into talk_votes (talk_id, user_id) values ('T1', 'U4000')`;
    expect(await sql`select points from talks where id = 'T1'`).toMatchObject([{ points: 41 }]);
    await expect(sql`delete from gold_postings`).rejects.toThrow("written once");
    await expect(sql`insert into talk_votes (talk_id, user_id) values ('T1', 'nobody')`).rejects.toThrow("foreign key");
    const [light] = await sql<{ id: number }[]>`
      insert into lights (label, light_type, mode, channel_count, dmx_address) values ('New', 'x', 'y', 1, 500) returning id`;
    expect(light?.id).toBe(9);
    expect(await sql`select id from users where searched like '%☂ 77 %'`).toMatchObject([{ id: "U77" }]);
  });

  test("requeues running jobs without counting the attempt, and ends the song that was playing", async () => {
    expect(await elsewhere.sql`select song_id, state, attempt, lease_token from song_jobs`).toMatchObject([
      { song_id: songs.workedOn, state: "queued", attempt: 2, lease_token: "" },
    ]);
    expect(
      await elsewhere.sql`select mode, song_id, walk_in_db, outage_since, outage_revision from show_queue`,
    ).toMatchObject([{ mode: "stopped", song_id: null, walk_in_db: null, outage_since: null, outage_revision: null }]);
    expect(
      await elsewhere.sql`select round(heard_seconds) as heard, heard_from, round(extract(epoch from ended_at - started_at))::int as lasted from played_songs`,
    ).toMatchObject([{ heard: 30, heard_from: null, lasted: 40 }]);
  });

  test("is readable by its owner only, and so is the backup", async () => {
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    for (const path of ["", "tables", "songs", `songs/${songs.songId}`, "recordings"])
      expect([path, await modeOf(join(backup, path))]).toEqual([path, 0o700]);
    for (const path of await filesBelow(backup))
      expect([path, await modeOf(join(backup, path))]).toEqual([path, 0o600]);
    for (const path of ["songs", "recordings"]) expect(await modeOf(join(elsewhere.dataDir, path))).toBe(0o700);
    for (const path of await filesBelow(elsewhere.dataDir))
      expect([path, await modeOf(join(elsewhere.dataDir, path))]).toEqual([path, 0o600]);
  });

  test("reports whether the configured key is the backup's", async () => {
    expect(told.said).toContain("FOLLOWSPOT_SECRET is set here to another key than the backup's");
    const { said } = await runAdmin({ ...target, key: source.key }, "restore", backup);
    expect(said).toContain("open the same doors here");
    expect(said).not.toContain("FOLLOWSPOT_SECRET");
  });
});

describe("a restore stores nothing and refuses", () => {
  const refusals: [string, () => Promise<string>, RegExp][] = [
    ["a damaged table", () => changed((copy) => flipByte(join(copy, "tables/users"))), /damaged: tables\/users/],
    [
      "a table in which a number became none",
      () => changed((copy) => writeFile(join(copy, "tables/rig_revision"), "t\tx\n")),
      /damaged: tables\/rig_revision/,
    ],
    [
      "half a table",
      () => changed((copy) => truncate(join(copy, "tables/audit_log"), 4096)),
      /damaged: tables\/audit_log/,
    ],
    [
      "a damaged file",
      () => changed((copy) => flipByte(join(copy, `songs/${songs.songId}/audio.mp3`))),
      /damaged: songs\/.*audio\.mp3 is not what was written/,
    ],
    [
      "a backup without one of its files",
      () => changed((copy) => rm(join(copy, "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.frames.gz"))),
      /damaged: recordings\/.* is missing/,
    ],
    ["half a backup", () => changed((copy) => rm(join(copy, MANIFEST))), /holds no whole backup/],
    [
      "one of a newer release",
      () => changeManifest((manifest) => manifest.migrations.push("999-later.sql")),
      /taken by a newer Followspot \(last change 999-later\)\. Restore it with that version/,
    ],
    [
      "one that the disk has no room for, before anything is written",
      () => changeManifest((manifest) => (manifest.files[0].bytes = 2 ** 50)),
      /no room for this backup: it needs 1024\.\d TB, and the disk of .* has .* free\..* Nothing was written/,
    ],
    [
      "one that names a file elsewhere",
      () => changeManifest((manifest) => (manifest.files[0].path = "songs/../../outside")),
      /followspot-backup\.json is damaged/,
    ],
  ];
  test.each(refusals)("%s", async (_what, make, sentence) => {
    await expect(restore(await make())).rejects.toThrow(sentence);
    expect(await isEmpty(target)).toBe(true);
  });

  test("a target that contains users already", async () => {
    await target.sql`insert into users (id, name) values ('X', 'Ada')`;
    await expect(restore(backup)).rejects.toThrow("holds songs or people already");
    expect(await target.sql`select id from users`).toMatchObject([{ id: "X" }]);
  });
});

describe("an interruption", () => {
  test.each(["SIGKILL", "SIGINT"] as const)(
    "of a backup by %s leaves no connection, and an incomplete folder that cannot be restored",
    async (signal) => {
      const half = join(folder, `half-${signal}`);
      const verb = startAdmin(source, "backup", half);
      await expect.poll(verb.said, WAIT).toContain("table 2 of");
      verb.child.kill(signal);
      const { code, said } = await verb.ended;
      if (signal === "SIGINT") expect([code, said]).toEqual([2, expect.stringContaining("The backup was stopped.")]);
      await expect.poll(() => sessions(source), WAIT).toBe(0);
      expect((await runAdmin(target, "restore", half)).said).toContain("holds no whole backup");
      expect(await runAdmin(source, "backup", join(folder, `again-${signal}`))).toMatchObject({ code: 0 });
    },
  );

  test.each(["table 20 of", "putting everything in its place"])(
    "of a restore by kill -9 at “%s” leaves everything stored, or nothing and a second restore works",
    async (moment) => {
      const verb = startAdmin(target, "restore", backup);
      await expect.poll(verb.said, WAIT).toContain(moment);
      verb.child.kill("SIGKILL");
      await verb.ended;
      await expect.poll(() => sessions(target), WAIT).toBe(0);
      const [row] = await target.sql<{ people: number }[]>`select count(*)::int as people from users`;
      if (row?.people === 0) await restore(backup);
      expect(await isWhole(target)).toBe(true);
    },
  );
});
