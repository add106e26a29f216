import type { Db } from "../platform/database.ts";
import type { ListDefinition } from "../platform/lists.ts";

/** A person of the community with their gold. */
export interface PlayerRow {
  readonly id: string;
  readonly name: string;
  readonly points: number;
}

/** As many as can be read from the back of a hall. */
const LEADERS = 8;
/** The contract counts points in 32 bits, gold in 64. */
const MOST_POINTS = 2_147_483_647;

/** Players by name. Scripts play no games; who was deleted plays no more. */
export const PLAYER_LIST: ListDefinition = {
  columns: (db) => db`u.id, u.name, least(coalesce(a.balance, 0), ${MOST_POINTS})::int as points`,
  from: (db) => db`users u left join gold_accounts a on a.user_id = u.id and a.kind = 'person'`,
  id: (db) => db`u.id`,
  idType: "text",
  orders: { name: { by: (db) => db`lower(u.name)`, type: "text" }, id: "id" },
  ownOrder: "name",
  filters: {},
  // The name alone: directors do not look for addresses.
  searched: (db) => db`lower(u.name)`,
  // It holds the name, among other things, and has an index.
  narrowed: (db, pattern) => db`u.searched like ${pattern}`,
};

export const players = (db: Db) => db`u.deleted_at is null and not u.is_script`;

/** A player, held against being deleted until the transaction ends; undefined when there is none. */
export async function holdPlayer(db: Db, id: string): Promise<PlayerRow | undefined> {
  const held = await db`select 1 from users u where u.id = ${id} and ${players(db)} for share`;
  return held.length === 0 ? undefined : findPlayer(db, id);
}

export async function findPlayer(db: Db, id: string): Promise<PlayerRow | undefined> {
  const [row] = await db<PlayerRow[]>`
    select ${PLAYER_LIST.columns(db)} from ${PLAYER_LIST.from(db)} where u.id = ${id} and ${players(db)}`;
  return row;
}

/** Who has most, of those who have anything. */
export async function readLeaders(db: Db): Promise<readonly PlayerRow[]> {
  return db<PlayerRow[]>`
    select u.id, u.name, least(a.balance, ${MOST_POINTS})::int as points
    from gold_accounts a join users u on u.id = a.user_id
    where a.kind = 'person' and a.balance > 0 and ${players(db)}
    order by a.balance desc, a.id limit ${LEADERS}`;
}
