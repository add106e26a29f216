import type { SongAnalysis } from "@followspot/contract";
import { useEffect, useRef, type RefObject } from "react";
import { isElsewhere } from "../lib/key-target.ts";
import { loopWithEdge } from "./player/loop.ts";
import type { SongPlayer } from "./player/song-player.ts";
import { neighbouringBeat } from "./timeline/timeline-layout.ts";
import type { TimelineHandle } from "./timeline/use-timeline-view.ts";

const ARROW_SECONDS = 5;

/** Space, arrows, comma and full stop, brackets and Escape of a loop, plus, minus, F and C, wherever the focus is but in a field. */
export function useShowKeys(
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  { beats, duration }: Pick<SongAnalysis, "beats" | "duration">,
  toggleClick: () => void,
): void {
  const click = useRef(toggleClick);
  useEffect(() => {
    click.current = toggleClick;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isElsewhere(event)) return;
      // Space presses a focused control; that is what it is focused for.
      if (event.key === " " && event.target instanceof Element && event.target.closest("button, a, summary")) return;
      const isClick = event.key.toLowerCase() === "c" && !event.repeat;
      const act = isClick ? click.current : actionOf(event.key, player, timeline, { beats, duration });
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [player, timeline, beats, duration]);
}

function actionOf(
  key: string,
  player: SongPlayer,
  timeline: RefObject<TimelineHandle | null>,
  { beats, duration }: Pick<SongAnalysis, "beats" | "duration">,
): (() => void) | undefined {
  const toBeat = (direction: 1 | -1) => (): void => {
    const beat = neighbouringBeat(beats, player.time(), direction);
    if (beat !== undefined) player.seek(beat);
  };
  const edge = (which: "from" | "to") => (): void =>
    player.setLoop(loopWithEdge(player.state().loop, which, player.time(), duration));
  switch (key) {
    case " ":
      return () => player.toggle();
    case "ArrowLeft":
      return () => player.seek(player.time() - ARROW_SECONDS);
    case "ArrowRight":
      return () => player.seek(player.time() + ARROW_SECONDS);
    case ",":
      return toBeat(-1);
    case ".":
      return toBeat(1);
    case "[":
      return edge("from");
    case "]":
      return edge("to");
    case "Escape":
      return player.state().loop && (() => player.setLoop(undefined));
    case "+":
    case "=":
      return () => timeline.current?.zoomBy(1);
    case "-":
      return () => timeline.current?.zoomBy(-1);
    case "f":
      return () => timeline.current?.fitWhole();
    default:
      return undefined;
  }
}
