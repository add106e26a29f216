import { useState, type MouseEvent, type PointerEvent, type Ref } from "react";
import { clockTime } from "../../lib/formatting.ts";
import type { SongPlayer } from "../player/song-player.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import type { DrawnFade } from "../choice/fades.ts";
import { loopBetween } from "../player/loop.ts";
import { LoopMark } from "./loop-mark.tsx";
import { FadeMark } from "./fade-mark.tsx";
import { useDrag, type Drag } from "./use-drag.ts";
import { CueReason, type HoveredCue } from "./cue-reason.tsx";
import { SectionEdges } from "./section-edges.tsx";
import { TimelineChunk, type TimelineSong } from "./timeline-chunk.tsx";
import {
  BLOCK,
  contentWidth,
  cueNear,
  isOnBlock,
  isOnRuler,
  isOnSections,
  LANE_HEIGHT,
  laneAt,
  levelAt,
  LANES_TOP,
  ROWS,
  seekTime,
  snapToBeat,
  timelineHeight,
  timeOf,
  xOf,
  type ActiveCue,
  type TimelineLane,
} from "./timeline-layout.ts";
import { useTimelineView, type TimelineHandle } from "./use-timeline-view.ts";
import { useWheelZoom } from "./use-wheel-zoom.ts";
import { cx } from "../../ui/class-names.ts";
import { buttonLook } from "../look.ts";
import "./timeline.css";

const text = visualizerStrings.timeline;

interface TimelineProps {
  readonly song: TimelineSong;
  readonly player: SongPlayer;
  readonly ref: Ref<TimelineHandle>;
  /** Called with the zoom in pixels per second after each change. */
  readonly onZoom: (zoom: number) => void;
  /** Called when a section edge was moved; defined while sections are corrected. */
  readonly onMoveEdge?: ((at: number, to: number) => void) | undefined;
  /** Selected cue; defined while the Show panel is open. `onChoose` is called on a click on another cue. */
  readonly chosen?: { readonly target: string; readonly time: number } | undefined;
  readonly onChoose?: ((cue: { readonly target: string; readonly time: number }) => void) | undefined;
  /** Called when a fade was drawn on a lane; defined while fades are drawn. */
  readonly onDrawFade?: ((fade: DrawnFade) => void) | undefined;
}

/**
 * Scrollable timeline of the whole song. The clock moves the scroll position; React renders a chunk only when it comes
 * near.
 */
export function Timeline({ song, player, ref, onZoom, onMoveEdge, chosen, onChoose, onDrawFade }: TimelineProps) {
  const { analysis, lanes } = song;
  const { duration } = analysis;
  const timeline = useTimelineView(player, duration, ref, onZoom);
  const { scroller, playhead, live, view, isAway, follow } = timeline;
  useWheelZoom(player, timeline);
  const [hovered, setHovered] = useState<HoveredCue>();
  const height = timelineHeight(lanes.length);

  const stretchOf = ({ from, to }: Drag) => {
    const [a, b] = [from, to].map(({ x }) => snapToBeat(analysis.beats, timeOf(x, view.zoom), view.zoom));
    return loopBetween(a!, b!, duration);
  };
  const dragging = useDrag(
    live,
    ({ y }) => isOnRuler(y) || (onDrawFade !== undefined && laneAt(y, lanes.length) !== undefined),
    (drag) => {
      const stretch = stretchOf(drag);
      const lane = lanes[laneAt(drag.from.y, lanes.length) ?? -1];
      if (!stretch) return;
      if (!lane) return player.setLoop(stretch);
      const [level, toLevel] = levelsOf(drag);
      onDrawFade?.({ target: lane.target, ...stretch, level, toLevel });
    },
  );
  const { drag } = dragging;
  const drawnLane = drag && laneAt(drag.from.y, lanes.length);

  const onScroll = (): void => {
    if (timeline.takeScroll()) setHovered(undefined);
  };

  const under = (event: MouseEvent): { x: number; hit: ActiveCue | undefined } => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left + live.current.scroll;
    return { x, hit: cueUnder(lanes, x, event.clientY - box.top, live.current.zoom) };
  };

  const onClick = (event: MouseEvent): void => {
    if (dragging.takeClick()) return;
    const { x, hit } = under(event);
    const time = hit ? hit.cue.time : seekTime(x, live.current.zoom, duration);
    if (time !== undefined) player.seek(time);
    if (hit) onChoose?.({ target: hit.lane.target, time: hit.cue.time });
  };

  const onDoubleClick = (event: MouseEvent): void => {
    const box = event.currentTarget.getBoundingClientRect();
    if (!isOnSections(event.clientY - box.top)) return;
    const time = timeOf(event.clientX - box.left + live.current.scroll, live.current.zoom);
    const section = analysis.structure.sections.find(({ start, end }) => time >= start && time < end);
    if (section) player.setLoop(loopBetween(section.start, section.end, duration));
  };

  const onPointerMove = (event: PointerEvent): void => {
    if (dragging.onPointerMove(event)) return setHovered(undefined);
    if (event.pointerType === "touch") return;
    const { hit } = under(event);
    if (hit?.cue === hovered?.cue) return;
    const box = event.currentTarget.getBoundingClientRect();
    setHovered(
      hit && {
        ...hit,
        left: event.clientX - box.left + 12,
        top: LANES_TOP + lanes.indexOf(hit.lane) * LANE_HEIGHT,
      },
    );
  };

  const chunks = Array.from({ length: view.last - view.first + 1 }, (_, i) => view.first + i);
  return (
    <div className="vz-timeline" style={{ height }}>
      <div
        ref={scroller}
        className={cx("vz-scroller", onDrawFade && "vz-drawing")}
        role="region"
        aria-label={text.label}
        tabIndex={0}
        onScroll={onScroll}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onPointerDown={dragging.onPointerDown}
        onPointerUp={dragging.onPointerUp}
        onPointerCancel={dragging.onPointerCancel}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(undefined)}
      >
        <div className="vz-content" style={{ width: contentWidth(duration, view.zoom, view.viewport), height }}>
          {chunks.map((index) => (
            <TimelineChunk key={`${view.zoom}:${index}`} song={song} index={index} zoom={view.zoom} />
          ))}
          <LoopMark
            player={player}
            drawn={drag && drawnLane === undefined ? stretchOf(drag) : undefined}
            zoom={view.zoom}
            height={height}
          />
          {drag && drawnLane !== undefined && <FadeMark drag={drag} laneTop={LANES_TOP + drawnLane * LANE_HEIGHT} />}
          {onMoveEdge && <SectionEdges analysis={analysis} zoom={view.zoom} onMove={onMoveEdge} />}
          {chosen && <ChosenMark lanes={lanes} chosen={chosen} zoom={view.zoom} />}
          <DropMarkers song={song} player={player} zoom={view.zoom} height={height} />
        </div>
      </div>
      <RowLabels lanes={lanes} />
      <div ref={playhead} className="vz-playhead" />
      {hovered && <CueReason hovered={hovered} />}
      {isAway && (
        <button
          type="button"
          className={cx(buttonLook({ low: true }), "absolute top-[34px] right-4 z-2")}
          onClick={() => (follow(true), player.redraw())}
        >
          {visualizerStrings.view.backToPlayhead}
        </button>
      )}
    </div>
  );
}

