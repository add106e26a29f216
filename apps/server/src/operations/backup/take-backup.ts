import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { BlobError, type BlobStore } from "../../platform/blobs/blob-store.ts";
import { isDiskFull } from "../../platform/files/disk.ts";
import { NotApartError } from "../../platform/database/communities.ts";
import { lockNumber } from "../../platform/database/locks.ts";
import { communityOf } from "./community-of.ts";
import { DatabaseConnection, type ConnectionOptions } from "./database-connection.ts";
import { EarlierFiles } from "./earlier-files.ts";
import { flush, verify, writeHashed, type Content } from "./hashed-files.ts";
import { holdFiles, type HeldFiles } from "./held-files.ts";
import {
  BackupError,
  bytesOf,
  DATA_FOLDERS,
  KEY_FILE,
  tablePath,
  writeManifest,
  type KeptSequence,
} from "./manifest.ts";
import { LEFT_OUT } from "./of-the-moment.ts";
import { countWords, requireRoom, sizeWords } from "./room.ts";

/** Interval of progress messages for a long table, ms. */
const TELL_MS = 5000;
/**
 * Time after which the lock of a backup that stopped while listing files expires, ms, so that work on songs continues.
 */
const IDLE_MS = 120_000;
const LOCK_MS = 30_000;
const NEW_LINE = 10;
/**
 * Most attempts, because a store without snapshots may replace a file during the copy, which makes the backup
 * inconsistent.
 */
const MAX_TRIES = 3;

