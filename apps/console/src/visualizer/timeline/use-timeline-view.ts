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
  /** In steps of 1.5, around the playhead while it is followed, else around the centre. */
  zoomBy(steps: number): void;
  /** A stretch of the song across the view, as far as the zoom goes. */
  fit(from: Seconds, to: Seconds): void;
  /** All of the song, also where that takes less than the zoom otherwise goes down to. */
  fitWhole(): void;
}

/** What the frame loop reads and writes; never drawn from. */
export interface LiveView {
  scroll: number;
  viewport: number;
  zoom: number;
  isFollowing: boolean;
}

/** What is drawn: changes only with the zoom, the size, or another pair of chunks. */
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
  /** A person scrolled away from the playhead. */
  readonly isAway: boolean;
  readonly follow: (isFollowing: boolean) => void;
  /** Takes over where a person has scrolled to; false when the browser only rounded what was set. */
  readonly takeScroll: () => boolean;
  /** Keeps the time under `viewX`, a pixel of the view, where it is. */
  readonly zoomTo: (zoom: number, viewX: number) => void;
}

/** The browser rounds what is set by less than this, in pixels. */
const ROUNDING = 2;
const FIRST_WIDTH = 1200;

/** Scroll position and zoom of the timeline, moved by the clock, by buttons and by hand. */
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
      // A whole song may be seen smaller than steps go; from there steps only go up.
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

  // The new width must be there before the scroll position that belongs to it.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = live.current.scroll;
    player.redraw();
  }, [view.zoom, player]);

  return { scroller, playhead, live, view, isAway, follow, takeScroll, zoomTo };
}

/** The clock moves the scroll position and the playhead. */
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

  // Playing brings the playhead back into view.
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
