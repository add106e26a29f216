import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { buildTables, loadTable, requireKnown, SCRATCH } from "./build-tables.ts";
import { DatabaseConnection } from "./database-connection.ts";
import { verify } from "./hashed-files.ts";
import { BackupError, bytesOf, readManifest, type KeptTable, type Manifest } from "./manifest.ts";
import { countWords, sizeWords } from "./room.ts";

/** Prefix of databases for checking backups; the next check removes one that a killed check left. */
const SCRATCH_DATABASE = "followspot_check_";

/** PostgreSQL's code for a missing privilege. */
const PRIVILEGE = "42501";

export interface CheckOptions {
  /** Folder of a backup. */
  readonly source: string;
  /** Receives the findings, one line per table and per damaged file. */
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks a backup by restoring it into a separate database on the same server, which is dropped afterwards.
 * @param url of a database on that server
 * @returns number of tables and files that differ from the backup
 * @throws BackupError if the check cannot be run
 */
export async function checkBackup(url: string, options: CheckOptions): Promise<number> {
  const { source, report, signal } = options;
  const manifest = await readManifest(source);
  await requireKnown(manifest);
  const server = await DatabaseConnection.open(url, { signal });
  const name = `${SCRATCH_DATABASE}${randomBytes(6).toString("hex")}`;
  try {
    await dropLeftovers(server);
    await server.ask(`create database "${name}"`).catch((error: unknown) => {
      throw (error as { code?: string }).code === PRIVILEGE ? new BackupError(mayNotCreate(userOf(url))) : error;
    });
    const connection = await DatabaseConnection.open(withName(url, name), { signal });
    try {
      const wrong = (await checkTables(connection, manifest, options)) + (await checkFiles(manifest, options));
      const all = `${countWords(manifest.tables.length, "table")} and ${countWords(manifest.files.length, "file")}`;
      report(
        wrong === 0
          ? `The backup of ${manifest.taken_at} is good: ${all} are what was written, and its tables can be restored.`
          : `The backup of ${manifest.taken_at} is NOT good: ${wrong} of ${all} are wrong. Take another one.`,
      );
      return wrong;
    } finally {
      await connection.close();
    }
  } finally {
    await dropDatabase(url, name);
    await server.close();
  }
}

const mayNotCreate = (user: string) =>
  `The check restores the backup into a database of its own, which the user ${user} may not create. Allow it once, as an ` +
  `administrator of PostgreSQL: alter role "${user}" createdb. Or check the backup on a machine with a database of its own: npm start there, then the same command.`;

const userOf = (url: string) =>
  decodeURIComponent(/^postgres(?:ql)?:\/\/([^:@/]+)/.exec(url)?.[1] ?? "of DATABASE_URL");

/** Returns the address of another database on the same server. */
const withName = (url: string, name: string) =>
  url.replace(/^(postgres(?:ql)?:\/\/[^/?#]+)(?:\/[^?#]*)?/, `$1/${name}`);

async function checkTables(
  connection: DatabaseConnection,
  manifest: Manifest,
  { source, report, signal }: CheckOptions,
) {
  let wrong = 0;
  const refuse = (what: string, error: unknown) => {
    signal?.throwIfAborted();
    wrong++;
    report(`WRONG ${what}: ${(error as Error).message}`);
  };
  await connection.ask("begin");
  try {
    await buildTables(connection, manifest, async (table) => {
      await connection.ask("savepoint filled");
      try {
        await loadTable(connection, source, table);
        report(`ok    table ${table.name}: ${countWords(await countRows(connection, table), "row")}`);
      } catch (error) {
        await connection.ask("rollback to savepoint filled");
        refuse(`table ${table.name}`, error);
      }
    });
  } catch (error) {
    // References to a damaged table are invalid as well.
    if (wrong === 0) refuse("what the tables say of each other", error);
  }
  await connection.ask("rollback");
  return wrong;
}

async function countRows(connection: DatabaseConnection, { name, rows }: KeptTable): Promise<number> {
  const [counted] = await connection.ask<{ rows: string }>(`select count(*) as rows from ${SCRATCH}."${name}"`);
  const found = Number(counted?.rows);
  if (rows !== undefined && found !== rows) throw new Error(`${found} rows were restored, and ${rows} were written`);
  return found;
}

async function checkFiles({ files }: Manifest, { source, report, signal }: CheckOptions): Promise<number> {
  let wrong = 0;
  for (const { path, ...kept } of files) {
    try {
      await verify(join(source, path), kept, path, signal);
    } catch (error) {
      signal?.throwIfAborted();
      wrong++;
      report(`WRONG file ${path}: ${(error as Error).message}`);
    }
  }
  if (wrong === 0) report(`ok    ${countWords(files.length, "file")}, ${sizeWords(bytesOf(files))}`);
  return wrong;
}

/** Drops the database over a new connection, because the check's may be cut. */
async function dropDatabase(url: string, name: string): Promise<void> {
  const connection = await DatabaseConnection.open(url);
  try {
    await connection.ask(`drop database if exists "${name}" with (force)`);
  } finally {
    await connection.close();
  }
}

async function dropLeftovers(server: DatabaseConnection): Promise<void> {
  const left = await server.ask<{ name: string }>(
    `select datname as name from pg_database
     where starts_with(datname, $1) and not exists (select from pg_stat_activity where datid = pg_database.oid)`,
    [SCRATCH_DATABASE],
  );
  // A concurrent check keeps the database that it has just created.
  for (const { name } of left) await server.ask(`drop database if exists "${name}"`).catch(() => []);
}
