import { BLOCK } from "./timeline-layout.ts";
import type { Drag } from "./use-drag.ts";

/** Preview of a fade in its lane while the user draws it. */
export function FadeMark({ drag: { from, to }, laneTop }: { readonly drag: Drag; readonly laneTop: number }) {
  const [top, bottom] = [laneTop + BLOCK.top, laneTop + BLOCK.top + BLOCK.height];
  const within = (y: number): number => Math.min(bottom, Math.max(top, y)) - top;
  const [left, right] = from.x < to.x ? [from, to] : [to, from];
  const width = Math.max(1, right.x - left.x);
  return (
    <svg
      className="pointer-events-none absolute z-1"
      aria-hidden="true"
      style={{ left: left.x, top }}
      width={width}
      height={BLOCK.height}
    >
      <path
        className="vz-drawn-fade"
        d={`M0,${BLOCK.height}V${within(left.y)}L${width},${within(right.y)}V${BLOCK.height}Z`}
      />
    </svg>
  );
}
