import { useSyncExternalStore } from "react";
import { clockTime } from "../../lib/formatting.ts";
import type { Loop } from "../player/loop.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { ROWS, xOf } from "./timeline-layout.ts";

const text = visualizerStrings.timeline;

interface LoopMarkProps {
  readonly player: SongPlayer;
  /** Loop that the user is drawing; undefined otherwise. */
  readonly drawn: Loop | undefined;
  readonly zoom: number;
  readonly height: number;
}

/** Marks the loop: a bar on the ruler, and a light area below it. */
export function LoopMark({ player, drawn, zoom, height }: LoopMarkProps) {
  const state = useSyncExternalStore(player.onState, player.state);
  const loop = drawn ?? state.loop;
  if (!loop) return null;
  return (
    <div
      className="vz-loop"
      aria-hidden="true"
      style={{ left: xOf(loop.from, zoom), width: (loop.to - loop.from) * zoom, top: ROWS.bars.top, height }}
    >
      <span>{text.loopOf(clockTime(loop.from), clockTime(loop.to))}</span>
    </div>
  );
}
