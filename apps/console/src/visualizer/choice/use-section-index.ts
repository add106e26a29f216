import { useEffect, useState } from "react";
import type { SongPlayer } from "../player/song-player.ts";
import type { PlannedSection } from "./section-look.ts";

/** Returns the index of the section at a time. The time before the first section belongs to the first section. */
const indexAt = (sections: readonly PlannedSection[], time: number): number =>
  Math.max(
    0,
    sections.findLastIndex(({ start }) => start <= time + 1e-3),
  );

/** Tracks the index of the section at the playhead. */
export function useSectionIndex(sections: readonly PlannedSection[], player: SongPlayer): number {
  const [index, setIndex] = useState(() => indexAt(sections, player.time()));
  useEffect(() => {
    const update = (time: number): void => setIndex(indexAt(sections, time));
    update(player.time());
    return player.onFrame(update);
  }, [sections, player]);
  return index;
}
