import { setTimeout as pause } from "node:timers/promises";
import { CONNECTION_LOST } from "./database-fault.ts";
import type { Sql, Tx } from "./database.ts";
import { lockOf, LOCKS, type LockName } from "./locks.ts";
import { ringOutbox } from "./outbox.ts";

/** Error codes after which a retry helps: PostgreSQL resolved a deadlock or found a serialization conflict. */
const AGAIN = new Set(["40P01", "40001"]);
const MAX_TRIES = 6;
const LONGEST_PAUSE_MS = 40;

/** Result of a transaction's work, and a last statement that may be pending at the commit. */
export interface Work<Answer> {
  readonly answer: Answer;
  readonly last?: Promise<unknown>;
}

/**
 * Runs a transaction, and retries it after a deadlock or serialization conflict.
 *
 * All transactions take locks in one order to prevent deadlocks: the named advisory locks first, in the order of LOCKS;
 * then rows as ARCHITECTURE lists them; within a table by ID.
 *
 * @param work runs once per attempt: it must have no effects that a rollback does not undo
 */
export function transact<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Answer>,
  locks: readonly LockName[] = [],
): Promise<Answer> {
  return transactWith(sql, async (tx) => ({ answer: await work(tx) }), locks);
}

/** Same as {@link transact}, for work whose last statement is sent together with the commit. */
export async function transactWith<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Work<Answer>>,
  locks: readonly LockName[],
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await transactOnce(sql, work, locks);
      ringOutbox(sql);
      return answer;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (tries === MAX_TRIES || typeof code !== "string" || !AGAIN.has(code)) throw error;
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

/** Runs reads in one read-only repeatable-read snapshot. */
export function readOneMoment<Answer>(sql: Sql, read: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return transactOnce(sql, async (tx) => ({ answer: await read(tx) }), [], "isolation level repeatable read read only");
}

/**
 * Runs a transaction once; use `transact` for changes. A connection that is lost during the commit is an error: the
 * transaction may have been stored. The commit is sent together with the last statements, because each round trip costs
 * about as much as a statement.
 * @param kind transaction mode for BEGIN
 */
export async function transactOnce<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Work<Answer>>,
  locks: readonly LockName[] = [],
  kind = "",
): Promise<Answer> {
  let isOver = false;
  let last: Promise<unknown> | undefined;
  try {
    const answer = await sql.begin(kind, async (begun) => {
      const tx = whileIts(begun, () => !isOver);
      try {
        for (const name of Object.keys(LOCKS) as LockName[]) {
          if (locks.includes(name)) await tx`select pg_advisory_xact_lock(${lockOf(tx, name)})`;
        }
        const done = await work(tx);
        last = done.last;
        last?.catch(() => {}); // awaited below
        return isOver ? await never() : { answer: done.answer };
      } catch (error) {
        if (isOver || isConnectionLost(error)) return never();
        throw error;
      }
    });
    await last;
    // The driver's type treats a returned list as statements to await.
    return (answer as { answer: Answer }).answer;
  } finally {
    isOver = true;
  }
}

/**
 * Returned to the driver after a transaction has lost its connection. The driver has already abandoned the transaction,
 * and would only send a commit or rollback into the closed connection, which ends the process (porsager/postgres 1208).
 */
const never = () => new Promise<never>(() => {});

/**
 * Rejects statements after the end of their transaction. By then another transaction uses the connection, or it is a
 * new one that would store the statement outside a transaction.
 */
function whileIts(begun: Tx, isOurs: () => boolean): Tx {
  return new Proxy(begun, {
    apply: (target, _self, args: Parameters<Tx>) => {
      if (!isOurs()) throw new Error("this transaction is over");
      return target(...args);
    },
  });
}

/** Whether a statement failed because its connection was lost; only the driver's errors have a query. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && "query" in error && "code" in error && CONNECTION_LOST.has(error.code);
}
