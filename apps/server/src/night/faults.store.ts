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

/** Outputs that are down: each once, until it is up again. */
export async function noteOutputFaults(
  db: Db,
  faults: readonly { readonly thing: string; readonly says: string }[],
): Promise<void> {
  if (faults.length === 0) return;
  await db`
    insert into night_faults (id, kind, thing, says)
    select id, 'output', thing, says from unnest(
      ${faults.map(() => newId())}::text[],
      ${faults.map(({ thing }) => thing)}::text[],
      ${faults.map(({ says }) => says.slice(0, MOST_LETTERS))}::text[]
    ) as fault (id, thing, says)
    on conflict (thing, community_id) where kind = 'output' and ended_at is null do nothing`;
}

/** All outputs but these are up, or not there any more. */
export async function closeOutputFaults(db: Db, down: readonly string[]): Promise<void> {
  await db`
    update night_faults set ended_at = clock_timestamp()
    where kind = 'output' and ended_at is null and thing <> all(${[...down]})`;
}

/** Nothing was sent to any output from then on: what was down is not known to be. */
export async function endOutputFaults(db: Db, at: Date): Promise<void> {
  await db`
    update night_faults set ended_at = greatest(began_at, ${at})
    where kind = 'output' and ended_at is null`;
}

/** Faults that began between two times, or lasted into them, in their order. @param most so many of them */
export function faultsBetween(db: Db, from: Date, to: Date, most: number): Promise<readonly FaultRow[]> {
  return db<FaultRow[]>`
    select id, kind, says, began_at, ended_at from night_faults
    where began_at <= ${to} and (ended_at >= ${from} or began_at >= ${from} or (ended_at is null and kind = 'output'))
    order by began_at, id limit ${most}`;
}

export async function forgetOldFaults(db: Db): Promise<void> {
  await db`delete from night_faults where began_at < now() - make_interval(days => ${KEPT_DAYS})`;
}
