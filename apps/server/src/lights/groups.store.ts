import type { GroupType } from "@followspot/contract";
import type { Db } from "../platform/database/database.ts";
import { readAll, type ListDefinition } from "../platform/database/lists.ts";

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly type: GroupType;
  readonly enabled: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** IDs of its lights, in stage order. */
  readonly light_ids: number[];
}

/** List of groups, by name. */
export const GROUP_LIST: ListDefinition = {
  columns: (db) => db`
    g.*, array(select light_id from light_group_members m where m.group_id = g.id order by place) as light_ids`,
  from: (db) => db`light_groups g`,
  id: (db) => db`g.id`,
  idType: "text",
  orders: { name: { by: (db) => db`g.name`, type: "text" } },
  ownOrder: "name",
  filters: { enabled: (db) => db`g.enabled`, disabled: (db) => db`not g.enabled` },
  searched: (db) => db`lower(g.name || ' ' || g.id || ' ' || g.type)`,
};

export const listGroups = (db: Db): Promise<readonly GroupRow[]> => readAll<GroupRow>(db, GROUP_LIST);

export async function findGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const [row] = await db<GroupRow[]>`select ${GROUP_LIST.columns(db)} from ${GROUP_LIST.from(db)} where g.id = ${id}`;
  return row;
}

/** @returns the first of `ids` that does not exist */
export async function missingGroup(db: Db, ids: readonly string[]): Promise<string | undefined> {
  const rows = await db<{ id: string }[]>`select id from light_groups where id = any(${[...ids]}::text[])`;
  const found = new Set(rows.map((row) => row.id));
  return ids.find((id) => !found.has(id));
}

/** Inserts a group. @returns false if the ID is taken */
export async function insertGroup(
  db: Db,
  group: { readonly id: string; readonly name: string; readonly type: GroupType },
): Promise<boolean> {
  const rows = await db`insert into light_groups ${db(group)} on conflict (id, community_id) do nothing returning id`;
  return rows.length === 1;
}

export async function updateGroup(
  db: Db,
  id: string,
  change: { readonly name?: string; readonly type?: GroupType; readonly enabled?: boolean },
): Promise<void> {
  await db`update light_groups set ${db({ ...change, updated_at: new Date() })} where id = ${id}`;
}

export async function setLightsOfGroup(db: Db, groupId: string, lightIds: readonly number[]): Promise<void> {
  await db`delete from light_group_members where group_id = ${groupId}`;
  await db`
    insert into light_group_members (group_id, light_id, place)
    select ${groupId}, light.id, light.place from unnest(${[...lightIds]}::int[]) with ordinality as light (id, place)`;
}

/** Removes a group. @returns false if it does not exist */
export async function removeGroup(db: Db, id: string): Promise<boolean> {
  const rows = await db`delete from light_groups where id = ${id} returning id`;
  return rows.length === 1;
}
