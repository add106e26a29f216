import type { Sql } from "../platform/database/database.ts";
import { every } from "../platform/every.ts";
import { noteFault } from "./faults.store.ts";

const BEAT_MS = 1000;
/** Maximum number of faults that wait for the database. */
const MOST_WAITING = 100;

/**
 * Stores every second that the product runs, and faults of its processes. Runs in the supervisor, so that a crash of a
 * single process is no outage. The commit is asynchronous: a power failure costs half a second more.
 */
export function keepHeartbeat(sql: Sql, warn: (line: string) => void) {
  const waiting: { readonly says: string; readonly at: Date }[] = [];
  const beat = async () => {
    await sql`
      with hurried as materialized (select set_config('synchronous_commit', 'off', true))
      update heartbeat set beat_at = clock_timestamp() from hurried`;
    for (let [fault] = waiting; fault; [fault] = waiting) {
      await noteFault(sql, { kind: "part", ...fault });
      waiting.shift();
    }
  };
  const end = every(BEAT_MS, "writing down that everything runs", beat, warn);
  return {
    /** Records that a process was restarted or had to be killed. */
    note: (says: string): void => void (waiting.length < MOST_WAITING && waiting.push({ says, at: new Date() })),
    end,
  };
}

/**
 * Returns the last heartbeat and the current time, both by the clock of the database; undefined before the first
 * heartbeat.
 */
export async function readHeartbeat(db: Sql): Promise<{ readonly at: Date; readonly now: Date } | undefined> {
  const [row] = await db<
    { beat_at: Date | null; now: Date }[]
  >`select beat_at, clock_timestamp() as now from heartbeat`;
  return row?.beat_at ? { at: row.beat_at, now: row.now } : undefined;
}
