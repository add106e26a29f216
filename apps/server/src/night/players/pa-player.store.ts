import type { Db } from "../../platform/database/database.ts";

/** The only row of the table: settings and the active player of the PA. */
export interface PaPlayerRow {
  /** Seed of the link; null while there is none. */
  readonly seed: Buffer | null;
  /** 0..1 */
  readonly volume: number;
  readonly is_muted: boolean;
  /** Target loudness of all songs, LUFS; null plays each as recorded. */
  readonly level: number | null;
  /** The active page; "" until one has been opened. */
  readonly heard_page: string;
  readonly heard_name: string;
  /** The page that the sound output replaced as the active one; "" for none. */
  readonly displaced_page: string;
}

export async function readPaPlayer(db: Db): Promise<PaPlayerRow> {
  const [row] = await db<PaPlayerRow[]>`
    select seed, volume, is_muted, level, heard_page, heard_name, displaced_page from pa_player`;
  return row!; // created by the migration, never deleted
}

/** Reads and locks the row until the transaction ends. */
export async function lockPaPlayer(db: Db): Promise<PaPlayerRow> {
  const [row] = await db<PaPlayerRow[]>`
    select seed, volume, is_muted, level, heard_page, heard_name, displaced_page from pa_player for update`;
  return row!; // as above
}

export async function storePaPlayer(db: Db, next: PaPlayerRow): Promise<void> {
  const { seed, volume, is_muted, level, heard_page, heard_name, displaced_page } = next;
  await db`
    update pa_player set seed = ${seed}, volume = ${volume}, is_muted = ${is_muted}, level = ${level},
      heard_page = ${heard_page}, heard_name = ${heard_name}, displaced_page = ${displaced_page}`;
}
