import type { RefObject } from "react";
import { useKeys } from "../lib/use-keys.ts";
import type { SongPlayer } from "./player/song-player.ts";
import { SHOW_KEYS } from "./show.keys.ts";
import { neighbouringBeat } from "./timeline/timeline-layout.ts";
import type { TimelineHandle } from "./timeline/use-timeline-view.ts";

const ARROW_SECONDS = 5;
/** Held down, these go on. */
const REPEATS = ["back", "forth", "beatBack", "beatForth", "zoomIn", "zoomOut"] as const;

/** Keys of the show, wherever the focus is but in a field. */
export function useShowKeys(
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  beats: readonly number[],
  toggleClick: () => void,
): void {
  const toBeat = (direction: 1 | -1) => (): void => {
    const beat = neighbouringBeat(beats, player.time(), direction);
    if (beat !== undefined) player.seek(beat);
  };
  useKeys(
    SHOW_KEYS,
    {
      play: () => player.toggle(),
      back: () => player.seek(player.time() - ARROW_SECONDS),
      forth: () => player.seek(player.time() + ARROW_SECONDS),
      beatBack: toBeat(-1),
      beatForth: toBeat(1),
      zoomIn: () => timeline.current?.zoomBy(1),
      zoomOut: () => timeline.current?.zoomBy(-1),
      click: toggleClick,
    },
    { repeats: REPEATS },
  );
}
