import { LONG_WORK_MS, type DatabaseConnection } from "./database-connection.ts";
import { SCRATCH } from "./build-tables.ts";
import { BackupError } from "./manifest.ts";

/** Timeout for locks of tables in use, ms, after which they are requested again. */
const LOCK_MS = 2000;
const MAX_TRIES = 15;
/** Codes for a deadlock and a lock timeout. */
const AGAIN = ["40P01", "55P03"];

/**
 * Replaces the existing tables with the built ones, within the transaction of the connection: other connections see the
 * old or the new tables, never both.
 * @param check called when no other connection can write any more; throws if the old tables are still needed
 */
export async function takePlace(connection: DatabaseConnection, check: () => Promise<void>): Promise<void> {
  const tables = await namesOf(
    connection,
    "select relname as name from pg_class where relkind = 'r' and relnamespace = $1::regnamespace",
  );
  const functions = await namesOf(
    connection,
    `select format('%I(%s)', proname, pg_get_function_identity_arguments(oid)) as name
     from pg_proc where pronamespace = $1::regnamespace`,
  );
  const types = await namesOf(
    connection,
    "select typname as name from pg_type where typtype in ('e', 'd') and typnamespace = $1::regnamespace",
  );
  await lockTables(connection, tables);
  await check();
  const run = (text: string) => connection.ask(text, [], LONG_WORK_MS);
  // The function and the tables depend on each other.
  await run("drop function if exists public.current_community() cascade");
  await run(`drop table if exists ${tables.map((name) => `public."${name}"`).join(", ")}`);
  for (const name of functions) await run(`drop function if exists public.${name}`);
  for (const name of types) await run(`drop type if exists public."${name}"`);
  for (const name of types) await run(`alter type ${SCRATCH}."${name}" set schema public`);
  for (const name of functions) await run(`alter function ${SCRATCH}.${name} set schema public`);
  for (const name of tables) await run(`alter table ${SCRATCH}."${name}" set schema public`);
  await run(`drop schema ${SCRATCH}`); // fails if anything was left in the schema
}

async function namesOf(connection: DatabaseConnection, text: string): Promise<string[]> {
  return (await connection.ask<{ name: string }>(text, [SCRATCH])).map(({ name }) => name);
}

/** @param mode lock mode, which determines whether others may read while it is held */
export async function lockTables(
  connection: DatabaseConnection,
  names: readonly string[],
  mode: "access exclusive" | "share row exclusive" = "access exclusive",
): Promise<void> {
  const there = await connection.ask<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename = any($1::text[]) order by 1",
    [names],
  );
  if (there.length === 0) return;
  const list = there.map(({ name }) => `public."${name}"`).join(", ");
  await connection.ask(`set local lock_timeout = ${LOCK_MS}`);
  for (let tries = 1; ; tries++) {
    await connection.ask("savepoint locks");
    try {
      return void (await connection.ask(`lock table ${list} in ${mode} mode`));
    } catch (error) {
      if (!AGAIN.includes((error as { code?: string }).code ?? "")) throw error;
      if (tries === MAX_TRIES)
        throw new BackupError("The tables are in use without a pause. Restore when no one is working here.", {
          cause: error,
        });
      await connection.ask("rollback to savepoint locks");
    }
  }
}
