import type { SongAnalysis } from "@followspot/contract";
import { useState, type KeyboardEvent, type PointerEvent } from "react";
import { clockTime } from "../../lib/formatting.ts";
import { useOfKey } from "../../lib/key-table.ts";
import { EDGE_KEYS } from "../corrections/corrections.keys.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { lowerBound, nearestTime, neighbouringTime, ROWS, timeOf, xOf } from "./timeline-layout.ts";

const text = visualizerStrings.timeline;

interface SectionEdgesProps {
  readonly analysis: SongAnalysis;
  readonly zoom: number;
  readonly onMove: (at: number, to: number) => void;
}

const HEIGHT = ROWS.waveform.top + ROWS.waveform.height;

/** Handles on the edges between sections. Dragging or the arrow keys move an edge from bar to bar. */
export function SectionEdges({ analysis, zoom, onMove }: SectionEdgesProps) {
  const [drag, setDrag] = useState<{ readonly index: number; readonly to: number }>();
  const { sections } = analysis.structure;
  const { downbeats, duration } = analysis;

  return sections.map((section, index) => {
    const before = sections[index - 1];
    if (!before) return null;
    const snap = (time: number): number => {
      const bar = nearestTime(downbeats, time);
      return bar > before.start && bar < section.end ? bar : section.start;
    };
    const shown = drag?.index === index ? drag.to : section.start;
    const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
      const content = event.currentTarget.parentElement?.getBoundingClientRect();
      if (drag?.index !== index || !content) return;
      setDrag({ index, to: snap(timeOf(event.clientX - content.left, zoom)) });
    };
    const drop = (): void => {
      setDrag(undefined);
      if (drag && drag.to !== section.start) onMove(section.start, drag.to);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      const use = useOfKey(EDGE_KEYS, event);
      if (!use) return;
      event.preventDefault();
      const to = neighbouringTime(downbeats, section.start, use === "edgeBack" ? -1 : 1);
      if (to !== undefined && to > before.start && to < section.end) onMove(section.start, to);
    };
    const bar = lowerBound(downbeats, shown - 0.01, (time) => time) + 1;
    return (
      <div
        key={index}
        className="vz-edge-handle"
        data-dragged={drag?.index === index || undefined}
        role="slider"
        tabIndex={0}
        aria-label={text.edge(section.label, index + 1)}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={Math.round(shown * 10) / 10}
        aria-valuetext={text.edgeAt(clockTime(shown), bar)}
        style={{ left: xOf(shown, zoom), height: HEIGHT }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ index, to: section.start });
        }}
        onPointerMove={onPointerMove}
        onPointerUp={drop}
        onPointerCancel={() => setDrag(undefined)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={onKeyDown}
      >
        {drag?.index === index && <span className="vz-edge-time">{text.edgeMoved(clockTime(shown), bar)}</span>}
      </div>
    );
  });
}
