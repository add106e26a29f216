import type { RigCopy } from "@followspot/contract";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { writtenColumns } from "./tonight.ts";

/** Tables of the rig, each after the tables that its rows refer to. */
const RIG = ["fixture_definitions", "lights", "light_groups", "light_group_members", "outputs"] as const;

export async function rigNumber(db: Db): Promise<bigint> {
  const [row] = await db<{ revision: bigint }[]>`select revision from rig_revision`;
  return row!.revision; // there is always one row
}

/** Reads the whole patch. Generic fixture definitions, which every installation has, are left out. */
export async function readRigCopy(sql: Sql): Promise<RigCopy> {
  const tables = [];
  for (const name of RIG) {
    const own = name === "fixture_definitions" ? sql`where t.format <> 'generic'` : sql``;
    const columns = (await writtenColumns(sql, name))
      .map((column) => sql`t.${sql(column)}`)
      .reduce((list, column) => sql`${list}, ${column}`);
    const [row] = await sql<{ rows: string }[]>`
      select coalesce(jsonb_agg(to_jsonb(shown)), '[]')::text as rows
      from ${sql(name)} t, lateral (select ${columns}) shown ${own}`;
    tables.push({ name, rows: row!.rows }); // an aggregate always returns a row
  }
  return { tables };
}

/**
 * Restores the patch of this venue from the office.
 *
 * @returns false if nothing was restored because fixtures or outputs exist already
 */
export async function restoreRig(sql: Sql, { tables }: RigCopy): Promise<boolean> {
  return transact(
    sql,
    async (tx) => {
      const [here] = await tx`select from lights union all select from outputs limit 1`;
      if (here) return false;
      for (const { name, rows } of inOrder(tables)) await putRows(tx, name, rows);
      return true;
    },
    ["patch"],
  );
}

/** Replaces the whole patch by that of the copy. */
export async function replaceRig(sql: Sql, { tables }: RigCopy): Promise<void> {
  await transact(
    sql,
    async (tx) => {
      for (const name of RIG.toReversed()) if (name !== "fixture_definitions") await tx`delete from ${tx(name)}`;
      for (const { name, rows } of inOrder(tables)) await putRows(tx, name, rows);
    },
    ["patch"],
  );
}

const inOrder = (tables: RigCopy["tables"]) => RIG.flatMap((name) => tables.find((table) => table.name === name) ?? []);

async function putRows(tx: Tx, name: string, rows: string): Promise<void> {
  const columns = (await writtenColumns(tx, name))
    // IDs of definitions are assigned again: lights refer to them by key.
    .filter((column) => !(name === "fixture_definitions" && column === "id"))
    .map((column) => tx`${tx(column)}`)
    .reduce((list, column) => tx`${list}, ${column}`);
  await tx`
    insert into ${tx(name)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${tx(name)}, ${rows}::text::jsonb)
    ${name === "fixture_definitions" ? tx`on conflict (key, community_id) do nothing` : tx``}`;
  if (name !== "lights") return;
  // The sequence of light IDs is shared by all communities of the database, so it may only be advanced.
  await tx`
    select nextval(numbers.of) from (select pg_get_serial_sequence('lights', 'id')::regclass as of) as numbers,
      generate_series(coalesce(pg_sequence_last_value(numbers.of), 0) + 1, (select max(id) from lights))`;
}
