import { randomBytes } from "node:crypto";
import { migrate, openDatabase, type Sql } from "../database.ts";

/** An empty, migrated database of its own; `drop` closes and removes it. */
export async function createTestDatabase(max = 10): Promise<{ sql: Sql; url: string; drop: () => Promise<void> }> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error("These tests need a PostgreSQL server: set DATABASE_URL");
  const name = `followspot_test_${randomBytes(6).toString("hex")}`;
  const root = openDatabase(server, 1);
  await root.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = openDatabase(url.href, max);
  await migrate(sql);
  return {
    sql,
    url: url.href,
    drop: async () => {
      await sql.end({ timeout: 5 });
      await root.unsafe(`drop database if exists ${name} with (force)`);
      await root.end();
    },
  };
}
