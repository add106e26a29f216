import { songCorrectionsSchema, type SongCorrections } from "@followspot/contract";
import { asJson, type Db, type Tx } from "../../platform/database/database.ts";

/** Stored corrections of a song. The revision rises by one with every save. */
export interface StoredCorrections {
  readonly corrections: SongCorrections;
  readonly revision: number;
  readonly updatedAt: Date;
}

export async function findCorrections(db: Db, songId: string): Promise<StoredCorrections | undefined> {
  const [row] = await db<{ corrections: unknown; revision: number; updated_at: Date }[]>`
    select corrections, revision, updated_at from song_corrections where song_id = ${songId}`;
  if (!row) return undefined;
  const corrections = songCorrectionsSchema.parse(row.corrections);
  return { corrections, revision: row.revision, updatedAt: row.updated_at };
}

export async function storeCorrections(
  tx: Tx,
  songId: string,
  corrections: SongCorrections,
  revision: number,
): Promise<void> {
  await tx`
    insert into song_corrections (song_id, revision, corrections)
    values (${songId}, ${revision}, ${asJson(tx, corrections)})
    on conflict (song_id, community_id) do update
    set revision = excluded.revision, corrections = excluded.corrections, updated_at = now()`;
}
