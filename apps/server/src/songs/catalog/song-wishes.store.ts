import { NO_WISHES, showWishesSchema, type ShowWishes } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";

/** Stored show settings of a song. */
export interface StoredWishes {
  readonly wishes: ShowWishes;
  /** Rises by one with every change; 0 before the first. */
  readonly revision: number;
  /** Changes since the last plan, in words. */
  readonly said: readonly string[];
  /** Null before the first change. */
  readonly updatedAt: Date | null;
}

const NONE: StoredWishes = { wishes: NO_WISHES, revision: 0, said: [], updatedAt: null };

export async function findWishes(db: Db, songId: string): Promise<StoredWishes> {
  const [row] = await db<{ wishes: unknown; revision: number; said: string[]; updated_at: Date }[]>`
    select wishes, revision, said, updated_at from song_wishes where song_id = ${songId}`;
  if (!row) return NONE;
  const { revision, said, updated_at } = row;
  return { wishes: showWishesSchema.parse(row.wishes), revision, said, updatedAt: updated_at };
}

/**
 * Stores show settings. Callers hold the song's lock.
 * @returns the new revision
 */
export async function storeWishes(
  tx: Tx,
  songId: string,
  wishes: ShowWishes,
  said: readonly string[],
): Promise<number> {
  const [row] = await tx<{ revision: number }[]>`
    insert into song_wishes (song_id, revision, wishes, said)
    values (${songId}, 1, ${asJson(tx, wishes)}, ${[...said]})
    on conflict (song_id, community_id) do update
    set revision = song_wishes.revision + 1, wishes = excluded.wishes, said = excluded.said, updated_at = now()
    returning revision`;
  return row!.revision; // the statement always returns one row
}
