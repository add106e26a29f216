/** What votes and gold are measured on: a thousand talks, and a thousand people with gold on both sides. */
import type { Sql } from "../../apps/server/src/platform/database/database.ts";

/** People, and talks, that the calls go round. */
export const MEMBERS = 1000;
const GOLD_EACH = 1_000_000;

export const talkIdOf = (n: number): string => `T${String(1 + (n % MEMBERS)).padStart(8, "0")}`;

/**
 * Fills the product's tables through their own guards, and makes the tables a plain server would have for the same:
 * no ledger, no history, no references.
 */
export async function addCommunity(db: Sql): Promise<void> {
  await db`insert into talks (id, title) select 'T' || lpad(i::text, 8, '0'), 'Talk ' || i from generate_series(1, ${MEMBERS}::int) i`;
  const people = db`select 'U' || lpad(i::text, 8, '0') as id from generate_series(1, ${MEMBERS}::int) i`;
  await db`insert into gold_accounts (id, kind, user_id) select id, 'person', id from (${people}) as people`;
  await db`
    insert into gold_transactions (id, kind, amount, from_account, to_account, idempotency_key, created_by)
    select 'G' || id, 'grant', ${GOLD_EACH}::int, 'mint', id, 'bench ' || id, 'bench' from (${people}) as people`;
  await db`create table plain_gold (user_id text primary key, balance bigint not null)`;
  await db`insert into plain_gold select id, ${GOLD_EACH}::int from (${people}) as people`;
  await db`
    create table plain_moves (
      id text primary key, key text not null unique, from_id text not null, to_id text not null, amount bigint not null,
      created_at timestamptz not null default now())`;
  await db`create table plain_votes (talk_id text not null, user_id text not null, primary key (talk_id, user_id))`;
  await db`vacuum analyze`;
}

/** The n-th vote of a round: given to every talk in turn, then taken back from all of them. */
export const isGiven = (n: number): boolean => Math.floor(n / MEMBERS) % 2 === 0;
