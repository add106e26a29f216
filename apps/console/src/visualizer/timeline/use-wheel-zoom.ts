import { useEffect } from "react";
import type { SongPlayer } from "../player/song-player.ts";
import { ZOOM } from "./timeline-layout.ts";
import type { TimelineView } from "./use-timeline-view.ts";

const LINE_PIXELS = 40;
/** Wheel movement per zoom step, pixels. */
const STEP_PIXELS = 100;

/** Zooms with the wheel at the pointer. Horizontal movement, or the wheel with Shift, scrolls. */
export function useWheelZoom(player: SongPlayer, { scroller, live, follow, zoomTo }: TimelineView): void {
  // React attaches passive wheel listeners; this one must prevent scrolling.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let pending = 0;
    let viewX = 0;
    let frame = 0;
    const onWheel = (event: WheelEvent): void => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return; // horizontal: scroll
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PIXELS;
      pending -= Math.max(-1, Math.min(1, pixels / STEP_PIXELS));
      viewX = event.clientX - box.getBoundingClientRect().left;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        // During playback the playhead stays in place; otherwise the time under the pointer does.
        if (!player.state().isPlaying) follow(false);
        zoomTo(live.current.zoom * ZOOM.factor ** pending, viewX);
        pending = 0;
      });
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      box.removeEventListener("wheel", onWheel);
      cancelAnimationFrame(frame);
    };
  }, [follow, live, player, scroller, zoomTo]);
}
