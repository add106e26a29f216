import { showWishesSchema, type ShowWishes } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";

/** A stored plan: its inputs, requester and properties. Its cues are in a file. */
export interface RevisionRow {
  readonly number: number;
  readonly made_at: Date;
  /** ID of the user who requested it; null if it followed the analysis. */
  readonly made_by: string | null;
  readonly wishes: ShowWishes;
  readonly wishes_revision: number;
  /** ID of the chosen palette. */
  readonly palette_choice: string;
  /** Colors of the show as #rrggbb, base color first. */
  readonly palette: readonly string[];
  readonly scheme: string;
  readonly seed: number;
  readonly remark: string;
  readonly corrections_revision: number;
  /** Differences from the previous plan, in words. */
  readonly changed: readonly string[];
}

/** Number of plans stored per song. */
const KEPT = 20;

export async function findRevision(db: Db, songId: string, number: number): Promise<RevisionRow | undefined> {
  const [row] = await db<RevisionRow[]>`
    select * from plan_revisions where (song_id, number) = (${songId}, ${number})`;
  return row && { ...row, seed: Number(row.seed), wishes: showWishesSchema.parse(row.wishes) };
}

/** Returns the revisions, newest first, with the name of each requester. */
export function listRevisions(
  db: Db,
  songId: string,
): Promise<(Omit<RevisionRow, "wishes" | "seed"> & { readonly made_by_name: string | null })[]> {
  return db`
    select number, made_at, made_by, wishes_revision, palette_choice, palette, scheme, remark, corrections_revision,
      changed, users.name as made_by_name
    from plan_revisions left join users on users.id = made_by
    where song_id = ${songId} order by number desc`;
}

export async function keptNumbers(db: Db, songId: string): Promise<readonly number[]> {
  const rows = await db<{ number: number }[]>`
    select number from plan_revisions where song_id = ${songId} order by number`;
  return rows.map(({ number }) => number);
}

/** Stores a plan as the newest of its song and deletes the oldest. Callers hold the song's lock. */
export async function insertRevision(tx: Tx, songId: string, row: Omit<RevisionRow, "made_at">): Promise<void> {
  await tx`
    insert into plan_revisions ${tx({
      ...row,
      song_id: songId,
      wishes: asJson(tx, row.wishes),
      palette: [...row.palette],
      changed: [...row.changed],
    })}`;
  await tx`
    delete from plan_revisions where song_id = ${songId} and number not in (
      select number from plan_revisions where song_id = ${songId} order by number desc limit ${KEPT})`;
}

/**
 * Counts the start of a plan. Callers hold the song's lock.
 * @returns number of the plan, unique per song
 */
export async function beginPlan(tx: Tx, songId: string): Promise<number> {
  const [row] = await tx<{ plans_begun: number }[]>`
    update songs set plans_begun = plans_begun + 1 where id = ${songId} returning plans_begun`;
  return row!.plans_begun; // the caller holds the lock, so the song exists
}