/** Returns the levels at the left and right end of a drag. Beyond its lane they are full or dark. */
function levelsOf({ from, to }: Drag): readonly [number, number] {
  const lane = laneTopOf(from.y);
  const within = (y: number): number => levelAt(Math.min(lane + LANE_HEIGHT - 1, Math.max(lane, y)));
  return from.x < to.x ? [within(from.y), within(to.y)] : [within(to.y), within(from.y)];
}

const laneTopOf = (y: number): number => y - ((y - LANES_TOP) % LANE_HEIGHT);

/** Returns the cue at a pixel of the content. A narrow cue also reacts three pixels beside it. */
function cueUnder(lanes: readonly TimelineLane[], x: number, y: number, zoom: number): ActiveCue | undefined {
  const lane = lanes[laneAt(y, lanes.length) ?? -1];
  const cue = lane && isOnBlock(y) ? cueNear(lane, timeOf(x, zoom), 3 / zoom) : undefined;
  return lane && cue ? { lane, cue } : undefined;
}

interface ChosenMarkProps {
  readonly lanes: readonly TimelineLane[];
  readonly chosen: { readonly target: string; readonly time: number };
  readonly zoom: number;
}

/** Draws a frame around the selected cue. */
function ChosenMark({ lanes, chosen, zoom }: ChosenMarkProps) {
  const at = lanes.findIndex(({ target }) => target === chosen.target);
  const lane = lanes[at];
  const cue = lane && cueNear(lane, chosen.time, 1e-3);
  if (!cue) return null;
  return (
    <div
      className="pointer-events-none absolute rounded-[5px] outline-2 outline-offset-1 outline-fg"
      style={{
        left: xOf(cue.time, zoom),
        width: Math.max(2, cue.duration * zoom - 1),
        top: LANES_TOP + at * LANE_HEIGHT + BLOCK.top,
        height: BLOCK.height,
      }}
    />
  );
}

interface DropMarkersProps {
  readonly song: TimelineSong;
  readonly player: SongPlayer;
  readonly zoom: number;
  readonly height: number;
}

function DropMarkers({ song, player, zoom, height }: DropMarkersProps) {
  return song.analysis.drop_predictions.map((drop) => (
    <button
      key={drop.time}
      type="button"
      className="vz-drop"
      style={{ left: xOf(drop.time, zoom), height }}
      onClick={(event) => {
        event.stopPropagation();
        player.seek(drop.time);
      }}
    >
      <span className="vz-drop-label">
        {drop.type.replaceAll("_", " ")} {drop.confidence.toFixed(2)}
        <span className="sr-only">{text.at(clockTime(drop.time))}</span>
      </span>
    </button>
  ));
}

const LABELLED_ROWS = ["energy", "bands", "vocals", "tempo"] as const;

function RowLabels({ lanes }: { readonly lanes: readonly TimelineLane[] }) {
  return (
    <div className="vz-row-labels" aria-hidden="true">
      {LABELLED_ROWS.map((row) => (
        <span key={row} style={{ top: ROWS[row].top - 2 }}>
          {text.rows[row]}
        </span>
      ))}
      {lanes.map((lane, i) => (
        <span
          key={lane.target}
          className="vz-lane-name"
          style={{ top: LANES_TOP + i * LANE_HEIGHT, height: LANE_HEIGHT }}
          title={lane.label}
        >
          {lane.label}
        </span>
      ))}
    </div>
  );
}
