import type { Db } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";

/** A part that was started again, an output that was down, a time in which everything was away. */
export type FaultKind = "part" | "output" | "outage";

export interface FaultRow {
  readonly id: string;
  readonly kind: FaultKind;
  readonly says: string;
  readonly began_at: Date;
  /** Null for a moment, and while it lasts. */
  readonly ended_at: Date | null;
}

/** Older ones are forgotten. */
const KEPT_DAYS = 400;
const MOST_LETTERS = 300;

export interface NewFault {
  readonly kind: FaultKind;
  readonly says: string;
  readonly at: Date;
  readonly until?: Date | undefined;
}

export async function noteFault(db: Db, { kind, says, at, until }: NewFault): Promise<void> {
  await db`
    insert into night_faults (id, kind, says, began_at, ended_at)
    values (${newId()}, ${kind}, ${says.slice(0, MOST_LETTERS)}, ${at}, ${until ?? null})`;
}

/** Faults that began between two times, or lasted into them, in their order. @param most so many of them */
export function faultsBetween(db: Db, from: Date, to: Date, most: number): Promise<readonly FaultRow[]> {
  return db<FaultRow[]>`
    select id, kind, says, began_at, ended_at from night_faults
    where began_at <= ${to} and coalesce(ended_at, began_at) >= ${from}
    order by began_at, id limit ${most}`;
}

export async function forgetOldFaults(db: Db): Promise<void> {
  await db`delete from night_faults where began_at < now() - make_interval(days => ${KEPT_DAYS})`;
}
