import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { SectionEdges } from "./section-edges.tsx";
import type { SongPlayer } from "../player/song-player.ts";
import { TimelineChunk, type TimelineSong } from "./timeline-chunk.tsx";
import {
  centredScroll,
  clampZoom,
  contentWidth,
  cueNear,
  fitZoom,
  intentLabel,
  isOnBlock,
  LANE_HEIGHT,
  laneAt,
  LANES_TOP,
  mountedChunks,
  ROWS,
  scrollFor,
  seekTime,
  timelineHeight,
  timeOf,
  xOf,
  ZOOM,
  type ActiveCue,
} from "./timeline-layout.ts";

export interface TimelineHandle {
  /** In steps of 1.5, around the playhead while it is followed, else around the centre. */
  zoomBy(steps: number): void;
  /** The section at the playhead across the view. */
  fitSection(): void;
}

interface TimelineProps {
  readonly song: TimelineSong;
  readonly player: SongPlayer;
  readonly ref: Ref<TimelineHandle>;
  /** While sections are corrected: an edge was moved. */
  readonly onMoveEdge?: ((at: number, to: number) => void) | undefined;
}

interface View {
  readonly zoom: number;
  readonly first: number;
  readonly last: number;
  readonly viewport: number;
}

const ROW_LABELS = [
  ["energy", ROWS.energy.top],
  ["bands", ROWS.bands.top],
  ["vocals", ROWS.vocals.top],
  ["tempo", ROWS.tempo.top],
] as const;

