import { create } from "@bufbuild/protobuf";
import { ListQuerySchema, type ListQuery } from "@followspot/contract/list";
import type { PendingQuery, Row } from "postgres";
import type { Db } from "./database.ts";
import { invalid } from "./errors.ts";

/** A piece of SQL. */
export type Fragment = PendingQuery<Row[]>;

/** What a list can be sorted by: an expression that is never null, with an index on (expression, id). */
interface Order {
  readonly by: (db: Db) => Fragment;
  /** PostgreSQL type of the expression: page tokens carry it as text. */
  readonly type: "text" | "timestamptz" | "integer" | "double precision";
}

/** What a store says of its list; {@link readPage} and {@link countRows} do the rest. */
export interface ListDefinition {
  /** Those that a row has, by name: what a search is made from would be sent with every row for nothing. */
  readonly columns: (db: Db) => Fragment;
  /** Table and joins, one row per id. Conditions and orders use its names. */
  readonly from: (db: Db) => Fragment;
  /** Unique and never null. */
  readonly id: (db: Db) => Fragment;
  readonly idType: "text" | "integer" | "bigint";
  /** `id` sorts by id alone, which for ULIDs is the time of creation. */
  readonly orders: Readonly<Record<string, Order | "id">>;
  /** Name of an order, with " desc" to turn it round. */
  readonly ownOrder: string;
  readonly filters: Readonly<Record<string, (db: Db) => Fragment>>;
  /** One lower-case text per row, with a trigram index where the table may be large. */
  readonly searched: (db: Db) => Fragment;
  /** The words of a search are looked for one by one, in any order: names of things, not of people. */
  readonly isByWords?: boolean;
  /**
   * For a searched text without an index of its own: what every row that holds the pattern meets, and an index finds.
   * The pattern is one for `like`, lower-case.
   */
  readonly narrowed?: (db: Db, pattern: string) => Fragment;
}

export interface ListPage<Item> {
  readonly rows: readonly Item[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

const PAGE_ROWS = 50;
/** Words of a search that are looked for; who types more finds no less. */
const MOST_WORDS = 8;
/** Rows that a search reads in the list's order before it asks the trigram index. */
const WALK_ROWS = 2000;

/** The keys of a row a page ends with, as its token carries them. */
interface Place {
  readonly list_key: string;
  readonly list_id: string | number | bigint;
}

/**
 * One page of a list by keyset: what it costs does not depend on how many rows come before or behind it.
 *
 * @param scope a condition that holds for every page, such as the event of talks
 * @throws invalid_argument for an order, filter or token that this list does not have
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
   * A text that many rows hold fills the page within the first rows of the list; one that few hold is found by the
   * trigram index. Which it is cannot be known beforehand, and the wrong choice reads the whole table.
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
    // Without three letters in a row the index would be read from end to end.
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
    // 22xxx: a key that is no value of its type; ours always are.
    const { code } = error as { code?: unknown };
    if (query.pageToken !== "" && typeof code === "string" && code.startsWith("22")) throw notOurs();
    throw error;
  }
}

/** Every row of a list in its own order, for the calls the specification has without pages. */
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

/** How many rows each filter of a list keeps, in one look at the table; the filter "" counts all. */
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

/** The page a request asks for, by `list` or by the older flat fields; undefined asks for every row. */
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

/** What the older flat fields get at most in one page. */
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
  if (!order) throw invalid(`order_by: must be one of ${Object.keys(list.orders).join(", ")}, or one with " desc"`);
  return { name: text, order, isDescending: turned !== undefined };
}

/** What a row that is found meets. @param text lower-case */
function holdsText(db: Db, { searched, isByWords }: ListDefinition, text: string): Fragment {
  const parts = isByWords ? text.split(/\s+/).slice(0, MOST_WORDS) : [text];
  const each = parts.map((part, i) => db`${i === 0 ? db`` : db` and `}${searched(db)} like ${likePattern(part)}`);
  return db`(${each})`;
}

/** Matches a lower-case column that holds `text` anywhere, taken as it is. */
function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** Whether a trigram index can look for a text inside of others. */
const hasTrigram = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

/** A type name of {@link ListDefinition}: no caller chooses it. */
const typeName = (db: Db, type: Order["type"] | ListDefinition["idType"]): Fragment => db.unsafe(type);

function tokenOf(order: string, { list_key, list_id }: Place): string {
  return Buffer.from(JSON.stringify([order, list_key, String(list_id)])).toString("base64url");
}

/** @returns key and id of the row a page starts behind */
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
  if (madeFor !== order) throw invalid("page_token: belongs to another order; ask for the first page again");
  return [key ?? "", id ?? ""];
}

const notOurs = () => invalid("page_token: is not a token of this list");
