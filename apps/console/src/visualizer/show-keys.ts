import type { SongAnalysis } from "@followspot/contract";
import { useSyncExternalStore, type RefObject } from "react";
import { useKeys } from "../lib/use-keys.ts";
import { loopWithEdge } from "./player/loop.ts";
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
  { beats, duration }: Pick<SongAnalysis, "beats" | "duration">,
  toggleClick: () => void,
): void {
  const hasLoop = useSyncExternalStore(player.onState, () => player.state().loop !== undefined);
  const toBeat = (direction: 1 | -1) => (): void => {
    const beat = neighbouringBeat(beats, player.time(), direction);
    if (beat !== undefined) player.seek(beat);
  };
  const edge = (which: "from" | "to") => (): void =>
    player.setLoop(loopWithEdge(player.state().loop, which, player.time(), duration));
  useKeys(
    SHOW_KEYS,
    {
      play: () => player.toggle(),
      back: () => player.seek(player.time() - ARROW_SECONDS),
      forth: () => player.seek(player.time() + ARROW_SECONDS),
      beatBack: toBeat(-1),
      beatForth: toBeat(1),
      loopFrom: edge("from"),
      loopTo: edge("to"),
      loopEnd: hasLoop ? () => player.setLoop(undefined) : undefined,
      zoomIn: () => timeline.current?.zoomBy(1),
      zoomOut: () => timeline.current?.zoomBy(-1),
      fit: () => timeline.current?.fitWhole(),
      click: toggleClick,
    },
    { repeats: REPEATS },
  );
}
