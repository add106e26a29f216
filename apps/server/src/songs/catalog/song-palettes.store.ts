import { DEFAULT_HARMONY, type Harmony } from "@followspot/lighting";
import type { Db, Tx } from "../../platform/database/database.ts";

/** Values in place of a palette ID: colors chosen by the planner, or colors of the harmony. */
export const AUTOMATIC = "automatic";
export const HARMONY = "harmony";

/** Choice of the colors for a song's show. */
export interface PaletteChoice {
  readonly harmony: Harmony;
  /** ID of a palette in the library, {@link HARMONY} or {@link AUTOMATIC}. */
  readonly selected: string;
  /** Colors for the planner as #rrggbb; empty if it chooses them. */
  readonly colors: readonly string[];
}

export async function findPaletteChoice(db: Db, songId: string): Promise<PaletteChoice> {
  const [row] = await db<PaletteChoice[]>`
    select harmony, selected, colors from song_palettes where song_id = ${songId}`;
  return row ?? { harmony: DEFAULT_HARMONY, selected: AUTOMATIC, colors: [] };
}

export async function storePaletteChoice(tx: Tx, songId: string, choice: PaletteChoice): Promise<void> {
  const { harmony, selected, colors } = choice;
  await tx`
    insert into song_palettes (song_id, harmony, selected, colors)
    values (${songId}, ${harmony}, ${selected}, ${[...colors]})
    on conflict (song_id, community_id) do update
    set harmony = excluded.harmony, selected = excluded.selected, colors = excluded.colors, updated_at = now()`;
}
