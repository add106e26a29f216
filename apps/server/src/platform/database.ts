import { readdir, readFile } from "node:fs/promises";
import postgres from "postgres";
import { LOCKS } from "./locks.ts";

/** The pool. Inside a transaction use {@link Tx}; stores take either as {@link Db}. */
export type Sql = postgres.Sql;
export type Tx = Omit<postgres.TransactionSql, "savepoint" | "prepare"> & postgres.ISql;
export type Db = postgres.ISql;

const MIGRATIONS = new URL("./migrations/", import.meta.url);
const MAX_BACKOFF_SECONDS = 0.5;

/** @param max open connections of this process */
export function openDatabase(url: string, max = 10): Sql {
  return postgres(url, {
    max,
    connect_timeout: 5,
    idle_timeout: 60,
    // The driver's own would leave a database that is back alone for up to 20 seconds.
    backoff: (tries: number) => Math.min(MAX_BACKOFF_SECONDS, 0.05 * 2 ** tries),
    onnotice: () => {},
    // Columns arrive as they are named in SQL; stores map them to the contract.
    types: { bigint: postgres.BigInt },
  });
}

/** The database was changed by a release that came after this one: its tables may mean something else. */
export class NewerDatabaseError extends Error {
  /** @param change name of the last change, without `.sql` */
  constructor(change: string) {
    super(
      `This data folder was used by a newer Followspot (last change ${change}). Start that version, or restore a backup taken with this one.`,
    );
  }
}

/**
 * Applies the files of `migrations/` that this database has not seen, in order, all in one transaction.
 * @throws NewerDatabaseError when it has seen one that this release does not have
 */
export async function migrate(sql: Sql): Promise<readonly string[]> {
  const files = await migrationFiles();
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.migration})`;
    await tx.unsafe(MIGRATIONS_TABLE);
    const done = (await tx`select name from migrations`).map((row) => row.name as string);
    const newest = lastUnknown(done, files);
    if (newest !== undefined) throw new NewerDatabaseError(newest);
    const fresh = files.filter((name) => !done.includes(name));
    await applyMigrations((text) => tx.unsafe(text), fresh);
    return fresh;
  });
}

/** The changes this release knows, in their order. */
export async function migrationFiles(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort();
}

/** The last of some changes that this release does not know, without `.sql`; undefined when it knows all. */
export function lastUnknown(changes: readonly string[], known: readonly string[]): string | undefined {
  const unknown = changes.filter((name) => !known.includes(name)).sort();
  return unknown.at(-1)?.replace(/\.sql$/, "");
}

/** What notes the changes that were made. */
export const MIGRATIONS_TABLE =
  "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())";

/** Makes some changes and notes each. @param run sends SQL inside a transaction that holds the migration lock */
export async function applyMigrations(
  run: (text: string) => PromiseLike<unknown>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await run(await readFile(new URL(name, MIGRATIONS), "utf8"));
    await run(`insert into migrations (name) values ('${name}')`);
  }
}

/**
 * A jsonb parameter. A string cast with ::jsonb would be encoded twice by the driver.
 * The cast: the driver's JSONValue leaves out interfaces, which serialise just as well.
 */
export function asJson(db: Db, value: unknown): postgres.Parameter {
  return db.json(value as postgres.JSONValue);
}
