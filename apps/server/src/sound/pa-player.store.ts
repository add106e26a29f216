import type { Db } from "../platform/database.ts";

/** The player at the PA: the one row. */
export interface PaPlayerRow {
  /** Of its link; null while there is none. */
  readonly seed: Buffer | null;
  /** 0..1 */
  readonly volume: number;
  readonly is_muted: boolean;
  /** Songs are made as loud as this, LUFS; null leaves each as it is. */
  readonly level: number | null;
  /** The page that is heard; "" until one has been opened. */
  readonly heard_page: string;
  readonly heard_name: string;
  /** The page in whose place the sound output is heard; "" for none. */
  readonly displaced_page: string;
}

export async function readPaPlayer(db: Db): Promise<PaPlayerRow> {
  const [row] = await db<PaPlayerRow[]>`
    select seed, volume, is_muted, level, heard_page, heard_name, displaced_page from pa_player`;
  return row!; // the migration made the row, and nothing deletes it
}

/** Held until the transaction ends. */
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
