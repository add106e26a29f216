import { create } from "@bufbuild/protobuf";
import { ListQuerySchema, type ListQuery } from "@followspot/contract/list";
import type { PendingQuery, Row } from "postgres";
import type { Db } from "./database.ts";
import { invalid } from "../errors.ts";

/** A fragment of SQL. */
export type Fragment = PendingQuery<Row[]>;

/** A sort order of a list: an expression that is never null, with an index on (expression, id). */
interface Order {
  readonly by: (db: Db) => Fragment;
  /** PostgreSQL type of the expression; page tokens contain its value as text. */
  readonly type: "text" | "timestamptz" | "integer" | "double precision";
}

/** A store's definition of its list, used by {@link readPage} and {@link countRows}. */
export interface ListDefinition {
  /** Columns of a row, by name, without those that exist only for searching. */
  readonly columns: (db: Db) => Fragment;
  /** Table and joins, with one row per ID. Conditions and orders use its names. */
  readonly from: (db: Db) => Fragment;
  /** Unique and never null. */
  readonly id: (db: Db) => Fragment;
  readonly idType: "text" | "integer" | "bigint";
  /** Orders by name; `id` sorts by ID alone, which for ULIDs is the time of creation. */
  readonly orders: Readonly<Record<string, Order | "id">>;
  /** Name of the default order, with " desc" to reverse it. */
  readonly ownOrder: string;
  readonly filters: Readonly<Record<string, (db: Db) => Fragment>>;
  /** One lower-case text per row, with a trigram index if the table may be large. */
  readonly searched: (db: Db) => Fragment;
  /** Whether the words of a search match separately, in any order: for names of things, not of people. */
  readonly isByWords?: boolean;
  /**
   * For a searched text without an index: a condition that is true for every row with the pattern and is supported by
   * an index. The pattern is a lower-case one for `like`.
   */
  readonly narrowed?: (db: Db, pattern: string) => Fragment;
}

