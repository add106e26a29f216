import type { Row } from "postgres";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/database/ids.ts";
import type { Fragment, ListDefinition } from "../../platform/database/lists.ts";
import type { GoldKind, Move } from "./transaction-request.ts";

export interface AccountRow {
  readonly id: string;
  readonly balance: bigint;
  /** Null once the user was purged. */
  readonly user_id: string | null;
  readonly name: string | null;
  readonly deleted_at: Date | null;
}

export interface TransactionRow {
  readonly id: string;
  readonly kind: GoldKind;
  readonly amount: bigint;
  readonly from_account: string;
  readonly to_account: string;
  readonly from_name: string | null;
  readonly to_name: string | null;
  readonly reason: string;
  readonly refund_of: string | null;
  /** ID of the refund of this transaction. */
  readonly refunded_by: string | null;
  readonly created_at: Date;
}

const columns = (db: Db) => db`
  t.id, t.kind, t.amount, t.from_account, t.to_account, t.reason, t.refund_of, t.created_at,
  giver.name as from_name, getter.name as to_name, refund.id as refunded_by`;

const joins = (db: Db) => db`
  left join users giver on giver.id = t.from_account
  left join users getter on getter.id = t.to_account
  left join gold_transactions refund on refund.refund_of = t.id`;

/** Transactions of one account, newest first, read through its own postings. */
export const transactionsOf = (accountId: string): ListDefinition => ({
  columns,
  from: (db) => db`
    (select transaction_id from gold_postings where account_id = ${accountId}) p
    join gold_transactions t on t.id = p.transaction_id ${joins(db)}`,
  id: (db) => db`p.transaction_id`,
  idType: "text",
  orders: { created_at: "id" },
  ownOrder: "created_at desc",
  filters: {
    grant: (db) => db`t.kind = 'grant'`,
    transfer: (db) => db`t.kind = 'transfer'`,
    spend: (db) => db`t.kind = 'spend'`,
    refund: (db) => db`t.kind = 'refund'`,
  },
  searched: (db) => db`lower(t.reason)`,
});

export async function findTransaction(db: Db, id: string): Promise<TransactionRow | undefined> {
  const [row] = await db<
    TransactionRow[]
  >`select ${columns(db)} from gold_transactions t ${joins(db)} where t.id = ${id}`;
  return row;
}

export async function findByKey(db: Db, key: string): Promise<TransactionRow | undefined> {
  const [row] = await db<TransactionRow[]>`
    select ${columns(db)} from gold_transactions t ${joins(db)} where t.idempotency_key = ${key}`;
  return row;
}

/** Locks accounts until the transaction ends, in order of ID, and returns them with their owners. */
export async function lockAccounts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, AccountRow>> {
  const rows = await db<AccountRow[]>`
    select a.id, a.balance, a.user_id, u.name, u.deleted_at from gold_accounts a left join users u on u.id = a.user_id
    where a.id = any(${ids as string[]}) order by a.id for no key update of a`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Opens accounts for users without one. IDs without a user are ignored. */
export async function openAccounts(db: Db, ids: readonly string[]): Promise<void> {
  await db`
    insert into gold_accounts (id, kind, user_id)
    select id, 'person', id from users where id = any(${ids as string[]}) order by id
    on conflict do nothing`;
}

export interface NewTransaction extends Move {
  readonly reason: string;
  readonly key: string;
  readonly createdBy: string;
}

/**
 * Inserts a transaction; triggers post it and update the balances.
 *
 * @returns undefined if the key is already used
 */
export async function insertTransaction(
  db: Db,
  { kind, from, to, amount, refundOf, reason, key, createdBy }: NewTransaction,
): Promise<{ readonly id: string; readonly created_at: Date } | undefined> {
  const [row] = await db<{ id: string; created_at: Date }[]>`
    insert into gold_transactions
      (id, kind, amount, from_account, to_account, reason, refund_of, idempotency_key, created_by)
    values (${newId()}, ${kind}, ${String(amount)}::bigint, ${from}, ${to}, ${reason}, ${refundOf || null}, ${key}, ${createdBy})
    on conflict (idempotency_key, community_id) do nothing returning id, created_at`;
  return row;
}

export async function balanceOf(db: Db, userId: string): Promise<bigint> {
  const [row] = await db<{ balance: bigint }[]>`select balance from gold_accounts where user_id = ${userId}`;
  return row?.balance ?? 0n;
}

/** Gold that a user has sent themselves. */
export interface SentGold {
  readonly times_in_hour: number;
  readonly pieces_in_day: bigint;
  /** Seconds until the first of them is an hour and a day old. */
  readonly hour_left: number;
  readonly day_left: number;
}

export async function sentBy(db: Db, userId: string): Promise<SentGold> {
  // By the current time: a transaction that began before another one was stored would count more than the whole
  // interval.
  const left = (since: Fragment, age: string) =>
    db`coalesce(ceil(extract(epoch from ${since} + ${age}::interval - clock_timestamp())), 0)::int`;
  const inHour = db`filter (where created_at > now() - interval '1 hour')`;
  const [row] = await db<(SentGold & Row)[]>`
    select count(*) ${inHour}::int as times_in_hour, coalesce(sum(amount), 0)::bigint as pieces_in_day,
      ${left(db`min(created_at) ${inHour}`, "1 hour")} as hour_left, ${left(db`min(created_at)`, "1 day")} as day_left
    from gold_transactions
    where created_by = ${userId} and from_account = ${userId} and kind = 'transfer' and created_at > now() - interval '1 day'`;
  return row!; // sums of nothing are a row too
}

export interface GoldSums {
  readonly total: bigint;
  readonly ownerless: bigint;
  readonly accounts: number;
  readonly transactions: number;
  readonly granted: bigint;
  readonly transferred: bigint;
  readonly spent: bigint;
  readonly refunded: bigint;
}

export async function sumGold(db: Db): Promise<GoldSums> {
  const sumOf = (kind: GoldKind) => db`coalesce(sum(amount) filter (where kind = ${kind}), 0)::bigint`;
  const [row] = await db<(GoldSums & Row)[]>`
    select held.*, moved.* from
      (select coalesce(sum(balance), 0)::bigint as total, count(user_id)::int as accounts,
         coalesce(sum(balance) filter (where user_id is null), 0)::bigint as ownerless
       from gold_accounts where kind = 'person') as held,
      (select count(*)::int as transactions, ${sumOf("grant")} as granted, ${sumOf("transfer")} as transferred,
         ${sumOf("spend")} as spent, ${sumOf("refund")} as refunded
       from gold_transactions) as moved`;
  return row!; // sums of nothing are a row too
}
