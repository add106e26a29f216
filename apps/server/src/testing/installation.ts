import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import type { AdminPlace } from "./admin.ts";

/** Database, data folder and secret of a separate installation. */
export interface Installation extends AdminPlace {
  readonly sql: Sql;
  close(): Promise<void>;
}

export async function createInstallation(): Promise<Installation> {
  const database = await createTestDatabase(3);
  const dataDir = await mkdtemp(join(tmpdir(), "followspot-installation-"));
  return {
    sql: database.sql,
    url: database.url,
    dataDir,
    key: randomBytes(32).toString("hex"),
    close: async () => {
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns every row of every table as sorted text, for comparing two databases. */
export async function rowsOf(sql: Sql, leaveOut: readonly string[] = []): Promise<Record<string, readonly string[]>> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const kept = tables.filter(({ name }) => !leaveOut.includes(name));
  const rows = kept.map(async ({ name }) => {
    const found = await sql<{ row: string }[]>`select t::text as row from ${sql(name)} t order by 1`;
    return [name, found.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** Returns the paths of the files below a folder, sorted; empty if it does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
