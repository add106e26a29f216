import { join } from "node:path";
import { applyMigrations, lastUnknown, migrationFiles, MIGRATIONS_TABLE } from "../../platform/database/migrate.ts";
import { LONG_WORK_MS, type DatabaseConnection } from "./database-connection.ts";
import { readKept, verify } from "./hashed-files.ts";
import { BackupError, tablePath, type KeptTable, type Manifest } from "./manifest.ts";
import { LEFT_OUT, SETTLE } from "./of-the-moment.ts";

/** Schema in which tables are built before they replace the existing ones. */
export const SCRATCH = "followspot_restore";

/** @throws BackupError for a backup with migrations that this release lacks */
export async function requireKnown({ migrations }: Manifest): Promise<void> {
  const newest = lastUnknown(migrations, await migrationFiles());
  if (newest === undefined) return;
  throw new BackupError(
    `This backup was taken by a newer Followspot (last change ${newest}). Restore it with that version or a newer one.`,
  );
}

/**
 * Builds the tables of a backup in a separate schema, within the transaction of the connection: in the release that
 * took the backup, filled, and then migrated to this release.
 * @param load fills one table
 */
export async function buildTables(
  connection: DatabaseConnection,
  manifest: Manifest,
  load: (table: KeptTable) => Promise<void>,
): Promise<void> {
  const run = (text: string) => connection.ask(text, [], LONG_WORK_MS);
  const changes = await migrationFiles();
  await run(`create schema ${SCRATCH}; set local search_path = ${SCRATCH}, public; ${MIGRATIONS_TABLE}`);
  // Deferred constraints are checked after each statement, because tables with pending checks cannot be altered.
  await run("set constraints all immediate");
  await applyMigrations(
    run,
    changes.filter((name) => manifest.migrations.includes(name)),
  );

  const references = await dropReferences(connection);
  for (const table of manifest.tables.filter(({ name }) => !LEFT_OUT.includes(name))) await load(table);
  await setSequences(connection, manifest);
  // All rows are present: each reference is validated once, by one query.
  for (const { table, name, definition } of references)
    await run(`alter table ${table} add constraint "${name}" ${definition}`);
  await applyMigrations(
    run,
    changes.filter((name) => !manifest.migrations.includes(name)),
  );
  await run(SETTLE);
}

/**
 * Fills a table from a backup, after removing the rows that its migrations inserted.
 * @returns number of rows
 * @throws BackupError for a damaged file
 */
export async function loadTable(connection: DatabaseConnection, source: string, table: KeptTable): Promise<number> {
  const { name, columns } = table;
  const known = await connection.ask("select from pg_tables where schemaname = $1 and tablename = $2", [SCRATCH, name]);
  if (known.length === 0) throw new BackupError(`The backup holds a table that its release did not have: ${name}.`);
  const place = `${SCRATCH}."${name}"`;
  const list = columns ? ` (${columns.map((column) => `"${column}"`).join(", ")})` : "";
  // Values computed by triggers are already in the rows, here and in other tables.
  await connection.ask(`alter table ${place} disable trigger user; delete from ${place}`);
  const file = [join(source, tablePath(name)), table, tablePath(name)] as const;
  const rows = await connection
    .copyIn(`copy ${place}${list} from stdin`, readKept(...file))
    .catch(async (error: unknown) => {
      await verify(...file); // the database may fail on damaged data before the whole file was read
      throw error;
    });
  await connection.ask(`alter table ${place} enable trigger user`);
  return rows;
}

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Drops references between tables, because tables are loaded in any order. */
async function dropReferences(connection: DatabaseConnection): Promise<readonly Reference[]> {
  const references = await connection.ask<Reference>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = $1::regnamespace`,
    [SCRATCH],
  );
  for (const { table, name } of references) await connection.ask(`alter table ${table} drop constraint "${name}"`);
  return references;
}

/** Sets identity columns to their stored values, or after the highest restored value if that is larger. */
async function setSequences(connection: DatabaseConnection, { sequences }: Manifest): Promise<void> {
  const identities = await connection.ask<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = $1 and is_identity = 'YES'`,
    [SCRATCH],
  );
  for (const { table, column } of identities) {
    const kept = sequences.find((each) => each.table === table && each.column === column)?.next ?? "1";
    await connection.ask(
      `select setval(pg_get_serial_sequence('${SCRATCH}."${table}"', '${column}'),
         greatest($1::bigint, (select coalesce(max("${column}"), 0) + 1 from ${SCRATCH}."${table}")), false)`,
      [kept],
    );
  }
}
