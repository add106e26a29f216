import { setTimeout as pause } from "node:timers/promises";
import type { Sql, Tx } from "./database.ts";
import { LOCKS, type LockName } from "./locks.ts";
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
 * locks first, in the order of LOCKS; then rows: user, event, talk, song, job, gold account; within a table by id.
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
      const answer = await tryOnce(sql, work, locks);
      ringOutbox(sql);
      return answer;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (tries === MAX_TRIES || typeof code !== "string" || !AGAIN.has(code)) throw error;
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}

/**
 * Begin and commit travel with the statements beside them: each way to the database and back costs about as much as
 * the statement it carries.
 */
async function tryOnce<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Work<Answer>>,
  locks: readonly LockName[],
): Promise<Answer> {
  const line = await sql.reserve();
  try {
    const begun = line`begin`.execute();
    begun.catch(() => {}); // the statement behind it fails as well, and is waited for
    for (const name of Object.keys(LOCKS) as LockName[]) {
      if (locks.includes(name)) await line`select pg_advisory_xact_lock(${LOCKS[name]})`;
    }
    const { answer, last } = await work(line);
    const [{ command }] = await Promise.all([line`commit`, last]);
    // After a statement that failed PostgreSQL answers a commit with what it did instead.
    if (command !== "COMMIT") throw new Error("the transaction was rolled back: one of its statements had failed");
    return answer;
  } catch (error) {
    await line`rollback`.catch(() => {}); // the line is lost, and the transaction with it
    throw error;
  } finally {
    line.release();
  }
}