export interface BackupOptions {
  readonly dataDir: string;
  /** Store of song files. */
  readonly store: BlobStore;
  /** A new or empty folder. */
  readonly target: string;
  /** A complete backup on the same disk, whose unchanged files are shared; undefined copies all files. */
  readonly earlier?: string | undefined;
  /** Key that signs tokens, attendee codes and links. */
  readonly key: string;
  /** Receives progress messages. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a complete backup. */
export interface TakenBackup {
  readonly folder: string;
  readonly takenAt: string;
  readonly bytes: number;
}

/**
 * Opens a database connection that holds the lock of backups.
 * @throws BackupError while another backup or restore is running
 */
export async function openBackupConnection(url: string, options: ConnectionOptions = {}): Promise<DatabaseConnection> {
  const connection = await DatabaseConnection.open(url, options);
  try {
    const { id, seen } = await communityOf(connection);
    if (seen > 1) throw new BackupError(new NotApartError(seen).message);
    const [lock] = await connection.ask<{ ours: boolean }>("select pg_try_advisory_lock($1) as ours", [
      lockNumber("backup", id),
    ]);
    if (lock?.ours) return connection;
    throw new BackupError("Another backup is being taken or restored. Wait until it has ended.");
  } catch (error) {
    await connection.close(); // nothing else would end it
    throw error;
  }
}

/**
 * Writes a consistent snapshot of all tables, their files and the key into a folder, verifies it and marks it as
 * complete.
 * @param connection from {@link openBackupConnection}
 * @throws BackupError that explains what to do; every restore then rejects the folder
 */
export async function takeBackup(connection: DatabaseConnection, options: BackupOptions): Promise<TakenBackup> {
  const { dataDir, target, signal, say } = options;
  for (let tries = 1; ; tries++) {
    await prepareTarget(target, dataDir);
    try {
      return await takeOnce(connection, options);
    } catch (error) {
      if (!(error instanceof BlobError && error.kind === "changed") || tries === MAX_TRIES)
        throw explained(error, target, signal);
      say("A file of a song was written anew meanwhile: the backup begins again, of a later moment.");
      for (const name of await readdir(target)) await rm(join(target, name), { recursive: true });
    }
  }
}

async function takeOnce(connection: DatabaseConnection, options: BackupOptions): Promise<TakenBackup> {
  const held = await beginSnapshot(connection, options);
  try {
    return await writeBackup(connection, held, options);
  } finally {
    await held.release();
  }
}

async function writeBackup(
  connection: DatabaseConnection,
  held: HeldFiles,
  options: BackupOptions,
): Promise<TakenBackup> {
  const { target, key, say, signal } = options;
  const takenAt = new Date().toISOString();
  const names = await tablesOf(connection);
  const earlier = await EarlierFiles.open(options.earlier);
  const copied = held.files.filter((file) => !earlier.has(file));
  await requireRoom("the backup", [{ folder: target, bytes: bytesOf(copied) + (await sizeOf(connection, names)) }]);
  const tables = [];
  for (const [i, name] of names.entries())
    tables.push(await writeTable(connection, name, options, `table ${i + 1} of ${names.length}: ${name}`));
  const changes = await connection.ask<{ name: string }>("select name from migrations order by name");
  const sequences = await sequencesOf(connection, names);
  await connection.ask("commit");

  const { shared, written: copies } = await copyFiles(held, earlier, options);
  const own = [...copies, await writeKey(target, key)];
  say("reading it all again");
  const written = [...tables.map(({ name, ...kept }) => ({ path: tablePath(name), ...kept })), ...own];
  await flush(written.map(({ path }) => join(target, path)));
  for (const { path, ...kept } of written) await verify(join(target, path), kept, path, signal);
  const migrations = changes.map(({ name }) => name);
  const files = [...own, ...shared];
  await writeManifest(target, { version: 2, taken_at: takenAt, migrations, tables, sequences, files });
  return { folder: target, takenAt, bytes: bytesOf(written) + bytesOf(shared) };
}

async function prepareTarget(target: string, dataDir: string): Promise<void> {
  if (DATA_FOLDERS.some((name) => `${resolve(target)}${sep}`.startsWith(`${join(dataDir, name)}${sep}`)))
    throw new BackupError(`${target} lies among the files that are kept. Name a folder elsewhere.`);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new BackupError(`${target} is not empty. Name a new folder.`);
  await chmod(target, 0o700);
  await mkdir(join(target, "tables"), { mode: 0o700 });
}

/**
 * Starts one snapshot of rows and files. Meanwhile no song job is granted and no deleted song is removed, so that every
 * file of a row in the snapshot exists; see LOCKS.songFiles.
 */
async function beginSnapshot(
  connection: DatabaseConnection,
  { dataDir, store }: Pick<BackupOptions, "dataDir" | "store">,
): Promise<HeldFiles> {
  await connection.ask(`set lock_timeout = ${LOCK_MS}; set idle_in_transaction_session_timeout = ${IDLE_MS}`);
  const { id } = await communityOf(connection);
  await connection.ask("select pg_advisory_lock($1)", [lockNumber("songFiles", id)]);
  await connection.ask("begin isolation level repeatable read read only");
  await connection.ask("select pg_current_snapshot()"); // the first statement defines the snapshot
  const held = await holdFiles(dataDir, store);
  await connection.ask("select pg_advisory_unlock($1)", [lockNumber("songFiles", id)]);
  await connection.ask("set local idle_in_transaction_session_timeout = 0");
  return held;
}

async function tablesOf(connection: DatabaseConnection): Promise<string[]> {
  const rows = await connection.ask<{ name: string }>(`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  return rows.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
}

/** Returns the bytes of tables without indexes, which is close to the size of their text. */
async function sizeOf(connection: DatabaseConnection, names: readonly string[]): Promise<number> {
  const [row] = await connection.ask<{ bytes: string }>(
    "select coalesce(sum(pg_table_size(format('public.%I', name))), 0) as bytes from unnest($1::text[]) as name",
    [names],
  );
  return Number(row?.bytes);
}

async function writeTable(
  connection: DatabaseConnection,
  name: string,
  { target, say, signal }: BackupOptions,
  title: string,
) {
  const columns = await columnsOf(connection, name);
  let [rows, bytes] = [0, 0];
  const tell = (more = "") => say(`${title}, ${countWords(rows, "row")}, ${sizeWords(bytes)}${more}`);
  const telling = setInterval(() => tell(" so far"), TELL_MS);
  const onChunk = (chunk: Buffer) => {
    bytes += chunk.length;
    // Line breaks within values are escaped.
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) rows++;
  };
  try {
    let sha256 = "";
    const sent = await connection.copyOut(`copy public."${name}" (${listed(columns)}) to stdout`, async (chunks) => {
      ({ sha256 } = await writeHashed(join(target, tablePath(name)), chunks, { signal, onChunk }));
    });
    if (sent !== rows)
      throw new BackupError(`The database sent ${countWords(sent, "row")} of ${name}, and ${rows} arrived. Try again.`);
    tell();
    return { name, columns, rows, bytes, sha256 };
  } finally {
    clearInterval(telling);
  }
}

export const listed = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(", ");

/** Returns all columns except generated ones and community_id, which differs after a restore. */
export async function columnsOf(connection: DatabaseConnection, table: string): Promise<string[]> {
  const rows = await connection.ask<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and column_name <> 'community_id'
     order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Returns the next values of identity columns, so that IDs are never reused. */
async function sequencesOf(connection: DatabaseConnection, tables: readonly string[]): Promise<KeptSequence[]> {
  const identities = await connection.ask<{ table: string; column: string; sequence: string }>(
    `select table_name as table, column_name as column,
       pg_get_serial_sequence(format('public.%I', table_name), column_name) as sequence
     from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES' and table_name = any($1::text[]) order by 1, 2`,
    [tables],
  );
  const kept = [];
  for (const { table, column, sequence } of identities) {
    const [row] = await connection.ask<{ next: string }>(
      `select (last_value + case when is_called then 1 else 0 end)::text as next from ${sequence}`,
    );
    kept.push({ table, column, next: row?.next ?? "1" });
  }
  return kept;
}

/** @returns the files that were copied, and those that an earlier backup has, too, which are verified */
async function copyFiles(held: HeldFiles, earlier: EarlierFiles, { target, say, signal }: BackupOptions) {
  const { files } = held;
  if (files.length > 0) say(`${countWords(files.length, "file")}, ${sizeWords(bytesOf(files))}`);
  const [shared, written] = [[] as (Content & { path: string })[], [] as (Content & { path: string })[]];
  for (const file of files) {
    const path = join(target, file.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const same = await earlier.share(file, held.read(file), path, signal);
    if (same) shared.push({ path: file.path, ...same });
    else written.push({ path: file.path, ...(await writeHashed(path, held.read(file), { signal })) });
  }
  if (shared.length > 0) say(`${countWords(shared.length, "file")} of them shared with the backup before`);
  return { shared, written };
}

async function writeKey(target: string, key: string) {
  async function* text() {
    yield Buffer.from(JSON.stringify({ tokens: key }));
  }
  return { path: KEY_FILE, ...(await writeHashed(join(target, KEY_FILE), text())) };
}

/** Explains an error in our own words, if it is known. */
function explained(error: unknown, target: string, signal?: AbortSignal): unknown {
  if (error instanceof BackupError) return error;
  const again = `Nothing can be restored from ${target}: delete it.`;
  if (signal?.aborted) return new BackupError(`The backup was stopped. ${again}`);
  if (error instanceof BlobError && error.kind === "changed")
    return new BackupError(
      `Songs were written anew each of ${MAX_TRIES} times while their files were copied. ${again} Try again when fewer songs are in work.`,
    );
  if (error instanceof BlobError) return new BackupError(`${error.rawMessage} ${again}`, { cause: error });
  if (isDiskFull(error))
    return new BackupError(`The disk of ${target} is full. ${again} Then free some room, or use another disk.`);
  return new BackupError(`The backup failed: ${(error as Error).message}. ${again} Then try again.`, { cause: error });
}
