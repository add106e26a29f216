import type { Db } from "../../platform/database/database.ts";
import type { ListDefinition } from "../../platform/database/lists.ts";

/** A member with their gold. */
export interface PlayerRow {
  readonly id: string;
  readonly name: string;
  readonly points: number;
}

/** Rows of the leaderboard that are readable from the back of a hall. */
const LEADERS = 8;
/** Points have 32 bits in the contract, gold has 64. */
const MOST_POINTS = 2_147_483_647;

/** List of players, by name, without script accounts and deleted members. */
export const PLAYER_LIST: ListDefinition = {
  columns: (db) => db`u.id, u.name, least(coalesce(a.balance, 0), ${MOST_POINTS})::int as points`,
  from: (db) => db`users u left join gold_accounts a on a.user_id = u.id and a.kind = 'person'`,
  id: (db) => db`u.id`,
  idType: "text",
  orders: { name: { by: (db) => db`lower(u.name)`, type: "text" }, id: "id" },
  ownOrder: "name",
  filters: {},
  // Searches the name only, not addresses.
  searched: (db) => db`lower(u.name)`,
  // This column contains the name among other things, and has an index.
  narrowed: (db, pattern) => db`u.searched like ${pattern}`,
};

export const players = (db: Db) => db`u.deleted_at is null and not u.is_script`;

/** Locks a player against deletion until the transaction ends; undefined if there is none. */
export async function holdPlayer(db: Db, id: string): Promise<PlayerRow | undefined> {
  const held = await db`select 1 from users u where u.id = ${id} and ${players(db)} for share`;
  return held.length === 0 ? undefined : findPlayer(db, id);
}

export async function findPlayer(db: Db, id: string): Promise<PlayerRow | undefined> {
  const [row] = await db<PlayerRow[]>`
    select ${PLAYER_LIST.columns(db)} from ${PLAYER_LIST.from(db)} where u.id = ${id} and ${players(db)}`;
  return row;
}

/** Returns the players with the most gold, without those who have none. */
export async function readLeaders(db: Db): Promise<readonly PlayerRow[]> {
  return db<PlayerRow[]>`
    select u.id, u.name, least(a.balance, ${MOST_POINTS})::int as points
    from gold_accounts a join users u on u.id = a.user_id
    where a.kind = 'person' and a.balance > 0 and ${players(db)}
    order by a.balance desc, a.id limit ${LEADERS}`;
}
