import { inOrder, REFERRING_TABLES, type ReferringTable } from "../../platform/database/communities.ts";
import { SCRATCH } from "./build-tables.ts";
import { LONG_WORK_MS, type DatabaseConnection } from "./database-connection.ts";
import { LEFT_OUT } from "./of-the-moment.ts";
import { columnsOf, listed } from "./take-backup.ts";
import { lockTables } from "./take-place.ts";

/**
 * Replaces the rows of one community with those of the built tables, within the transaction of the connection. Other
 * communities can read during the copy, and their writes wait; their rows are not touched.
 * @param connection of the table owner
 * @param id of the community
 * @param check called when no other connection can write any more; throws if the old rows are still needed
 */
export async function takeRows(connection: DatabaseConnection, id: number, check: () => Promise<void>): Promise<void> {
  const run = (text: string, values: readonly unknown[] = []) => connection.ask(text, values, LONG_WORK_MS);
  const tables = inOrder(await connection.ask<ReferringTable>(REFERRING_TABLES));
  await lockTables(connection, tables, "share row exclusive");
  await check();
  // Values computed by triggers are already in the rows.
  for (const name of tables) await run(`alter table public."${name}" disable trigger user`);
  for (const name of tables.toReversed()) await run(`delete from public."${name}" where community_id = $1`, [id]);
  for (const name of tables.filter((table) => !LEFT_OUT.includes(table))) {
    const columns = await columnsOf(connection, name);
    const types = await ownTypes(connection, name);
    const values = columns.map(
      (column) => `"${column}"${types.has(column) ? `::text::public."${types.get(column)}"` : ""}`,
    );
    await run(
      `insert into public."${name}" (${listed(columns)}, community_id) overriding system value
       select ${values.join(", ")}, $1 from ${SCRATCH}."${name}"`,
      [id],
    );
  }
  for (const name of tables) await run(`alter table public."${name}" enable trigger user`);
  await countOn(connection);
  await run(`drop schema ${SCRATCH} cascade`);
}

/** Returns columns whose type was rebuilt as well, with the existing type. */
async function ownTypes(connection: DatabaseConnection, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.ask<{ column: string; type: string }>(
    `select column_name as column, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and udt_schema = 'public'`,
    [table],
  );
  return new Map(rows.map(({ column, type }) => [column, type]));
}

/** Advances shared sequences beyond the values that the restored community has used. */
async function countOn(connection: DatabaseConnection): Promise<void> {
  const counters = await connection.ask<{ here: string; built: string }>(
    `select pg_get_serial_sequence(format('public.%I', table_name), column_name) as here,
       pg_get_serial_sequence(format('${SCRATCH}.%I', table_name), column_name) as built
     from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`,
  );
  for (const { here, built } of counters)
    await connection.ask(
      `select setval('${here}', restored.last_value) from ${here} as now, ${built} as restored
       where restored.last_value > now.last_value`,
    );
}
