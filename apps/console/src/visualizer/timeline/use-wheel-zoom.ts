import { useEffect } from "react";
import type { SongPlayer } from "../player/song-player.ts";
import { ZOOM } from "./timeline-layout.ts";
import type { TimelineView } from "./use-timeline-view.ts";

const LINE_PIXELS = 40;
/** Pixels of the wheel that make one step of the zoom. */
const STEP_PIXELS = 100;

/** The wheel zooms at the pointer; sideways, or with Shift, it scrolls. */
export function useWheelZoom(player: SongPlayer, { scroller, live, follow, zoomTo }: TimelineView): void {
  // React attaches wheel listeners passively; this one must keep the page still.
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let pending = 0;
    let viewX = 0;
    let frame = 0;
    const onWheel = (event: WheelEvent): void => {
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return; // sideways: scroll
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PIXELS;
      pending -= Math.max(-1, Math.min(1, pixels / STEP_PIXELS));
      viewX = event.clientX - box.getBoundingClientRect().left;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        // While the song plays the playhead stays where it is; otherwise the time under the pointer does.
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
