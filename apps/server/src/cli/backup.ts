import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Sql, Tx } from "../platform/database.ts";

/** A backup that cannot be taken or read; the message says what to do. */
export class BackupError extends Error {}

const MANIFEST = "followspot-backup.json";
/** Messages on their way are not worth keeping: the sweeper rings again. */
const LEFT_OUT = ["migrations", "outbox"];

interface Manifest {
  readonly version: 1;
  readonly taken_at: string;
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
}

/**
 * Writes every table (PostgreSQL COPY text, one snapshot) and every song's files into an empty folder.
 * @throws BackupError when the folder is not empty
 */
export async function takeBackup(
  sql: Sql,
  dataDir: string,
  target: string,
  say: (line: string) => void,
): Promise<void> {
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0) throw new BackupError(`${target} is not empty. Name a new folder.`);
  await mkdir(join(target, "tables"));
  const manifest = await sql.begin("isolation level repeatable read read only", async (tx): Promise<Manifest> => {
    const tables = await tablesOf(tx);
    for (const table of tables) {
      say(`table ${table}`);
      const rows = await tx`copy ${tx(table)} to stdout`.readable();
      await pipeline(rows, createWriteStream(join(target, "tables", table)));
    }
    return { version: 1, taken_at: new Date().toISOString(), migrations: await migrationsOf(tx), tables };
  });
  say("songs");
  const songs = join(dataDir, "songs");
  if (await isFolder(songs)) {
    const filter = (path: string) => !path.includes(".tmp");
    await cp(songs, join(target, "songs"), { recursive: true, filter });
  }
  // Written last: a folder without it is half a backup and is refused.
  await writeFile(join(target, MANIFEST), JSON.stringify(manifest, null, 2));
}

/**
 * Puts a backup into an installation that has no songs and nobody but script accounts yet.
 * All tables or none; files first, so that no row names a file that is not there.
 * @throws BackupError when the folder is no whole backup, of another version, or the place is in use
 */
export async function restoreBackup(
  sql: Sql,
  dataDir: string,
  source: string,
  say: (line: string) => void,
): Promise<void> {
  const manifest = await readManifest(source);
  const [used] =
    await sql`select (select count(*) from songs) + (select count(*) from users where not is_script) as rows`;
  if (Number(used?.rows) > 0)
    throw new BackupError("This installation holds songs or people already. Restore into a fresh data folder.");
  if (JSON.stringify(await migrationsOf(sql)) !== JSON.stringify(manifest.migrations)) {
    throw new BackupError(
      "The backup was taken by another version of Followspot. Restore it with that version, then update.",
    );
  }
  say("songs");
  if (await isFolder(join(source, "songs")))
    await cp(join(source, "songs"), join(dataDir, "songs"), { recursive: true });
  await sql.begin(async (tx) => {
    // Tables come in any order: references are checked when all are there again.
    await tx`set local session_replication_role = replica`;
    for (const table of manifest.tables) {
      say(`table ${table}`);
      await tx`delete from ${tx(table)}`;
      const rows = await tx`copy ${tx(table)} from stdin`.writable();
      await pipeline(createReadStream(join(source, "tables", table)), rows);
    }
    await setSequences(tx);
  });
}

async function readManifest(source: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(join(source, MANIFEST), "utf8")) as Manifest; // written by takeBackup
  } catch {
    throw new BackupError(`${source} holds no whole backup: ${MANIFEST} is missing.`);
  }
}

async function tablesOf(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  return rows.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
}

async function migrationsOf(db: Sql | Tx): Promise<string[]> {
  return (await db<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name);
}

/** Identity columns go on behind the highest restored value. */
async function setSequences(tx: Tx): Promise<void> {
  const columns = await tx<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and is_identity = 'YES'`;
  for (const { table, column } of columns) {
    await tx`
      select setval(pg_get_serial_sequence(${table}, ${column}), (select coalesce(max(${tx(column)}), 0) + 1 from ${tx(table)}), false)`;
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
