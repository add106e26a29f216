import type { HazeInShows, HeadAim } from "@followspot/contract";
import { asJson, type Db } from "../platform/database/database.ts";
import { readAll, type ListDefinition } from "../platform/database/lists.ts";

export interface LightFields {
  readonly label: string;
  readonly light_type: string;
  readonly mode: string;
  readonly channel_count: number;
  readonly channel_config: string;
  readonly position: number | null;
  readonly enabled: boolean;
  readonly universe: number;
  readonly dmx_override: number | null;
  readonly dmx_address: number;
}

export interface LightRow extends LightFields {
  readonly id: number;
  /** Position in meters; null until a user set it. */
  readonly pose_x: number | null;
  readonly pose_y: number | null;
  /** Mounting; all null: the default of the type. */
  readonly pose_z: number | null;
  readonly hangs: boolean | null;
  readonly turn: number | null;
  readonly lean: number | null;
  /** Use of its haze in shows; "" for none. */
  readonly haze_in_shows: HazeInShows | "";
  /** Null: default aim. */
  readonly aim: HeadAim | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** IDs of its groups. */
  readonly groups: string[];
}

/** Position and mounting of a light. */
export type StoredPose = Pick<LightRow, "pose_x" | "pose_y" | "pose_z" | "hangs" | "turn" | "lean">;

/** List of lights by position, then ID; those without a position last. */
export const LIGHT_LIST: ListDefinition = {
  columns: (db) => db`
    l.*, array(select group_id from light_group_members m where m.light_id = l.id order by group_id) as groups`,
  from: (db) => db`lights l`,
  id: (db) => db`l.id`,
  idType: "integer",
  orders: {
    position: { by: (db) => db`coalesce(l.position, 999)`, type: "integer" },
    label: { by: (db) => db`lower(l.label)`, type: "text" },
    address: { by: (db) => db`l.universe * 512 + l.dmx_address`, type: "integer" },
  },
  ownOrder: "position",
  filters: { enabled: (db) => db`l.enabled`, disabled: (db) => db`not l.enabled` },
  searched: (db) => db`lower(l.label || ' ' || l.light_type || ' ' || l.mode)`,
};

export const listLights = (db: Db): Promise<readonly LightRow[]> => readAll<LightRow>(db, LIGHT_LIST);

export async function findLight(db: Db, id: number): Promise<LightRow | undefined> {
  const [row] = await db<LightRow[]>`select ${LIGHT_LIST.columns(db)} from ${LIGHT_LIST.from(db)} where l.id = ${id}`;
  return row;
}

/** @returns its ID */
export async function insertLight(db: Db, fields: LightFields): Promise<number> {
  const [row] = await db<{ id: number }[]>`insert into lights ${db({ ...fields })} returning id`;
  return row!.id; // an insert returns its row
}

