import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { LOCKS } from "../../platform/database/locks.ts";
import { runAdmin } from "../../testing/admin.ts";
import { createInstallation, filesBelow } from "../../testing/installation.ts";
import { addCommunity } from "./testing/community.ts";
import { checkBackup } from "./check-backup.ts";
import { readLastBackup } from "./last-backup.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const MANIFEST = "followspot-backup.json";

const folder = await folderUntil(afterAll);
const backup = join(folder, "backup");
const source = openUntil(afterAll, await createInstallation());
const { songId } = await addCommunity(source);
expect(await runAdmin(source, "backup", backup)).toMatchObject({ code: 0 });

/** Backups in one place are named by the second. */
const nextSecond = () => pause(1000 - (Date.now() % 1000));
const check = (path: string) => runAdmin(source, "backup", "--check", path);

async function copyOf(): Promise<string> {
  const copy = await mkdtemp(join(folder, "copy-"));
  await cp(backup, copy, { recursive: true });
  return copy;
}

const scratchDatabases = () => source.sql`select datname from pg_database where datname like 'followspot\\_check\\_%'`;
/** Another test file may check a backup at the same time, and drops its own database. */
const areDropped = () => expect.poll(scratchDatabases, { timeout: 30_000 }).toHaveLength(0);

test("a valid backup is verified table by table in a database that is dropped afterwards", async () => {
  const { code, out } = await check(backup);
  expect(code).toBe(0);
  expect(out).toContain("ok    table users: 4,001 rows");
  expect(out).toContain("ok    table gold_postings: 4 rows");
  expect(out).toMatch(/ok {4}5 files, \d/);
  expect(out).toMatch(/The backup of .* is good: \d+ tables and 5 files are what was written/);
  await areDropped();
});

// kept: Changes | The check of a backup failed with "permission denied" if the database was not Followspot's own |
// failed on the old code
test("a user without the right to create databases is named, with the statement that grants it", async () => {
  await source.sql`create role plain_user login password 'plain'`;
  onTestFinished(async () => void (await source.sql`drop role plain_user`));
  const url = Object.assign(new URL(source.url), { username: "plain_user", password: "plain" }).href;
  await expect(checkBackup(url, { source: backup, report: () => {} })).rejects.toThrow(
    /^The check restores .* the user plain_user may not create\..*alter role "plain_user" createdb\./,
  );
});

test("a missing row is detected although all checksums match", async () => {
  const copy = await copyOf();
  const lines = (await readFile(join(copy, "tables/talk_votes"), "utf8")).split("\n");
  const text = lines.slice(1).join("\n");
  await writeFile(join(copy, "tables/talk_votes"), text);
  const manifest = JSON.parse(await readFile(join(copy, MANIFEST), "utf8"));
  const table = manifest.tables.find(({ name }: { name: string }) => name === "talk_votes");
  table.bytes = Buffer.byteLength(text);
  table.sha256 = createHash("sha256").update(text).digest("hex");
  await writeFile(join(copy, MANIFEST), JSON.stringify(manifest));
  const { code, out } = await check(copy);
  expect(code).toBe(2);
  expect(out).toContain("WRONG table talk_votes: 1999 rows were restored, and 2000 were written");
  expect(out).toMatch(/is NOT good: 1 of \d+ tables and 5 files are wrong/);
  await areDropped();
});

test("names every wrong table and file, and drops a database that a killed check left behind", async () => {
  await source.sql`create database followspot_check_left`;
  const copy = await copyOf();
  await writeFile(join(copy, "tables/users"), "no\ttable\n");
  await writeFile(join(copy, `songs/${songId}/lighting.1.json`), "[]");
  await rm(join(copy, "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.json"));
  const { code, out } = await check(copy);
  expect(code).toBe(2);
  expect(out).toContain("WRONG table users: ");
  expect(out).toContain(`WRONG file songs/${songId}/lighting.1.json: `);
  expect(out).toContain("WRONG file recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.json: ");
  expect(out).toContain("ok    table images: 1 row");
  await areDropped();
});

test("keeps the newest of successive backups in a folder, and removes incomplete ones but no other folders", async () => {
  const place = join(folder, "place");
  for (const [name, isWhole] of [
    ["followspot-2026-01-01T00-00-00Z", true],
    ["followspot-2026-01-02T00-00-00Z", true],
    ["followspot-2026-01-03T00-00-00Z", false],
    ["pictures of us", false],
  ] as const) {
    await mkdir(join(place, name), { recursive: true });
    await writeFile(join(place, name, isWhole ? MANIFEST : "half"), "{}");
  }
  const { code } = await runAdmin(source, "backup", "--into", place, "--keep", "2");
  expect(code).toBe(0);
  const left = (await readdir(place)).sort();
  expect(left).toEqual([
    "followspot-2026-01-02T00-00-00Z",
    expect.stringMatching(/^followspot-20.*Z$/),
    "pictures of us",
  ]);
  const { taken, failed } = await readLastBackup(source.dataDir);
  expect([taken?.folder, failed]).toEqual([join(place, left[1]!), null]);
});

// kept: Changes | Seven daily backups took seven times the space of all songs | failed on the old code
test("successive backups in a folder share unchanged files, and a damaged or changed one is copied", async () => {
  const place = await folderUntil(onTestFinished);
  const take = async () => {
    expect(await runAdmin(source, "backup", "--into", place)).toMatchObject({ code: 0 });
    return join(place, (await readdir(place)).sort().at(-1)!);
  };
  const inodes = async (taken: string) => {
    const { files } = JSON.parse(await readFile(join(taken, MANIFEST), "utf8")) as { files: { path: string }[] };
    const found = files.map(async ({ path }) => [path, (await stat(join(taken, path))).ino] as const);
    return new Map(await Promise.all(found));
  };
  const first = await take();
  await nextSecond();
  const second = await take();
  const [before, after] = [await inodes(first), await inodes(second)];
  const shared = [...before].filter(([path, inode]) => after.get(path) === inode).map(([path]) => path);
  expect(shared.toSorted()).toEqual([...before.keys()].filter((path) => path !== "secrets.json").toSorted());

  const damaged = `songs/${songId}/lighting.1.json`;
  const text = await readFile(join(second, damaged), "utf8");
  await writeFile(join(second, damaged), text.replace(/^./, " "));
  await nextSecond();
  const third = await take();
  expect(await readFile(join(third, damaged), "utf8")).toBe(text);
  expect((await check(third)).code).toBe(0);
  await rm(first, { recursive: true });
  await rm(second, { recursive: true });
  expect((await check(third)).code).toBe(0);
});

test("a failed backup removes no earlier ones, and is recorded with the reason", async () => {
  const place = join(folder, "kept");
  await mkdir(join(place, "followspot-2026-01-01T00-00-00Z"), { recursive: true });
  await writeFile(join(place, "followspot-2026-01-01T00-00-00Z", MANIFEST), "{}");
  const before = await readLastBackup(source.dataDir);
  const other = await source.sql.reserve();
  await other`select pg_advisory_lock(${LOCKS.backup})`;
  const { code, said } = await runAdmin(source, "backup", "--into", place, "--keep", "1");
  await other`select pg_advisory_unlock(${LOCKS.backup})`;
  other.release();
  expect([code, said]).toEqual([2, expect.stringContaining("Another backup is being taken or restored")]);
  expect(await filesBelow(place)).toHaveLength(1);
  const { taken, failed } = await readLastBackup(source.dataDir);
  expect([taken, failed?.problem]).toEqual([before.taken, expect.stringContaining("Another backup")]);
});
