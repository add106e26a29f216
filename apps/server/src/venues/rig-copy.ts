import type { RigCopy } from "@followspot/contract";
import type { Db, Sql, Tx } from "../platform/database.ts";
import { transact } from "../platform/transaction.ts";
import { writtenColumns } from "./tonight.ts";

/** Lamps and outputs, each table behind those that its rows name. */
const RIG = ["fixture_definitions", "lights", "light_groups", "light_group_members", "outputs"] as const;

export async function rigNumber(db: Db): Promise<bigint> {
  const [row] = await db<{ revision: bigint }[]>`select revision from rig_revision`;
  return row!.revision; // there is always one
}

/** Everything that is patched here. Lamps that every Followspot knows are left out of the definitions. */
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
    tables.push({ name, rows: row!.rows }); // an aggregate is always answered
  }
  return { tables };
}

/**
 * Patches what hung at this venue before.
 * @returns whether it was: lamps or outputs that are here already stay
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

/** Patches what hangs there in place of everything that is patched here. */
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
    // Ids of definitions are given anew: lamps name theirs by key.
    .filter((column) => !(name === "fixture_definitions" && column === "id"))
    .map((column) => tx`${tx(column)}`)
    .reduce((list, column) => tx`${list}, ${column}`);
  await tx`
    insert into ${tx(name)} (${columns}) overriding system value
    select ${columns} from jsonb_populate_recordset(null::${tx(name)}, ${rows}::text::jsonb)
    ${name === "fixture_definitions" ? tx`on conflict (key, community_id) do nothing` : tx``}`;
  if (name !== "lights") return;
  // Numbers of lights are counted for all communities of the database together: one of them only counts on.
  await tx`
    select nextval(numbers.of) from (select pg_get_serial_sequence('lights', 'id')::regclass as of) as numbers,
      generate_series(coalesce(pg_sequence_last_value(numbers.of), 0) + 1, (select max(id) from lights))`;
}