/** The whole song to scroll through. The clock moves the scroll position; React draws a chunk only when it comes near. */
export function Timeline({ song, player, ref, onMoveEdge }: TimelineProps) {
  const { analysis, lanes } = song;
  const { duration } = analysis;
  const scroller = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  // What the frame loop reads and writes; never drawn from.
  const live = useRef({ scroll: 0, viewport: 1200, zoom: ZOOM.initial as number, isFollowing: true });
  const [view, setView] = useState<View>({ zoom: ZOOM.initial, first: 0, last: 2, viewport: 1200 });
  const [isAway, setAway] = useState(false);
  const [hovered, setHovered] = useState<(ActiveCue & { readonly left: number; readonly top: number }) | undefined>();
  const height = timelineHeight(lanes.length);

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

  useEffect(
    () =>
      player.onFrame((time, sought) => {
        const box = scroller.current;
        const head = playhead.current;
        if (!box || !head) return;
        if (sought && !live.current.isFollowing) follow(true);
        const { zoom, viewport, isFollowing } = live.current;
        if (isFollowing) {
          live.current.scroll = centredScroll(time, zoom, viewport);
          box.scrollLeft = live.current.scroll;
        }
        head.style.transform = `translateX(${xOf(time, zoom) - live.current.scroll}px)`;
        mount();
      }),
    [player, mount, follow],
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
  }, [player, mount]);

  // The new width must be there before the scroll position that belongs to it.
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = live.current.scroll;
    player.redraw();
  }, [view.zoom, player]);

  const zoomTo = useCallback(
    (zoom: number, viewX: number) => {
      const state = live.current;
      const next = clampZoom(zoom);
      if (next === state.zoom) return;
      const anchor = timeOf(state.scroll + viewX, state.zoom);
      state.zoom = next;
      state.scroll = state.isFollowing
        ? centredScroll(player.time(), next, state.viewport)
        : Math.min(scrollFor(anchor, viewX, next), contentWidth(duration, next, state.viewport) - state.viewport);
      mount();
    },
    [duration, mount, player],
  );

  useImperativeHandle(
    ref,
    () => ({
      zoomBy: (steps) => zoomTo(live.current.zoom * ZOOM.factor ** steps, live.current.viewport / 2),
      fitSection: () => {
        const time = player.time();
        const section = analysis.structure.sections.findLast((s) => s.start <= time) ?? { start: 0, end: duration };
        const { viewport } = live.current;
        zoomTo(fitZoom(section.end - section.start, viewport), viewport / 2);
        follow(false);
        live.current.scroll = scrollFor(section.start, viewport * 0.04, live.current.zoom);
        if (scroller.current) scroller.current.scrollLeft = live.current.scroll;
        mount();
        player.redraw();
      },
    }),
    [analysis, duration, follow, mount, player, zoomTo],
  );

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
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
      pending -= Math.max(-1, Math.min(1, pixels / 100));
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
  }, [follow, player, zoomTo]);

  const onScroll = (): void => {
    const box = scroller.current;
    // The browser rounds what we set; a person moves it further.
    if (!box || Math.abs(box.scrollLeft - live.current.scroll) < 2) return;
    live.current.scroll = box.scrollLeft;
    follow(false);
    setHovered(undefined);
    player.redraw();
  };

  const under = (event: React.MouseEvent): { x: number; y: number; hit: ActiveCue | undefined } => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left + live.current.scroll;
    const y = event.clientY - box.top;
    const lane = lanes[laneAt(y, lanes.length) ?? -1];
    const { zoom } = live.current;
    const cue = lane && isOnBlock(y) ? cueNear(lane, timeOf(x, zoom), 3 / zoom) : undefined;
    return { x, y, hit: lane && cue ? { lane, cue } : undefined };
  };

  const onClick = (event: React.MouseEvent): void => {
    const { x, hit } = under(event);
    const time = hit ? hit.cue.time : seekTime(x, live.current.zoom, duration);
    if (time !== undefined) player.seek(time);
  };

  const onPointerMove = (event: React.PointerEvent): void => {
    if (event.pointerType === "touch") return;
    const { hit } = under(event);
    if (hit?.cue === hovered?.cue) return;
    const box = event.currentTarget.getBoundingClientRect();
    const lane = hit ? lanes.indexOf(hit.lane) : 0;
    setHovered(
      hit && {
        ...hit,
        left: Math.min(event.clientX - box.left + 12, box.width - 280),
        top: LANES_TOP + lane * LANE_HEIGHT,
      },
    );
  };

  const chunks: number[] = [];
  for (let index = view.first; index <= view.last; index++) chunks.push(index);

  return (
    <div className="vz-timeline" style={{ height }}>
      <div
        ref={scroller}
        className="vz-scroller"
        role="region"
        aria-label="Timeline"
        tabIndex={0}
        onScroll={onScroll}
        onClick={onClick}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(undefined)}
      >
        <div className="vz-content" style={{ width: contentWidth(duration, view.zoom, view.viewport), height }}>
          {chunks.map((index) => (
            <TimelineChunk key={`${view.zoom}:${index}`} song={song} index={index} zoom={view.zoom} />
          ))}
          {onMoveEdge && <SectionEdges analysis={analysis} zoom={view.zoom} onMove={onMoveEdge} />}
          {analysis.drop_predictions.map((drop) => (
            <button
              key={drop.time}
              type="button"
              className="vz-drop"
              style={{ left: xOf(drop.time, view.zoom), height }}
              onClick={(event) => {
                event.stopPropagation();
                player.seek(drop.time);
              }}
            >
              <span className="vz-drop-label">
                {drop.type.replaceAll("_", " ")} {drop.confidence.toFixed(2)}
                <span className="vz-visually-hidden"> at {clockTime(drop.time)}</span>
              </span>
            </button>
          ))}
        </div>
      </div>
      <div className="vz-row-labels" aria-hidden="true">
        {ROW_LABELS.map(([label, top]) => (
          <span key={label} style={{ top: top - 2 }}>
            {label}
          </span>
        ))}
        {lanes.map((lane, i) => (
          <span key={lane.target} style={{ top: LANES_TOP + i * LANE_HEIGHT }} title={lane.target}>
            {lane.label}
          </span>
        ))}
      </div>
      <div ref={playhead} className="vz-playhead" />
      {hovered && (
        <div className="vz-why" style={{ left: Math.max(4, hovered.left), top: hovered.top }}>
          <strong>
            {hovered.lane.label} · {intentLabel(hovered.cue.intent)}
          </strong>
          <span>
            {clockTime(hovered.cue.time)} · {hovered.cue.duration.toFixed(1)} s · {hovered.cue.section}
          </span>
          {hovered.cue.reason && <em>{hovered.cue.reason}</em>}
        </div>
      )}
      {isAway && (
        <button type="button" className="vz-button vz-return" onClick={() => (follow(true), player.redraw())}>
          Back to playhead
        </button>
      )}
    </div>
  );
}
