import { create, toJson } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { TransactionSchema, type ProcessTransactionRequest, type Transaction } from "@followspot/contract/accounting";
import type { Caller } from "../../platform/caller.ts";
import { change, done, type Done, type Entry } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { alreadyExists, conflict, invalid, notFound } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import * as gold from "./gold.store.ts";
import type { AccountRow, TransactionRow } from "./gold.store.ts";
import {
  isRefund,
  kindOf,
  MINT,
  readRequest,
  type GoldKind,
  type Move,
  type RefundRequest,
} from "./transaction-request.ts";

/** Maximum balance: the largest integer that every client can read from JSON. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER);

const VERBS: Readonly<Record<GoldKind, string>> = {
  grant: "granted",
  transfer: "transferred",
  spend: "spent",
  refund: "refunded",
};

/**
 * Moves gold once per idempotency key. Lock order: users, their accounts by ID, then the mint's account, whose ID sorts
 * last.
 *
 * @throws invalid_argument; not_found for unknown users and transactions; failed_precondition for a deleted user and a
 *   balance out of range; already_exists for a key or a refund that was used before
 */
export async function processTransaction(
  sql: Sql,
  caller: Caller,
  request: ProcessTransactionRequest,
): Promise<Transaction> {
  const wanted = readRequest(request);
  const { reason, idempotencyKey: key } = request;
  try {
    return await change(sql, caller, async (tx) => {
      const first = isRefund(wanted) ? await gold.findTransaction(tx, wanted.refundOf) : undefined;
      const move = isRefund(wanted) ? reversed(wanted, first) : wanted;
      const asked: gold.NewTransaction = { ...move, reason, key, createdBy: caller.userId };
      const accounts = await holdAccounts(tx, asked);
      return onceOfKey(tx, asked, async () => {
        if (first?.refunded_by) throw refundedBefore();
        return bookTransaction(tx, asked, accounts);
      });
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Returns the result of `book`. If it fails and the same request was processed with this key before, returns that
 * response. The lookup runs under the lock, so that a concurrent duplicate is seen.
 */
export async function onceOfKey(
  tx: Tx,
  asked: gold.NewTransaction,
  book: () => Promise<Done<Transaction>>,
): Promise<Done<Transaction>> {
  try {
    return await book();
  } catch (refusal) {
    if (!(refusal instanceof ConnectError)) throw refusal;
    const known = await gold.findByKey(tx, asked.key);
    if (!known) throw refusal;
    return done(sameOr(known, asked));
  }
}

/** Locks the accounts of the users in a move until the transaction ends, and opens missing ones. */
export async function holdAccounts(tx: Tx, { from, to }: Move): Promise<ReadonlyMap<string, AccountRow>> {
  const people = [from, to].filter((id) => id !== MINT).toSorted();
  const accounts = await gold.lockAccounts(tx, people);
  if (accounts.size === people.length) return accounts;
  await gold.openAccounts(tx, people);
  return gold.lockAccounts(tx, people);
}

/** Moves the gold. @throws failed_precondition, not_found, already_exists */
export async function bookTransaction(
  tx: Tx,
  asked: gold.NewTransaction,
  accounts: ReadonlyMap<string, AccountRow>,
): Promise<Done<Transaction>> {
  const after = balancesAfter(asked, accounts);
  const booked = await gold.insertTransaction(tx, asked);
  if (!booked) throw keyTaken();
  const nameOf = (id: string) => accounts.get(id)?.name ?? null;
  const transaction = toTransaction({
    ...asked,
    ...booked,
    from_account: asked.from,
    to_account: asked.to,
    from_name: nameOf(asked.from),
    to_name: nameOf(asked.to),
    refund_of: asked.refundOf || null,
    refunded_by: null,
  });
  return done(transaction, ...entriesOf(transaction, asked.kind, after));
}

/** Entries for all users with an account in the transaction, each with their new balance. */
function entriesOf(transaction: Transaction, kind: GoldKind, after: ReadonlyMap<string, bigint>): Entry[] {
  const told = { noun: "gold_transaction", id: transaction.id, verb: VERBS[kind] };
  const json = toJson(TransactionSchema, transaction);
  const { amount, fromUserId, toUserId, refundOf } = transaction;
  const ofPeople = [...after].map(([id, balance]) => ({
    ...told,
    payload: { transaction: json, balance: String(balance) },
    topics: [`user.${id}`],
    isMembersOwn: true,
  }));
  const written = {
    kind,
    amount: Number(amount),
    ...(fromUserId && { from_user_id: fromUserId }),
    ...(toUserId && { to_user_id: toUserId }),
    ...(refundOf && { refund_of: refundOf }),
  };
  return [{ ...told, after: written, payload: { transaction: json } }, ...ofPeople];
}

/** Returns the move of a refund: the opposite of the first transaction. */
function reversed({ refundOf, amount }: RefundRequest, first: TransactionRow | undefined): Move {
  if (!first) throw notFound("Transaction", refundOf);
  if (first.kind === "refund") throw invalid("refundOf: a refund cannot be refunded; make the transaction again");
  if (amount !== 0n && amount !== first.amount) {
    throw invalid(`amount: a refund takes the whole ${first.amount} back; leave it out`);
  }
  return { kind: "refund", from: first.to_account, to: first.from_account, amount: first.amount, refundOf: first.id };
}

/** Returns the balances after a move. @throws if a user cannot send or receive it, naming the request field */
function balancesAfter({ kind, from, to, amount }: Move, accounts: ReadonlyMap<string, AccountRow>) {
  const after = new Map<string, bigint>();
  const isRefund = kind === "refund";
  const amountField = isRefund ? "refundOf" : "amount";
  for (const [id, moved, field] of [[from, -amount, "fromUserId"] as const, [to, amount, "toUserId"] as const]) {
    if (id === MINT) continue;
    const { user_id, name, deleted_at, balance } = accounts.get(id) ?? {};
    if (!user_id || balance === undefined) throw notFound("User", id);
    if (deleted_at) {
      throw conflict(`${isRefund ? "refundOf" : field}: ${name} is deleted. Restore this person before gold is moved.`);
    }
    const next = balance + moved;
    if (next < 0n) throw conflict(`${amountField}: ${name} has ${balance} gold, which is less than ${amount}`);
    if (next > MOST) {
      throw conflict(`${amountField}: ${name} has ${balance} gold; ${amount} more would pass the limit of ${MOST}`);
    }
    after.set(id, next);
  }
  return after;
}

/** Returns the first response of the key. @throws already_exists if that was for another request */
function sameOr(known: TransactionRow, { kind, from, to, amount, refundOf, reason }: gold.NewTransaction): Transaction {
  const isSame =
    known.kind === kind &&
    known.from_account === from &&
    known.to_account === to &&
    known.amount === amount &&
    (known.refund_of ?? "") === refundOf &&
    known.reason === reason;
  if (!isSame) throw keyTaken();
  return toTransaction(known);
}

export function toTransaction(row: TransactionRow): Transaction {
  return create(TransactionSchema, {
    id: row.id,
    kind: kindOf(row.kind),
    fromUserId: row.from_account === MINT ? "" : row.from_account,
    toUserId: row.to_account === MINT ? "" : row.to_account,
    fromName: row.from_name ?? "",
    toName: row.to_name ?? "",
    amount: row.amount,
    reason: row.reason,
    refundOf: row.refund_of ?? "",
    refundedBy: row.refunded_by ?? "",
    createdAt: timestampOf(row.created_at),
  });
}

/**
 * Maps violated constraints to errors, in case a request gets past the earlier checks; returns other errors unchanged.
 */
export function refusalOf(error: unknown): unknown {
  switch ((error as { constraint_name?: unknown }).constraint_name) {
    case "gold_refunded_once":
      return refundedBefore();
    case "gold_balance_in_range":
      return conflict("There would be more gold than can be counted");
    case "gold_accounts_user_id_fkey":
      return conflict("This person was purged meanwhile");
    default:
      return error;
  }
}

const keyTaken = () => alreadyExists("idempotencyKey: stands for another transaction; make a new key for a new one");
const refundedBefore = () => alreadyExists("refundOf: this transaction was refunded before");