export interface ListPage<Item> {
  readonly rows: readonly Item[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

const PAGE_ROWS = 50;
/** Most words of a search that are used; further words are ignored. */
const MOST_WORDS = 8;
/** Rows that a search scans in list order before it uses the trigram index. */
const WALK_ROWS = 2000;

/** Keys of the last row of a page, as stored in the page token. */
interface Place {
  readonly list_key: string;
  readonly list_id: string | number | bigint;
}

/**
 * Reads one page of a list by keyset pagination, at a cost independent of the number of rows before and after.
 *
 * @param scope condition for every page, such as the event of talks
 * @throws invalid_argument for an order, filter or token that the list does not have
 */
export async function readPage<Item extends Row>(
  db: Db,
  list: ListDefinition,
  query: ListQuery,
  scope: Fragment = db`true`,
): Promise<ListPage<Item>> {
  const { name, order, isDescending } = parseOrder(list, query.orderBy || list.ownOrder);
  const size = query.pageSize ?? PAGE_ROWS;
  const id = list.id(db);
  const key = order === "id" ? undefined : order.by(db);
  const place = db`${key ? db`(${key})::text` : db`''`} as list_key, ${id} as list_id`;
  const direction = isDescending ? db`desc` : db`asc`;
  const sorted = key ? db`order by ${key} ${direction}, ${id} ${direction}` : db`order by ${id} ${direction}`;
  const kept = db`${filterOf(db, list, query.filter)} and ${scope} and ${isAfterToken()}`;
  const text = query.query.trim().toLowerCase();

  const rows = await (text === "" ? readRows(kept, size + 1) : search()).catch(refuseForgedToken);
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { rows: page, nextPageToken: rows.length > size && last ? tokenOf(name, last) : "" };

  function readRows(condition: Fragment, limit: number): Promise<(Item & Place)[]> {
    return db<(Item & Place)[]>`
      select ${list.columns(db)}, ${place} from ${list.from(db)} where ${condition} ${sorted} limit ${limit}`.execute();
  }

  /**
   * Searches the first rows of the list, then the trigram index. A common text fills the page early in list order; a
   * rare one is found by the index. Which case applies is unknown in advance, and the wrong choice reads the whole
   * table.
   */
  async function search(): Promise<(Item & Place)[]> {
    const holds = holdsText(db, list, text);
    const walked = await db<{ list_id: Place["list_id"]; holds: boolean }[]>`
      select ${id} as list_id, ${holds} as holds from ${list.from(db)} where ${kept} ${sorted} limit ${WALK_ROWS}`;
    const hits = walked.filter((row) => row.holds).slice(0, size + 1);
    if (hits.length > size || walked.length < WALK_ROWS) {
      const ids = hits.map((row) => String(row.list_id));
      return readRows(db`${id} = any(${ids}::text[]::${typeName(db, list.idType)}[])`, size + 1);
    }
    // Without three consecutive letters, the index would be read in full.
    const findable = hasTrigram(text)
      ? db`${holds} and ${list.narrowed?.(db, likePattern(text)) ?? db`true`}`
      : holdsText(db, { ...list, searched: () => db`(${list.searched(db)} || '')` }, text);
    return db<(Item & Place)[]>`
      with hits as materialized (select ${id} as hit from ${list.from(db)} where ${findable})
      select ${list.columns(db)}, ${place} from ${list.from(db)} join hits on hits.hit = ${id}
      where ${kept} ${sorted} limit ${size + 1}`;
  }

  function isAfterToken(): Fragment {
    if (query.pageToken === "") return db`true`;
    const [lastKey, lastId] = parseToken(query.pageToken, name);
    const beyond = isDescending ? db`<` : db`>`;
    const idValue = db`${lastId}::text::${typeName(db, list.idType)}`;
    if (!key || order === "id") return db`${id} ${beyond} ${idValue}`;
    return db`(${key}, ${id}) ${beyond} (${lastKey}::text::${typeName(db, order.type)}, ${idValue})`;
  }

  function refuseForgedToken(error: unknown): never {
    // 22xxx: the key is not a value of its type, which never happens with our own tokens.
    const { code } = error as { code?: unknown };
    if (query.pageToken !== "" && typeof code === "string" && code.startsWith("22")) throw notOurs();
    throw error;
  }
}

/** Reads all rows of a list in its default order, for calls that the specification defines without pages. */
export async function readAll<Item extends Row>(
  db: Db,
  list: ListDefinition,
  scope: Fragment = db`true`,
): Promise<readonly Item[]> {
  const { order, isDescending } = parseOrder(list, list.ownOrder);
  const id = list.id(db);
  const direction = isDescending ? db`desc` : db`asc`;
  const sorted = order === "id" ? db`${id} ${direction}` : db`${order.by(db)} ${direction}, ${id} ${direction}`;
  return db<Item[]>`select ${list.columns(db)} from ${list.from(db)} where ${scope} order by ${sorted}`;
}

/** Counts the rows of each filter in one query; the filter "" counts all. */
export async function countRows(
  db: Db,
  list: ListDefinition,
  query: string,
  scope: Fragment = db`true`,
): Promise<{ filter: string; count: number }[]> {
  const names = ["", ...Object.keys(list.filters)];
  const text = query.trim().toLowerCase();
  const matching = text === "" ? db`true` : holdsText(db, list, text);
  const counts = names.map(
    (name, i) => db`${i === 0 ? db`` : db`,`} count(*) filter (where ${filterOf(db, list, name)})`,
  );
  const [row] = await db<{ counts: number[] }[]>`
    select array[${counts}]::int[] as counts from ${list.from(db)} where ${matching} and ${scope}`;
  return names.map((filter, i) => ({ filter, count: row?.counts[i] ?? 0 }));
}

/** Returns the requested page, from `list` or from the older flat fields; undefined requests all rows. */
export function listQueryOf(request: {
  readonly list?: ListQuery | undefined;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly query?: string;
  readonly filter?: string;
}): ListQuery | undefined {
  const { list, pageSize = 0, pageToken = "", query = "", filter = "" } = request;
  if (list) return list;
  if (pageSize === 0 && pageToken === "" && query.trim() === "" && filter === "") return undefined;
  return create(ListQuerySchema, { pageSize: pageSize || MAX_OLD_ROWS, pageToken, query, filter });
}

/** Page size for requests with the older flat fields. */
const MAX_OLD_ROWS = 500;

function filterOf(db: Db, list: ListDefinition, name: string): Fragment {
  if (name === "") return db`true`;
  const filter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
  if (!filter) throw invalid(`filter: must be one of ${Object.keys(list.filters).join(", ")}`);
  return db`(${filter(db)})`;
}

function parseOrder(list: ListDefinition, text: string) {
  const [, name = "", turned] = /^(\w+)( desc)?$/.exec(text) ?? [];
  const order = Object.hasOwn(list.orders, name) ? list.orders[name] : undefined;
  if (!order) throw invalid(`orderBy: must be one of ${Object.keys(list.orders).join(", ")}, or one with " desc"`);
  return { name: text, order, isDescending: turned !== undefined };
}

/** Returns the condition that a row must match in a search. @param text lower-case */
function holdsText(db: Db, { searched, isByWords }: ListDefinition, text: string): Fragment {
  const parts = isByWords ? text.split(/\s+/).slice(0, MOST_WORDS) : [text];
  const each = parts.map((part, i) => db`${i === 0 ? db`` : db` and `}${searched(db)} like ${likePattern(part)}`);
  return db`(${each})`;
}

/** Returns a pattern that matches a lower-case column containing `text` literally. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Whether a trigram index supports a search for the text. */
const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

/** Returns a type name of {@link ListDefinition} as SQL; it never comes from a caller. */
const typeName = (db: Db, type: Order["type"] | ListDefinition["idType"]): Fragment => db.unsafe(type);

function tokenOf(order: string, { list_key, list_id }: Place): string {
  return Buffer.from(JSON.stringify([order, list_key, String(list_id)])).toString("base64url");
}

/** @returns key and ID of the row before the page */
function parseToken(token: string, order: string): readonly [string, string] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw notOurs();
  }
  const isText = (part: unknown): part is string =>
    typeof part === "string" && !part.includes("\0") && part.isWellFormed();
  if (!Array.isArray(parsed) || parsed.length !== 3 || !parsed.every(isText)) throw notOurs();
  const [madeFor, key, id] = parsed;
  if (madeFor !== order) throw invalid("pageToken: belongs to another order; ask for the first page again");
  return [key ?? "", id ?? ""];
}

const notOurs = () => invalid("pageToken: is not a token of this list");
