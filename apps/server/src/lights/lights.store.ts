import type { FixtureDefinition, GroupType, Output, Rig } from "@followspot/contract";
import type { Db } from "../platform/database.ts";
import { findMode } from "./fixtures.ts";
import { LOCKS } from "../platform/locks.ts";

export interface LightRow {
  readonly id: number;
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
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Ids of its groups. */
  readonly groups: string[];
}

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

export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly type: GroupType;
  readonly enabled: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** In stage order. */
  readonly light_ids: number[];
}

export interface OutputRow {
  readonly id: string;
  readonly protocol: "artnet" | "sacn";
  readonly host: string;
  /** 0 means the protocol's own. */
  readonly port: number;
  readonly universe: number;
  readonly port_address: number;
  /** Positive sends later. */
  readonly offset_ms: number;
  readonly enabled: boolean;
}

export async function lockPatch(db: Db): Promise<void> {
  await db`select pg_advisory_xact_lock(${LOCKS.patch})`;
}

/** By position, then id; without a position last. */
export async function listLights(db: Db): Promise<readonly LightRow[]> {
  return db<LightRow[]>`${selectLights(db)} order by coalesce(l.position, 999), l.id`;
}

export async function findLight(db: Db, id: number): Promise<LightRow | undefined> {
  const [row] = await db<LightRow[]>`${selectLights(db)} where l.id = ${id}`;
  return row;
}

/** @returns its id */
export async function insertLight(db: Db, fields: LightFields): Promise<number> {
  const [row] = await db<{ id: number }[]>`insert into lights ${db({ ...fields })} returning id`;
  return row!.id; // an insert returns its row
}

export async function updateLight(db: Db, id: number, fields: LightFields): Promise<void> {
  await db`update lights set ${db({ ...fields, updated_at: new Date() })} where id = ${id}`;
}

export async function removeLight(db: Db, id: number): Promise<void> {
  await db`delete from lights where id = ${id}`;
}

export async function setAddresses(db: Db, places: readonly { id: number; address: number }[]): Promise<void> {
  await db`
    update lights set dmx_address = place.address
    from unnest(${places.map((p) => p.id)}::int[], ${places.map((p) => p.address)}::int[]) as place (id, address)
    where lights.id = place.id and lights.dmx_address <> place.address`;
}

/** The first id gets position 1. */
export async function setPositions(db: Db, ids: readonly number[]): Promise<void> {
  await db`
    update lights set position = place.position, updated_at = now()
    from unnest(${[...ids]}::int[]) with ordinality as place (id, position)
    where lights.id = place.id and lights.position is distinct from place.position`;
}

/** @returns those of `ids` that do not exist */
export async function missingLights(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  const rows = await db<{ id: number }[]>`select id from lights where id = any(${[...ids]}::int[])`;
  const found = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !found.has(id));
}

/** @returns the first of `ids` that does not exist */
export async function missingGroup(db: Db, ids: readonly string[]): Promise<string | undefined> {
  const rows = await db<{ id: string }[]>`select id from light_groups where id = any(${[...ids]}::text[])`;
  const found = new Set(rows.map((row) => row.id));
  return ids.find((id) => !found.has(id));
}

/** Leaves groups that are not named, joins new ones at their end. */
export async function setGroupsOfLight(db: Db, lightId: number, groupIds: readonly string[]): Promise<void> {
  await db`delete from light_group_members where light_id = ${lightId} and not group_id = any(${[...groupIds]}::text[])`;
  await db`
    insert into light_group_members (group_id, light_id, place)
    select g, ${lightId}, coalesce((select max(place) from light_group_members m where m.group_id = g), 0) + 1
    from unnest(${[...groupIds]}::text[]) as g
    on conflict do nothing`;
}

export async function listGroups(db: Db): Promise<readonly GroupRow[]> {
  return db<GroupRow[]>`${selectGroups(db)} order by g.name, g.id`;
}

export async function findGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const [row] = await db<GroupRow[]>`${selectGroups(db)} where g.id = ${id}`;
  return row;
}

/** False when the id is taken. */
export async function insertGroup(
  db: Db,
  group: { readonly id: string; readonly name: string; readonly type: GroupType },
): Promise<boolean> {
  const rows = await db`insert into light_groups ${db(group)} on conflict (id) do nothing returning id`;
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

/** False when there is none. */
export async function removeGroup(db: Db, id: string): Promise<boolean> {
  const rows = await db`delete from light_groups where id = ${id} returning id`;
  return rows.length === 1;
}

export async function listOutputRows(db: Db): Promise<readonly OutputRow[]> {
  return db<OutputRow[]>`
    select id, protocol, host, port, universe, port_address, offset_ms, enabled from outputs order by place`;
}

export async function replaceOutputs(db: Db, outputs: readonly OutputRow[]): Promise<void> {
  await db`delete from outputs`;
  for (const [place, output] of outputs.entries()) await db`insert into outputs ${db({ ...output, place })}`;
}

/** The outputs as the stage takes them. */
export async function listOutputs(db: Db): Promise<readonly Output[]> {
  const rows = await listOutputRows(db);
  return rows.map(({ port, port_address, offset_ms, ...output }) => ({
    ...output,
    ...(port !== 0 && { port }),
    portAddress: port_address,
    // The stage counts how far light leads; the contract how much later it is sent.
    offsetMs: 0 - offset_ms,
  }));
}

/** Every patched light whose mode is still known, and the groups, as the stage and the planner take them. */
export async function rigForStage(db: Db, definitions: readonly FixtureDefinition[]): Promise<Rig> {
  const lights = (await listLights(db)).flatMap((light) => {
    const mode = findMode(definitions, light.light_type, light.mode);
    if (!mode || mode.channels.length !== light.channel_count) return [];
    const { id, label, universe, enabled } = light;
    return [{ id, label, universe, address: light.dmx_address, mode, enabled }];
  });
  const patched = new Set(lights.map((light) => light.id));
  const groups = (await listGroups(db)).map(({ id, name, type, enabled, light_ids }) => ({
    id,
    name,
    type,
    enabled,
    lightIds: light_ids.filter((lightId) => patched.has(lightId)),
  }));
  return { lights, groups };
}

function selectLights(db: Db) {
  return db`
    select l.*, array(select group_id from light_group_members m where m.light_id = l.id order by group_id) as groups
    from lights l`;
}

function selectGroups(db: Db) {
  return db`
    select g.*, array(select light_id from light_group_members m where m.group_id = g.id order by place) as light_ids
    from light_groups g`;
}
