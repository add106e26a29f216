import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type Ref,
  type RefObject,
} from "react";
import type { Seconds } from "@followspot/contract";
import type { SongPlayer } from "../player/song-player.ts";
import {
  clampZoom,
  contentWidth,
  fitZoom,
  followScroll,
  mountedChunks,
  scrollFor,
  TIMELINE_OFFSET,
  timeOf,
  wholeZoom,
  xOf,
  ZOOM,
} from "./timeline-layout.ts";

export interface TimelineHandle {
  /** Zooms in steps of factor 1.5, around the playhead while it is followed, otherwise around the center. */
  zoomBy(steps: number): void;
  /** Fits a range of the song into the view, within the limits of the zoom. */
  fit(from: Seconds, to: Seconds): void;
  /** Fits the whole song into the view, even below the usual minimum zoom. */
  fitWhole(): void;
}

/** View state that the frame loop reads and writes; changes do not render. */
export interface LiveView {
  scroll: number;
  viewport: number;
  zoom: number;
  isFollowing: boolean;
}

/** Rendered state: changes only with the zoom, the size, or the mounted chunks. */
export interface DrawnView {
  readonly zoom: number;
  readonly first: number;
  readonly last: number;
  readonly viewport: number;
}

export interface TimelineView {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly playhead: RefObject<HTMLDivElement | null>;
  readonly live: RefObject<LiveView>;
  readonly view: DrawnView;
  /** Whether the user scrolled away from the playhead. */
  readonly isAway: boolean;
  readonly follow: (isFollowing: boolean) => void;
  /** Adopts the user's scroll position; returns false if the browser only rounded the position that was set. */
  readonly takeScroll: () => boolean;
  /** Zooms and keeps the time at `viewX`, a pixel of the view, in place. */
  readonly zoomTo: (zoom: number, viewX: number) => void;
}

/** Maximum rounding of the scroll position by the browser, pixels. */
const ROUNDING = 2;
const FIRST_WIDTH = 1200;

/** Manages scroll position and zoom of the timeline, controlled by the clock, by buttons and by the user. */
export function useTimelineView(
  player: SongPlayer,
  duration: Seconds,
  handle: Ref<TimelineHandle>,
  onZoom: (zoom: number) => void,
): TimelineView {
  const scroller = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const live = useRef<LiveView>({ scroll: 0, viewport: FIRST_WIDTH, zoom: ZOOM.initial, isFollowing: true });
  const [view, setView] = useState<DrawnView>({ zoom: ZOOM.initial, first: 0, last: 2, viewport: FIRST_WIDTH });
  const [isAway, setAway] = useState(false);

  const follow = useCallback((isFollowing: boolean) => {
    live.current.isFollowing = isFollowing;
    setAway(!isFollowing);
  }, []);

  const mount = useCallback(() => {
    const { scroll, viewport, zoom } = live.current;
    const [first, last] = mountedChunks(scroll, viewport, contentWidth(duration, zoom, viewport));
    setView((old) => {
      const isSame = old.zoom === zoom && old.first === first && old.last === last && old.viewport === viewport;
      return isSame ? old : { zoom, first, last, viewport };
    });
  }, [duration]);

  const takeScroll = useCallback(() => {
    const box = scroller.current;
    if (!box || Math.abs(box.scrollLeft - live.current.scroll) < ROUNDING) return false;
    live.current.scroll = box.scrollLeft;
    follow(false);
    player.redraw();
    return true;
  }, [follow, player]);

  const setZoom = useCallback(
    (next: number, viewX: number) => {
      const state = live.current;
      if (next === state.zoom) return;
      const anchor = timeOf(state.scroll + viewX, state.zoom);
      state.zoom = next;
      state.scroll = state.isFollowing
        ? followScroll(player.time(), duration, next, state.viewport)
        : Math.min(scrollFor(anchor, viewX, next), contentWidth(duration, next, state.viewport) - state.viewport);
      mount();
      onZoom(next);
    },
    [duration, mount, onZoom, player],
  );
  const zoomTo = useCallback(
    (zoom: number, viewX: number) => {
      // A fitted song may be below the minimum zoom; from there, steps can only zoom in.
      const isSmallest = live.current.zoom <= ZOOM.least && zoom < live.current.zoom;
      if (!isSmallest) setZoom(clampZoom(zoom), viewX);
    },
    [setZoom],
  );

  useImperativeHandle(
    handle,
    () => ({
      zoomBy: (steps) => zoomTo(live.current.zoom * ZOOM.factor ** steps, live.current.viewport / 2),
      fit: (from, to) => {
        const { viewport } = live.current;
        zoomTo(fitZoom(to - from, viewport), viewport / 2);
        follow(false);
        live.current.scroll = scrollFor(from, TIMELINE_OFFSET, live.current.zoom);
        if (scroller.current) scroller.current.scrollLeft = live.current.scroll;
        mount();
        player.redraw();
      },
      fitWhole: () => {
        const { viewport } = live.current;
        follow(true);
        setZoom(wholeZoom(duration, viewport), 0);
        player.redraw();
      },
    }),
    [duration, follow, mount, player, setZoom, zoomTo],
  );

  useFrames(player, duration, { scroller, playhead, live, follow, mount });
  useViewport(player, scroller, live, mount);

  // The new width must be rendered before the scroll position that belongs to it is set.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = live.current.scroll;
    player.redraw();
  }, [view.zoom, player]);

  return { scroller, playhead, live, view, isAway, follow, takeScroll, zoomTo };
}

/** Moves the scroll position and the playhead with the clock. */
function useFrames(
  player: SongPlayer,
  duration: Seconds,
  {
    scroller,
    playhead,
    live,
    follow,
    mount,
  }: Pick<TimelineView, "scroller" | "playhead" | "live" | "follow"> & { readonly mount: () => void },
): void {
  useEffect(
    () =>
      player.onFrame((time, sought) => {
        const box = scroller.current;
        const head = playhead.current;
        if (!box || !head) return;
        if (sought && !live.current.isFollowing) follow(true);
        const { zoom, viewport, isFollowing } = live.current;
        if (isFollowing) {
          live.current.scroll = followScroll(time, duration, zoom, viewport);
          box.scrollLeft = live.current.scroll;
        }
        head.style.transform = `translateX(${xOf(time, zoom) - live.current.scroll}px)`;
        mount();
      }),
    [player, duration, mount, follow, scroller, playhead, live],
  );

  // Starting playback scrolls the playhead back into view.
  useEffect(() => {
    let wasPlaying = player.state().isPlaying;
    return player.onState(() => {
      const { isPlaying } = player.state();
      if (isPlaying && !wasPlaying) follow(true);
      wasPlaying = isPlaying;
    });
  }, [player, follow]);
}

function useViewport(
  player: SongPlayer,
  scroller: RefObject<HTMLDivElement | null>,
  live: RefObject<LiveView>,
  mount: () => void,
): void {
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      live.current.viewport = box.clientWidth;
      mount();
      player.redraw();
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [player, mount, scroller, live]);
}
