import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { OF_THE_INSTALLATION } from "../../platform/database/communities.ts";
import { applyMigrations, migrate, migrationFiles, MIGRATIONS_TABLE } from "../../platform/database/migrate.ts";
import { newId } from "../../platform/database/ids.ts";
import { runAdmin } from "../../testing/admin.ts";
import { createInstallation, filesBelow, rowsOf, type Installation } from "../../testing/installation.ts";
import { addFiles } from "./testing/community.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

/** Last migration of the release that takes the backup: with check-ins, before show settings and imported fixtures. */
const LAST = "028-check-ins.sql";
/** Tables with times and users of actions, which differ. */
const NOT_COMPARED = [...Object.keys(OF_THE_INSTALLATION), "audit_log"];
const MANIFEST = "followspot-backup.json";

const songId = newId();
let target: Installation;
const folder = await folderUntil(afterAll);
const backup = join(folder, "backup");
const old = openUntil(afterAll, await createInstallation());
const { sql, dataDir } = old;
await sql.unsafe("drop schema public cascade; create schema public");
await sql.unsafe(MIGRATIONS_TABLE);
await applyMigrations(
  (text) => sql.unsafe(text),
  (await migrationFiles()).filter((name) => name <= LAST),
);
await sql`insert into users (id, name, roles) values ('U', 'Ada', '{Admin}')`;
await sql`insert into events (id, title, starts_at, ends_at) values ('E', 'Night', now(), now() + interval '1 hour')`;
await sql`insert into check_ins (id, event_id, user_id) values ('C', 'E', 'U')`;
// A column that a later migration removes, and a table that one extends.
await sql`insert into songs (id, title, plan_seed) values (${songId}, 'Song', 7)`;
await sql`insert into lights (label, light_type, mode, channel_count, dmx_address) values ('Par', 'x', 'y', 3, 1)`;
await addFiles(dataDir, { [`songs/${songId}/lighting.json`]: "{}" });
expect(await runAdmin(old, "backup", backup)).toMatchObject({ code: 0 });
beforeEach(async () => {
  target = openUntil(onTestFinished, await createInstallation());
});

/** Returns the rows of the old installation after an upgrade in place. */
async function updatedInPlace(): Promise<Awaited<ReturnType<typeof rowsOf>>> {
  await migrate(old.sql);
  return rowsOf(old.sql, NOT_COMPARED);
}

test("a backup of an older release is restored to the state that an upgrade in place produces", async () => {
  expect(await runAdmin(target, "restore", backup)).toMatchObject({ code: 0 });
  const names = async ({ sql }: Installation) =>
    (await sql<{ name: string }[]>`select name from migrations order by 1`).map(({ name }) => name);
  const columns = ({ sql }: Installation) => sql`
    select table_name, column_name, data_type, column_default from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`;
  const rows = await rowsOf(target.sql, NOT_COMPARED);
  expect(rows).toEqual(await updatedInPlace());
  expect(await names(target)).toEqual(await migrationFiles());
  expect(await columns(target)).toEqual(await columns(old));
  expect(await filesBelow(join(target.dataDir, "songs"))).toEqual([`${songId}/lighting.json`]);
});

test("a backup in the first format, without checksums and key, is restored with a note about what is missing", async () => {
  const manifest = JSON.parse(await readFile(join(backup, MANIFEST), "utf8"));
  const tables = manifest.tables.map(({ name }: { name: string }) => name);
  await writeFile(join(backup, MANIFEST), JSON.stringify({ ...manifest, version: 1, tables }));
  const { code, said } = await runAdmin(target, "restore", backup);
  expect([code, said]).toEqual([0, expect.stringContaining("holds no key: print attendee codes anew")]);
  expect(await target.sql`select id, plan_number from songs`).toMatchObject([{ id: songId, plan_number: 0 }]);
  expect((await runAdmin(target, "backup", "--check", backup)).code).toBe(0);
});
