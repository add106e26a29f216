import { DEFAULT_HARMONY, type Harmony } from "@followspot/lighting";
import type { Db, Tx } from "../platform/database.ts";

/** In place of the id of a palette: the planner's own colours, or those of the harmony. */
export const AUTOMATIC = "automatic";
export const HARMONY = "harmony";

/** Which colours a song's show is lit in. */
export interface PaletteChoice {
  readonly harmony: Harmony;
  /** Id of a palette of the library, {@link HARMONY} or {@link AUTOMATIC}. */
  readonly selected: string;
  /** #rrggbb: what the planner is given; empty when it chooses itself. */
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
