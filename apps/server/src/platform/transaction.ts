import { setTimeout as pause } from "node:timers/promises";
import { CONNECTION_LOST } from "./database-fault.ts";
import type { Sql, Tx } from "./database.ts";
import { lockOf, LOCKS, type LockName } from "./locks.ts";
import { ringOutbox } from "./outbox.ts";

/** PostgreSQL broke a circle of waiting transactions, or could not put two in an order: running one again helps. */
const AGAIN = new Set(["40P01", "40001"]);
const MAX_TRIES = 6;
const LONGEST_PAUSE_MS = 40;

/** What a transaction answers, and what may still be on its way to the database when it commits. */
export interface Work<Answer> {
  readonly answer: Answer;
  readonly last?: Promise<unknown>;
}

/**
 * One transaction, run again when PostgreSQL ended it only for the sake of another.
 *
 * Locks are taken in one order by everybody, so that no two transactions wait for each other: the named advisory
 * locks first, in the order of LOCKS; then rows as ARCHITECTURE lists them; within a table by id.
 *
 * @param work runs once per try: it must do nothing that the end of the transaction does not take back
 */
export function transact<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Answer>,
  locks: readonly LockName[] = [],
): Promise<Answer> {
  return transactWith(sql, async (tx) => ({ answer: await work(tx) }), locks);
}

/** The same for work whose last statement goes to the database together with the commit. */
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

/** Reads of one moment: all of them see what was there at the first, and nothing is changed. */
export function readOneMoment<Answer>(sql: Sql, read: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return transactOnce(sql, async (tx) => ({ answer: await read(tx) }), [], "isolation level repeatable read read only");
}

/**
 * One transaction, run once; `transact` is for changes. A connection that is lost during the commit is an error: the
 * transaction may have been stored.
 * The commit travels with the last statements: each way to the database and back costs about as much as the statement
 * it carries.
 * @param kind as BEGIN takes it
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
        last?.catch(() => {}); // waited for below
        return isOver ? await never() : { answer: done.answer };
      } catch (error) {
        if (isOver || isConnectionLost(error)) return never();
        throw error;
      }
    });
    await last;
    // The driver's type takes an answer that is a list for statements to wait for.
    return (answer as { answer: Answer }).answer;
  } finally {
    isOver = true;
  }
}

/**
 * What the driver waits for when a transaction has lost its connection: the driver has given the transaction up by itself,
 * and would only send a commit or rollback into the closed connection, which ends the process (porsager/postgres 1208).
 */
const never = () => new Promise<never>(() => {});

/**
 * Refuses statements after the end of their transaction: the connection is used by another transaction by then, or is a new
 * one on which the statement would be stored without a transaction.
 */
function whileIts(begun: Tx, isOurs: () => boolean): Tx {
  return new Proxy(begun, {
    apply: (target, _self, args: Parameters<Tx>) => {
      if (!isOurs()) throw new Error("this transaction is over");
      return target(...args);
    },
  });
}

/** Whether a statement failed because its connection was lost; only the driver's errors name their query. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && "query" in error && "code" in error && CONNECTION_LOST.has(error.code);
}
