import { chmod, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BlobError, sourceOfFile, type BlobStore } from "../../platform/blobs/blob-store.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { LOCKS } from "../../platform/database/locks.ts";
import { readSecrets, writeSecrets } from "../../platform/files/secrets.ts";
import { buildTables, loadTable, requireKnown } from "./build-tables.ts";
import { communityOf } from "./community-of.ts";
import { DatabaseConnection, LONG_WORK_MS } from "./database-connection.ts";
import { flush, readKept, verify, writeHashed } from "./hashed-files.ts";
import { BackupError, bytesOf, DATA_FOLDERS, KEY_FILE, readManifest, RECORDINGS, type Manifest } from "./manifest.ts";
import { countWords, requireRoom, sizeWords } from "./room.ts";
import { takePlace } from "./take-place.ts";
import { takeRows } from "./take-rows.ts";

/** Staging folder beside the final paths of files, until the rows are restored as well. */
const STAGED = "restored-files.tmp";
/** Ratio of the disk space for tables, indexes and write-ahead log to the size of their text. */
const TABLE_FACTOR = 4;

export interface RestoreOptions {
  readonly dataDir: string;
  /** Store of song files. */
  readonly store: BlobStore;
  /** Folder of a backup. */
  readonly source: string;
  /** Receives progress messages. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Address of the table owner if several communities share the database. */
  readonly owner?: string | undefined;
}

/** Result of a restore. */
export interface Restored {
  readonly takenAt: string;
  readonly rows: number;
  readonly files: number;
  /** Key of the backup, now also the data folder's; undefined for older releases without one. */
  readonly key: string | undefined;
  /** Value of `restored_at` in the data folder's secrets. */
  readonly restoredAt: string;
}

/**
 * Restores a backup into an installation without songs and with only script accounts. All rows appear at one commit;
 * the files are in place and the key is written before it. After an interruption, either everything is restored or the
 * restore can be repeated.
 * @param connection from openBackupConnection
 * @throws BackupError that explains what to do
 */
export async function restoreBackup(connection: DatabaseConnection, options: RestoreOptions): Promise<Restored> {
  const { dataDir, source, store, say, signal } = options;
  const staged = join(dataDir, STAGED);
  let builder: Builder | undefined;
  try {
    const manifest = await readManifest(source);
    await requireKnown(manifest);
    await requireUnused(connection);
    await requireRoomFor(connection, manifest, dataDir);
    const key = await readKey(manifest, source);
    builder = await openBuilder(connection, options);
    await stageFiles(manifest, staged, options);
    const built = builder.connection;
    await built.ask("begin");
    await built.ask("select pg_advisory_xact_lock($1)", [LOCKS.migration]);
    const rows = await buildAndFill(built, manifest, source, say);
    await builder.putInPlace();

    signal?.throwIfAborted();
    say("putting everything in its place");
    if (!store.path) await writeToStore(manifest, staged, options);
    await placeFiles(manifest, staged, dataDir, store.path ? DATA_FOLDERS : [RECORDINGS]);
    const restoredAt = new Date().toISOString();
    const { tokens, stage } = await readSecrets(dataDir);
    await writeSecrets(dataDir, { tokens: key ?? tokens, stage, restored_at: restoredAt });
    await built.ask("commit", [], LONG_WORK_MS);
    await built.ask("analyze", [], LONG_WORK_MS).catch(() => []); // the database also does this automatically later
    return { takenAt: manifest.taken_at, rows, files: dataFiles(manifest).length, key, restoredAt };
  } catch (error) {
    throw explained(error, signal);
  } finally {
    if (builder && builder.connection !== connection) await builder.connection.close();
    await rm(staged, { recursive: true, force: true });
  }
}

/** A connection that may create tables, and the function that moves the built tables or rows into place. */
interface Builder {
  readonly connection: DatabaseConnection;
  putInPlace(): Promise<void>;
}

/**
 * Replaces the tables of an installation with one community. With several, new rows are written beside those of the
 * others.
 */
async function openBuilder(
  connection: DatabaseConnection,
  { owner, signal, dataDir }: RestoreOptions,
): Promise<Builder> {
  const { id, isApart } = await communityOf(connection);
  if (!isApart) return { connection, putInPlace: () => takePlace(connection, () => requireUnused(connection)) };
  if (owner === undefined)
    throw new BackupError(
      "This community shares its database with others, and does not own the tables. Set FOLLOWSPOT_DATABASE_OWNER to the data folder of the first community, or to the owner's postgres://…, and restore again.",
    );
  const builder = await DatabaseConnection.open(owner, { signal, dataDir });
  return { connection: builder, putInPlace: () => takeRows(builder, id, () => requireUnused(connection)) };
}

const dataFiles = ({ files }: Manifest) => files.filter(({ path }) => path !== KEY_FILE);