/** @returns their IDs, in the given order */
export async function insertLights(db: Db, lights: readonly LightFields[]): Promise<readonly number[]> {
  const rows = await db<{ id: number }[]>`insert into lights ${db(lights.map((light) => ({ ...light })))} returning id`;
  // IDs rise in insertion order.
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

/** Stores the poses of lights. */
export async function setPoses(db: Db, poses: readonly (StoredPose & { readonly id: number })[]): Promise<void> {
  await db`
    update lights set pose_x = pose.x, pose_y = pose.y, pose_z = pose.z,
      hangs = pose.hangs, turn = pose.turn, lean = pose.lean
    from unnest(
      ${poses.map(({ id }) => id)}::int[],
      ${poses.map(({ pose_x }) => pose_x)}::float8[],
      ${poses.map(({ pose_y }) => pose_y)}::float8[],
      ${poses.map(({ pose_z }) => pose_z)}::float8[],
      ${poses.map(({ hangs }) => (hangs === null ? null : String(hangs)))}::text[]::bool[],
      ${poses.map(({ turn }) => turn)}::float8[],
      ${poses.map(({ lean }) => lean)}::float8[]
    ) as pose (id, x, y, z, hangs, turn, lean)
    where lights.id = pose.id`;
}

export async function updateLight(db: Db, id: number, fields: LightFields): Promise<void> {
  await db`update lights set ${db({ ...fields, updated_at: new Date() })} where id = ${id}`;
}

export async function setAim(db: Db, id: number, aim: HeadAim | null): Promise<void> {
  await db`update lights set aim = ${aim && asJson(db, aim)} where id = ${id}`;
}

export async function setHazeInShows(db: Db, id: number, haze: LightRow["haze_in_shows"]): Promise<void> {
  await db`update lights set haze_in_shows = ${haze} where id = ${id}`;
}

export async function removeLight(db: Db, id: number): Promise<void> {
  await db`delete from lights where id = ${id}`;
}

/** Enables or disables lights. */
export async function setEnabled(db: Db, ids: readonly number[], enabled: boolean): Promise<void> {
  await db`update lights set enabled = ${enabled} where id = any(${[...ids]}::int[])`;
}

/** Marks lights as changed, so that a user who edits an outdated version is rejected. */
export async function touch(db: Db, ids: readonly number[]): Promise<void> {
  await db`update lights set updated_at = ${new Date()} where id = any(${[...ids]}::int[])`;
}

/**
 * Sets the modes of lights; packing assigns their addresses. Own channel orders and haze settings belong to the
 * previous mode and are dropped.
 */
export async function setModes(
  db: Db,
  mode: string,
  counts: readonly { readonly id: number; readonly count: number }[],
): Promise<void> {
  await db`
    update lights set mode = ${mode}, channel_config = '', haze_in_shows = '', channel_count = given.count,
      dmx_address = case when dmx_address + given.count - 1 > 512 then 1 else dmx_address end
    from unnest(${counts.map(({ id }) => id)}::int[], ${counts.map(({ count }) => count)}::int[]) as given (id, count)
    where lights.id = given.id`;
}

export async function removeLights(db: Db, ids: readonly number[]): Promise<void> {
  await db`delete from lights where id = any(${[...ids]}::int[])`;
}

/** Returns the highest ID that a light ever had. */
export async function lastLightId(db: Db): Promise<number> {
  const [row] = await db<{ last: number }[]>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('lights', 'id')::regclass), 0)::int as last`;
  return row!.last; // always one row
}

/** Deleted lights to restore, with their IDs. */
export type FormerLight = LightFields & StoredPose & Pick<LightRow, "id" | "haze_in_shows" | "aim">;

export async function putBack(db: Db, lights: readonly FormerLight[]): Promise<void> {
  for (const { aim, ...fields } of lights) {
    await db`
      insert into lights (${db(Object.keys(fields))}) overriding system value
      values ${db([Object.values(fields) as string[]])}`; // includes numbers, booleans and nulls, which the type omits
    if (aim) await setAim(db, fields.id, aim);
  }
}

export async function leaveGroup(db: Db, groupId: string, lightIds: readonly number[]): Promise<void> {
  await db`
    delete from light_group_members where group_id = ${groupId} and light_id = any(${[...lightIds]}::int[])`;
}

export async function setAddresses(db: Db, places: readonly { id: number; address: number }[]): Promise<void> {
  await db`
    update lights set dmx_address = place.address
    from unnest(${places.map((p) => p.id)}::int[], ${places.map((p) => p.address)}::int[]) as place (id, address)
    where lights.id = place.id and lights.dmx_address <> place.address`;
}

/** Sets positions in order; the first ID gets position 1. */
export async function setPositions(db: Db, ids: readonly number[]): Promise<void> {
  await db`
    update lights set position = place.position, updated_at = now()
    from unnest(${[...ids]}::int[]) with ordinality as place (id, position)
    where lights.id = place.id and lights.position is distinct from place.position`;
}

/** @returns the `ids` that do not exist */
export async function missingLights(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await db<{ id: number }[]>`select id from lights where id = any(${[...ids]}::int[])`;
  const found = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !found.has(id));
}

/** Appends lights to a group, in order. */
export async function joinGroup(db: Db, groupId: string, lightIds: readonly number[]): Promise<void> {
  await db`
    insert into light_group_members (group_id, light_id, place)
    select ${groupId}, light.id,
      coalesce((select max(place) from light_group_members m where m.group_id = ${groupId}), 0) + light.place
    from unnest(${[...lightIds]}::int[]) with ordinality as light (id, place)
    on conflict do nothing`;
}

/** Removes a light from groups that are not listed, and appends it to new ones. */
export async function setGroupsOfLight(db: Db, lightId: number, groupIds: readonly string[]): Promise<void> {
  await db`delete from light_group_members where light_id = ${lightId} and not group_id = any(${[...groupIds]}::text[])`;
  await db`
    insert into light_group_members (group_id, light_id, place)
    select g, ${lightId}, coalesce((select max(place) from light_group_members m where m.group_id = g), 0) + 1
    from unnest(${[...groupIds]}::text[]) as g
    on conflict do nothing`;
}
