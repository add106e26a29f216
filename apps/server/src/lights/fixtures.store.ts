import type { FixtureDefinition } from "@followspot/contract";
import { asJson, type Db } from "../platform/database/database.ts";
import type { ListDefinition } from "../platform/database/lists.ts";
import { FIXTURE_READERS } from "./fixture-readers.ts";

export type StoredFormat = "generic" | "own" | "qlc" | "ofl" | "gdtf";

export interface FixtureRow {
  readonly id: number;
  readonly key: string;
  readonly format: StoredFormat;
  readonly file_name: string;
  readonly definition: FixtureDefinition;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly light_count: number;
}

/** List of definitions, by name for users and by ID for programs. */
export const FIXTURE_LIST: ListDefinition = {
  columns: (db) => db`
    f.id, f.key, f.format, f.file_name, f.definition, f.created_at, f.updated_at,
    (select count(*)::int from lights where light_type = f.key) as light_count`,
  from: (db) => db`fixture_definitions f`,
  id: (db) => db`f.id`,
  idType: "integer",
  orders: { name: { by: (db) => db`lower(f.name)`, type: "text" }, id: "id" },
  ownOrder: "name",
  filters: {
    used: (db) => db`exists (select from lights where light_type = f.key)`,
    imported: (db) => db`f.format in ('qlc', 'ofl', 'gdtf')`,
    own: (db) => db`f.format = 'own'`,
    generic: (db) => db`f.format = 'generic'`,
    // Suggestions of a form before a search.
    suggested: (db) => db`f.format in ('generic', 'own') or exists (select from lights where light_type = f.key)`,
  },
  searched: (db) => db`f.searched`,
  isByWords: true,
};

export interface LightTypeRow {
  readonly key: string;
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly type: string;
}

/** Same list without modes, which are most of a definition. */
export const LIGHT_TYPE_LIST: ListDefinition = {
  ...FIXTURE_LIST,
  columns: (db) => db`
    f.key, f.name, f.definition ->> 'manufacturer' as manufacturer, f.definition ->> 'model' as model,
    f.definition ->> 'type' as type`,
};

/** Returns a list ordered by ID, for calls without pages. */
export const byId = (list: ListDefinition): ListDefinition => ({ ...list, ownOrder: "id" });

export async function findFixture(db: Db, by: { readonly id: number } | { readonly key: string }) {
  const which = "id" in by ? db`f.id = ${by.id}` : db`f.key = ${by.key}`;
  const [row] = await db<FixtureRow[]>`
    select ${FIXTURE_LIST.columns(db)} from ${FIXTURE_LIST.from(db)} where ${which}`;
  return row;
}

/** Returns the existing definitions by key. */
export async function findDefinitions(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FixtureDefinition>> {
  const rows = await db<{ key: string; definition: FixtureDefinition }[]>`
    select key, definition from fixture_definitions where key = any(${[...keys]}::text[])`;
  return new Map(rows.map(({ key, definition }) => [key, definition]));
}

/** Returns the existing definitions whose keys differ from the given compact keys in word separators only, by key. */
export async function findByCompactKeys(db: Db, keys: readonly string[]): Promise<readonly FixtureDefinition[]> {
  const rows = await db<{ definition: FixtureDefinition }[]>`
    select definition from fixture_definitions where replace(key, '-', '') = any(${[...keys]}::text[]) order by key`;
  return rows.map(({ definition }) => definition);
}

export interface FixtureFields {
  readonly format: StoredFormat;
  readonly definition: FixtureDefinition;
  readonly file_name: string;
  /** The original file; null for a definition written here. */
  readonly original: Uint8Array | null;
}

/** Stores a definition under its key, replacing an earlier one. */
export async function putFixture(db: Db, { format, definition, file_name, original }: FixtureFields): Promise<void> {
  await db`
    insert into fixture_definitions (key, format, definition, file_name, original, readers)
    values (${definition.key}, ${format}, ${asJson(db, definition)}, ${file_name}, ${original && Buffer.from(original)},
      ${FIXTURE_READERS})
    on conflict (key, community_id) do update set format = excluded.format, definition = excluded.definition,
      file_name = excluded.file_name, original = excluded.original, readers = excluded.readers, updated_at = now()`;
}

/** A definition with its original file. */
export interface StoredFile {
  readonly id: number;
  readonly file_name: string;
  readonly original: Uint8Array;
  readonly definition: FixtureDefinition;
}

/** Returns definitions that other reader versions parsed from files, by ID. */
export async function findReadByOthers(db: Db, readers: string, limit: number): Promise<readonly StoredFile[]> {
  return db<StoredFile[]>`
    select id, file_name, original, definition from fixture_definitions
    where original is not null and readers <> ${readers} order by id limit ${limit}`;
}

/** Stores a newly parsed definition, unless it was replaced in between. */
export async function putReadAgain(db: Db, id: number, definition: FixtureDefinition, readers: string): Promise<void> {
  await db`
    update fixture_definitions set definition = ${asJson(db, definition)}, readers = ${readers}, updated_at = now()
    where id = ${id} and readers <> ${readers}`;
}

export async function markRead(db: Db, files: readonly StoredFile[], readers: string): Promise<void> {
  await db`update fixture_definitions set readers = ${readers} where id = any(${files.map(({ id }) => id)}::int[])`;
}

export async function removeFixture(db: Db, id: number): Promise<void> {
  await db`delete from fixture_definitions where id = ${id}`;
}

/** A light that is patched with a definition. */
export interface UsingLight {
  readonly id: number;
  readonly label: string;
  readonly mode: string;
  readonly channel_config: string;
  readonly dmx_override: number | null;
}

export async function lightsUsing(db: Db, key: string): Promise<readonly UsingLight[]> {
  return db<UsingLight[]>`
    select id, label, mode, channel_config, dmx_override from lights where light_type = ${key} order by coalesce(position, 999), id`;
}

/** Sets the channel counts of lights; packing assigns their addresses before the transaction ends. */
export async function setChannelCounts(db: Db, counts: readonly { id: number; count: number }[]): Promise<void> {
  await db`
    update lights set channel_count = given.count, dmx_address = coalesce(dmx_override, 1), updated_at = now()
    from unnest(${counts.map(({ id }) => id)}::int[], ${counts.map(({ count }) => count)}::int[]) as given (id, count)
    where lights.id = given.id`;
}
