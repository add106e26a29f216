import { randomBytes } from "node:crypto";
import { openDatabase, type Sql } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";

/** Database that is migrated once and copied for every test. */
const TEMPLATE = "followspot_template";

/** Creates the database that {@link createTestDatabase} copies. */
export async function createTemplate(): Promise<void> {
  const root = openDatabase(serverUrl(), 1);
  await root.unsafe(`create database ${TEMPLATE}`);
  await root.end();
  const sql = openDatabase(serverUrl(TEMPLATE), 1);
  await migrate(sql);
  await sql.end();
}

export interface TestDatabase {
  readonly sql: Sql;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Creates an empty, migrated database; `close` also removes it. */
export async function createTestDatabase(max = 10): Promise<TestDatabase> {
  const name = `followspot_test_${randomBytes(6).toString("hex")}`;
  const root = openDatabase(serverUrl(), 1);
  await root.unsafe(`create database ${name} template ${TEMPLATE}`);
  const url = serverUrl(name);
  const sql = openDatabase(url, max);
  return {
    sql,
    url,
    close: async () => {
      await sql.end({ timeout: 5 });
      await root.unsafe(`drop database if exists ${name} with (force)`);
      await root.end();
    },
  };
}

/** @param database on the test server; the default one if absent */
function serverUrl(database?: string): string {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error("These tests need a PostgreSQL server: set DATABASE_URL");
  const url = new URL(server);
  if (database) url.pathname = `/${database}`;
  return url.href;
}
