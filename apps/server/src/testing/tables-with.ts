import type { Sql } from "../platform/database/database.ts";

/** Names of the tables, except the outbox, that contain a text in any row. */
export async function tablesWith(sql: Sql, text: string): Promise<readonly string[]> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'outbox' order by tablename`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql`select 1 from ${sql(name)} t where to_jsonb(t)::text ilike ${`%${text}%`} limit 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}
