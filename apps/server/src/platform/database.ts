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

/** Applies the files of `migrations/` that this database has not seen, in order, each in one transaction. */
export async function migrate(sql: Sql): Promise<readonly string[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort();
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.migration})`;
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`;
    const done = new Set((await tx`select name from migrations`).map((row) => row.name as string));
    const fresh = files.filter((name) => !done.has(name));
    for (const name of fresh) {
      await tx.unsafe(await readFile(new URL(name, MIGRATIONS), "utf8"));
      await tx`insert into migrations (name) values (${name})`;
    }
    return fresh;
  });
}

/**
 * A jsonb parameter. A string cast with ::jsonb would be encoded twice by the driver.
 * The cast: the driver's JSONValue leaves out interfaces, which serialise just as well.
 */
export function asJson(db: Db, value: unknown): postgres.Parameter {
  return db.json(value as postgres.JSONValue);
}
