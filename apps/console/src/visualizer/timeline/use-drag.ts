import { useRef, useState, type PointerEvent, type RefObject } from "react";
import type { LiveView } from "./use-timeline-view.ts";

/** A point of the timeline's content, pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** From where the pointer went down to where it is. */
export interface Drag {
  readonly from: Point;
  readonly to: Point;
}

/** A hand that shakes while it clicks moves less than this, pixels. */
const SLACK = 4;

interface DragHandle {
  /** While something is dragged. */
  readonly drag: Drag | undefined;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** @returns whether something is dragged */
  readonly onPointerMove: (event: PointerEvent) => boolean;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Whether the click that comes now is the end of a drag. */
  readonly takeClick: () => boolean;
}

/** Drags with a mouse or pen; a finger scrolls. `begins` says where one may start. */
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
