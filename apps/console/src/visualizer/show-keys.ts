import type { Seconds, SongAnalysis } from "@followspot/contract";
import { useSyncExternalStore, type RefObject } from "react";
import { useKeys } from "../lib/use-keys.ts";
import { loopWithEdge } from "./player/loop.ts";
import type { SongPlayer } from "./player/song-player.ts";
import { showToast } from "../ui/toast.tsx";
import { SHOW_KEYS } from "./show.keys.ts";
import { neighbouringTime } from "./timeline/timeline-layout.ts";
import { visualizerStrings } from "./visualizer.strings.ts";
import type { TimelineHandle } from "./timeline/use-timeline-view.ts";

const ARROW_SECONDS = 5;
/** Actions that repeat while their key is held. */
const REPEATS = ["back", "forth", "beatBack", "beatForth", "zoomIn", "zoomOut"] as const;

/** Registers the keyboard shortcuts of the visualizer. They work everywhere except in text fields. */
export function useShowKeys(
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  analysis: Pick<SongAnalysis, "beats" | "drop_predictions" | "duration">,
  toggleClick: () => void,
  /** Opens the cue search; undefined while there are no cues. */
  find: (() => void) | undefined,
): void {
  const hasLoop = useSyncExternalStore(player.onState, () => player.state().loop !== undefined);
  const { beats, duration } = analysis;
  const drops = analysis.drop_predictions.map(({ time }) => time).toSorted((a, b) => a - b);
  const to = (times: readonly Seconds[], direction: 1 | -1) => (): void => {
    const time = neighbouringTime(times, player.time(), direction);
    if (time !== undefined) player.seek(time);
  };
  const toDrop = (direction: 1 | -1) =>
    drops.length > 0 ? to(drops, direction) : () => showToast(visualizerStrings.noDrops);
  const edge = (which: "from" | "to") => (): void =>
    player.setLoop(loopWithEdge(player.state().loop, which, player.time(), duration));
  useKeys(
    SHOW_KEYS,
    {
      play: () => player.toggle(),
      back: () => player.seek(player.time() - ARROW_SECONDS),
      forth: () => player.seek(player.time() + ARROW_SECONDS),
      beatBack: to(beats, -1),
      beatForth: to(beats, 1),
      drop: toDrop(1),
      dropBack: toDrop(-1),
      find,
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
