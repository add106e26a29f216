import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";

/**
 * A restarted process, an output that was down, an outage of the whole product, or a song that played without sound.
 */
export type FaultKind = "part" | "output" | "outage" | "sound";

export interface FaultRow {
  readonly id: string;
  readonly kind: FaultKind;
  readonly says: string;
  readonly began_at: Date;
  /** Null for a momentary fault, and while it lasts. */
  readonly ended_at: Date | null;
}

/** Retention of faults, days. */
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

/** Opens a fault for each output that is down, unless one is open. */
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

/** Ends the faults of all other outputs: they are up, or were deleted. */
export async function closeOutputFaults(db: Db, down: readonly string[]): Promise<void> {
  await db`
    update night_faults set ended_at = clock_timestamp()
    where kind = 'output' and ended_at is null and thing <> all(${[...down]})`;
}

/** Ends the open faults of outputs and sound: nothing was sent or played after this time. */
export async function endOpenFaults(db: Db, at: Date): Promise<void> {
  await db`
    update night_faults set ended_at = greatest(began_at, ${at})
    where kind in ('output', 'sound') and ended_at is null`;
}

/** Opens the fault of a song that plays without sound, unless it is open. It begins with the song at the earliest. */
export async function noteSoundFault(db: Db, says: string, since: Date): Promise<void> {
  await db`
    insert into night_faults (id, kind, says, began_at)
    select ${newId()}, 'sound', ${says.slice(0, MOST_LETTERS)}, greatest(started_at, ${since}::timestamptz)
    from show_queue where started_at is not null
    on conflict (community_id) where kind = 'sound' and ended_at is null do nothing`;
}

/** Ends the open sound fault: there is sound again, or no song is playing. */
export async function closeSoundFault(db: Db): Promise<void> {
  await db`update night_faults set ended_at = clock_timestamp() where kind = 'sound' and ended_at is null`;
}

/** Deletes the open sound fault: the player was only disconnected and continued to play. */
export async function dropSoundFault(db: Db): Promise<void> {
  await db`delete from night_faults where kind = 'sound' and ended_at is null`;
}

/** Returns faults that began between two times, or lasted into them, by start. @param most maximum number */
export function faultsBetween(db: Db, from: Date, to: Date, most: number): Promise<readonly FaultRow[]> {
  return db<FaultRow[]>`
    select id, kind, says, began_at, ended_at from night_faults
    where began_at <= ${to} and (ended_at >= ${from} or began_at >= ${from} or (ended_at is null and kind in ('output', 'sound')))
    order by began_at, id limit ${most}`;
}

export async function forgetOldFaults(db: Db): Promise<void> {
  await db`delete from night_faults where began_at < now() - make_interval(days => ${KEPT_DAYS})`;
}