async function requireUnused(connection: DatabaseConnection): Promise<void> {
  const [used] = await connection.ask<{ rows: string }>(
    "select (select count(*) from public.songs) + (select count(*) from public.users where not is_script) as rows",
  );
  if (Number(used?.rows) > 0)
    throw new BackupError("This installation holds songs or people already. Restore into a fresh data folder.");
}

async function readKey({ files }: Manifest, source: string): Promise<string | undefined> {
  const kept = files.find(({ path }) => path === KEY_FILE);
  if (!kept) return undefined;
  await verify(join(source, KEY_FILE), kept, KEY_FILE);
  return (JSON.parse(await readFile(join(source, KEY_FILE), "utf8")) as { tokens: string }).tokens; // written by takeBackup
}

async function requireRoomFor(connection: DatabaseConnection, manifest: Manifest, dataDir: string): Promise<void> {
  const tables = bytesOf(manifest.tables) * TABLE_FACTOR;
  const database = await databaseFolder(connection);
  await requireRoom("this backup", [
    { folder: dataDir, bytes: bytesOf(manifest.files) },
    ...(database === undefined ? [] : [{ folder: database, bytes: tables }]),
  ]);
}

/** Returns the data folder of the database, if it is on this machine and accessible. */
async function databaseFolder(connection: DatabaseConnection): Promise<string | undefined> {
  try {
    const [row] = await connection.ask<{ folder: string | null }>(
      `select case when pg_has_role(current_user, 'pg_read_all_settings', 'member')
         then current_setting('data_directory') end as folder`,
    );
    const folder = row?.folder ?? "";
    await stat(join(folder, "PG_VERSION"));
    return folder;
  } catch {
    return undefined; // the folder is on another machine, or inaccessible
  }
}

/** Copies the files beside their final paths and verifies each checksum. */
async function stageFiles(manifest: Manifest, staged: string, { source, say, signal }: RestoreOptions): Promise<void> {
  const files = dataFiles(manifest);
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { mode: 0o700 });
  if (files.length > 0) say(`${countWords(files.length, "file")}, ${sizeWords(bytesOf(files))}`);
  for (const { path, ...kept } of files) {
    await mkdir(dirname(join(staged, path)), { recursive: true, mode: 0o700 });
    await writeHashed(join(staged, path), readKept(join(source, path), kept, path), { signal });
  }
  await flush(files.map(({ path }) => join(staged, path)));
}

async function buildAndFill(
  connection: DatabaseConnection,
  manifest: Manifest,
  source: string,
  say: RestoreOptions["say"],
) {
  let [n, rows] = [0, 0];
  await buildTables(connection, manifest, async (table) => {
    const loaded = await loadTable(connection, source, table);
    rows += loaded;
    const title = `table ${++n} of ${manifest.tables.length}: ${table.name}`;
    say(`${title}, ${countWords(loaded, "row")}, ${sizeWords(table.bytes)}`);
  });
  return rows;
}

/** Writes song files to a remote store. Files of an interrupted restore are replaced. */
async function writeToStore(manifest: Manifest, staged: string, { store, signal }: RestoreOptions): Promise<void> {
  const files = dataFiles(manifest).filter(({ path }) => !path.startsWith(`${RECORDINGS}/`));
  for (const { path } of files) await store.write(path, await sourceOfFile(join(staged, path)), { signal });
}

/** Moves files into place. Existing files come from an interrupted restore, because no row refers to them. */
async function placeFiles(
  manifest: Manifest,
  staged: string,
  dataDir: string,
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders) {
    await mkdir(join(dataDir, folder), { recursive: true, mode: 0o700 });
    await chmod(join(dataDir, folder), 0o700);
  }
  const placed = dataFiles(manifest).filter(({ path }) => folders.includes(path.split("/")[0]!));
  for (const path of new Set(placed.map(({ path: file }) => topOf(file)))) {
    await rm(join(dataDir, path), { recursive: true, force: true });
    await rename(join(staged, path), join(dataDir, path));
  }
}

/** Returns the folder of a song, or the file of a recording. */
const topOf = (path: string) => path.split("/").slice(0, 2).join("/");

function explained(error: unknown, signal?: AbortSignal): unknown {
  if (error instanceof BackupError) return error;
  const again = "Nothing of it can be seen, and it can be restored again.";
  if (signal?.aborted) return new BackupError(`The restore was stopped. ${again}`);
  if (error instanceof BlobError) return new BackupError(`${error.rawMessage} ${again}`, { cause: error });
  const { code, message } = error as NodeJS.ErrnoException;
  // 53100: the database's code for a full disk.
  if (isDiskFull(error) || code === "53100")
    return new BackupError(`The disk is full. ${again} Free some room first, or use another disk.`);
  return new BackupError(`The restore failed: ${message}. ${again}`, { cause: error });
}
