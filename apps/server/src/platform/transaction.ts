import { setTimeout as pause } from "node:timers/promises";
import type { Sql, Tx } from "./database.ts";
import { LOCKS, type LockName } from "./locks.ts";
import { ringOutbox } from "./outbox.ts";

/** PostgreSQL broke a circle of waiting transactions, or could not put two in an order: running one again helps. */
const AGAIN = new Set(["40P01", "40001"]);
const MAX_TRIES = 6;
const LONGEST_PAUSE_MS = 40;

/**
 * One transaction, run again when PostgreSQL ended it only for the sake of another.
 *
 * Locks are taken in one order by everybody, so that no two transactions wait for each other: the named advisory
 * locks first, in the order of LOCKS; then rows: user, event, talk, song, job; within a table by id.
 *
 * @param work runs once per try: it must do nothing that the end of the transaction does not take back
 */
export async function transact<Answer>(
  sql: Sql,
  work: (tx: Tx) => Promise<Answer>,
  locks: readonly LockName[] = [],
): Promise<Answer> {
  const inOrder = (Object.keys(LOCKS) as LockName[]).filter((name) => locks.includes(name));
  for (let tries = 1; ; tries++) {
    try {
      // The driver's type unwraps promises; an answer is never one.
      const answer = (await sql.begin(async (tx) => {
        for (const name of inOrder) await tx`select pg_advisory_xact_lock(${LOCKS[name]})`;
        return work(tx);
      })) as Answer;
      ringOutbox(sql);
      return answer;
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (tries === MAX_TRIES || typeof code !== "string" || !AGAIN.has(code)) throw error;
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  }
}
