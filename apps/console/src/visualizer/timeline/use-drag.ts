import { useRef, useState, type PointerEvent, type RefObject } from "react";
import type { LiveView } from "./use-timeline-view.ts";

/** Point in the timeline's content, pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Drag from the pointer's start to its current position. */
export interface Drag {
  readonly from: Point;
  readonly to: Point;
}

/** Distance up to which a press counts as a click despite a shaky hand, pixels. */
const SLACK = 4;

interface DragHandle {
  /** Current drag; undefined while nothing is dragged. */
  readonly drag: Drag | undefined;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** @returns whether a drag is in progress */
  readonly onPointerMove: (event: PointerEvent) => boolean;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Returns whether the current click event ended a drag, and resets that state. */
  readonly takeClick: () => boolean;
}

/**
 * Handles drags with a mouse or pen; touch scrolls instead.
 * @param begins whether a drag may start at a point
 */
export function useDrag(
  live: RefObject<LiveView>,
  begins: (point: Point) => boolean,
  onEnd: (drag: Drag) => void,
): DragHandle {
  const [drag, setDrag] = useState<Drag>();
  const down = useRef<Point>(undefined);
  const wasDrag = useRef(false);
  const pointOf = (event: PointerEvent): Point => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left + live.current.scroll, y: event.clientY - box.top };
  };
  const end = (): void => {
    down.current = undefined;
    setDrag(undefined);
  };
  return {
    drag,
    onPointerDown: (event) => {
      wasDrag.current = false;
      if (event.button !== 0 || event.pointerType === "touch") return;
      const point = pointOf(event);
      if (begins(point)) down.current = point;
    },
    onPointerMove: (event) => {
      const from = down.current;
      if (!from) return false;
      const to = pointOf(event);
      const isFar = Math.abs(to.x - from.x) > SLACK || Math.abs(to.y - from.y) > SLACK;
      if (!drag && !isFar) return false;
      if (!drag) event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from, to });
      return true;
    },
    onPointerUp: () => {
      if (drag) {
        wasDrag.current = true;
        onEnd(drag);
      }
      end();
    },
    onPointerCancel: end,
    takeClick: () => {
      const was = wasDrag.current;
      wasDrag.current = false;
      return was;
    },
  };
}
