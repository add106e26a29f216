import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { grantRights, listCommunities } from "./communities.ts";
import type { Sql } from "./database.ts";
import { LOCKS } from "./locks.ts";
import { transactOnce } from "./transaction.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

/** The database was migrated by a newer release, whose tables may differ in meaning. */
export class NewerDatabaseError extends Error {
  /** @param change name of the last migration, without `.sql` */
  constructor(change: string) {
    super(
      `This data folder was used by a newer Followspot (last change ${change}). Start that version, or restore a backup taken with this one.`,
    );
  }
}

const LOOK_AGAIN_MS = 1000;
/** Interval between lines about a migration that takes long, ms. */
const SAY_MS = 10_000;
/**
 * Longest wait for a lock on a table, ms. While a migration waits for a table, every later statement on it waits as well.
 */
const LOCK_MS = 2000;
/** PostgreSQL: lock_not_available. */
const LOCK_TIMEOUT = "55P03";

/**
 * Applies the missing files of `migrations/`, in order, in one transaction. It has no deadline: it waits for another
 * machine that migrates and for tables that other programs use. A community that does not own the tables waits until
 * their owner has migrated.
 * @param say called with the progress, every ten seconds, or once with the reason for waiting for the owner
 * @throws NewerDatabaseError if the database has a migration that this release lacks
 */
export async function migrate(
  sql: Sql,
  say: (line: string) => void = () => {},
  sayMs = SAY_MS,
): Promise<readonly string[]> {
  const files = await migrationFiles();
  if (!(await mayChangeTables(sql))) return untilChanged(sql, files, say);
  let progress = "Another machine updates the tables of this database. Waiting for it.";
  const timer = setInterval(() => say(progress), sayMs);
  try {
    for (;;) {
      try {
        return await migrateOnce(sql, files, (text) => (progress = text));
      } catch (error) {
        if ((error as { code?: unknown }).code !== LOCK_TIMEOUT) throw error;
        progress = "The tables cannot be updated while another program uses them, such as a backup. Waiting for it.";
        await pause(LOOK_AGAIN_MS);
      }
    }
  } finally {
    clearInterval(timer);
  }
}

/** @throws the database's error if another program holds a table for longer than {@link LOCK_MS} */
async function migrateOnce(
  sql: Sql,
  files: readonly string[],
  onProgress: (text: string) => void,
): Promise<readonly string[]> {
  return transactOnce(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.migration})`;
    await tx.unsafe(`set local lock_timeout = ${LOCK_MS}; ${MIGRATIONS_TABLE}`);
    const done = (await tx`select name from migrations`).map((row) => row.name as string);
    const newest = lastUnknown(done, files);
    if (newest !== undefined) throw new NewerDatabaseError(newest);
    const fresh = files.filter((name) => !done.includes(name));
    await applyMigrations(
      (text) => tx.unsafe(text),
      fresh,
      (name, i) => onProgress(`Updating the tables: ${name}, ${i + 1} of ${fresh.length}.`),
    );
    if (fresh.length > 0)
      await grantRights(
        tx,
        (await listCommunities(tx)).flatMap(({ role }) => role ?? []),
      );
    return { answer: fresh };
  });
}

async function mayChangeTables(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ may: boolean | null }[]>`
    select pg_has_role(relowner, 'usage') as may from pg_class where oid = to_regclass('migrations')`;
  return row?.may !== false;
}

async function untilChanged(
  sql: Sql,
  files: readonly string[],
  say: (line: string) => void,
): Promise<readonly string[]> {
  for (let tries = 0; ; tries++) {
    const done = (await sql<{ name: string }[]>`select name from migrations`).map(({ name }) => name);
    const newest = lastUnknown(done, files);
    if (newest !== undefined) throw new NewerDatabaseError(newest);
    if (files.every((name) => done.includes(name))) return [];
    if (tries === 0)
      say(
        "The tables are those of an older version, and this community does not own them: start this version for the first " +
          "community, or run `npm run admin -- migrate` with the DATABASE_URL of their owner. It goes on by itself then.",
      );
    await pause(LOOK_AGAIN_MS);
  }
}

/** Returns the migrations of this release, in order. */
export async function migrationFiles(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort();
}

/** Returns the last migration that this release lacks, without `.sql`; undefined if there is none. */
export function lastUnknown(changes: readonly string[], known: readonly string[]): string | undefined {
  const unknown = changes.filter((name) => !known.includes(name)).sort();
  return unknown.at(-1)?.replace(/\.sql$/, "");
}

/** Creates the table that records applied migrations. */
export const MIGRATIONS_TABLE =
  "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())";

/**
 * Applies migrations and records each.
 * @param run sends SQL inside a transaction that holds the migration lock
 * @param onNext called before each migration, with its index
 */
export async function applyMigrations(
  run: (text: string) => PromiseLike<unknown>,
  names: readonly string[],
  onNext: (name: string, i: number) => void = () => {},
): Promise<void> {
  for (const [i, name] of names.entries()) {
    onNext(name, i);
    await run(await readFile(new URL(name, MIGRATIONS), "utf8"));
    await run(`insert into migrations (name) values ('${name}')`);
  }
}
