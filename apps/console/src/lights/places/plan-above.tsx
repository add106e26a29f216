import { STAGE_SPACE, type Point3 } from "@followspot/lighting";
import { useMemo, useRef } from "react";
import { useSize } from "../../ui/use-size.ts";
import { patchStrings } from "../patch.strings.ts";
import { LampLayer } from "./lamp-layer.tsx";
import type { Surface } from "./pick.ts";
import { REACH } from "./places.ts";
import type { PlaceEditor } from "./use-place-editor.ts";

const text = patchStrings.plan;

/** Margin around the plan for names and borders, px. */
const EDGE = 20;
/** Height change per pixel of a vertical drag, m. */
const HEIGHT = 0.02;
/** Distance of the audience from the back wall, m. */
const AUDIENCE = 8.5;
/** Grid spacing, m. */
const SQUARE = 1;

/** Top view of the stage and the space around it where fixtures can be placed. The hall is at the bottom. */
export function PlanAbove({ editor }: { readonly editor: PlaceEditor }) {
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(place);
  const surface = useMemo(() => planSurface(width, height), [width, height]);
  const at = (x: number, y: number) => surface.spotOf({ x, y, z: 0 })!;
  const half = STAGE_SPACE.width / 2;
  const [leftTop, rightBottom] = [at(-half, 0), at(half, STAGE_SPACE.depth)];
  const [outerTop, outerBottom] = [at(REACH.x[0], REACH.y[0]), at(REACH.x[1], REACH.y[1])];
  return (
    <div ref={place} className="absolute inset-0 bg-bg">
      <svg aria-hidden className="pointer-events-none absolute inset-0 size-full">
        {steps(REACH.x).map(
          (x) =>
          <line key={`x${x}`} x1={at(x, 0).x} x2={at(x, 0).x} y1={outerTop.y} y2={outerBottom.y} className="stroke-border/60" />, // prettier-ignore
        )}
        {steps(REACH.y).map(
          (y) =>
          <line key={`y${y}`} y1={at(0, y).y} y2={at(0, y).y} x1={outerTop.x} x2={outerBottom.x} className="stroke-border/60" />, // prettier-ignore
        )}
        <rect
          x={leftTop.x}
          y={leftTop.y}
          width={rightBottom.x - leftTop.x}
          height={rightBottom.y - leftTop.y}
          className="fill-raised/60 stroke-muted"
        />
        <line
          x1={at(0, 0).x}
          x2={at(0, 0).x}
          y1={outerTop.y}
          y2={outerBottom.y}
          className="stroke-muted"
          strokeDasharray="2 4"
        />{" "}
        {/* prettier-ignore */}
      </svg>
      <Caption top={leftTop.y - 17}>{text.back}</Caption>
      <Caption top={at(0, AUDIENCE).y - 8}>{text.front}</Caption>
      <LampLayer editor={editor} surface={surface} framesAlways showsHeights={false} />
    </div>
  );
}

function Caption({ top, children }: { readonly top: number; readonly children: string }) {
  return (
    <span style={{ top }} className="pointer-events-none absolute inset-x-0 text-center text-[11px] text-muted">
      {children}
    </span>
  );
}

/** Returns the projection for a view of this size: the plan is scaled to fit and centered. */
function planSurface(width: number, height: number): Surface {
  const [wide, deep] = [REACH.x[1] - REACH.x[0], REACH.y[1] - REACH.y[0]];
  const scale = Math.max(1, Math.min((width - 2 * EDGE) / wide, (height - 2 * EDGE) / deep));
  const [left, top] = [(width - wide * scale) / 2, (height - deep * scale) / 2];
  return {
    // Of two fixtures on one spot, the higher is nearer to the camera. Positions outside the plan are drawn at its edge.
    spotOf: ({ x, y, z }: Point3) => ({
      x: Math.min(width - 4, Math.max(4, left + (x - REACH.x[0]) * scale)),
      y: Math.min(height - 4, Math.max(4, top + (y - REACH.y[0]) * scale)),
      depth: 100 - z,
    }),
    lead: ({ x, y, z }, from, onlyHeight) =>
      onlyHeight
        ? (to) => ({ z: z + (from.y - to.y) * HEIGHT })
        : (to) => ({ x: x + (to.x - from.x) / scale, y: y + (to.y - from.y) / scale }),
  };
}

const steps = ([from, to]: readonly [number, number]): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / SQUARE) + 1 }, (_, i) => from + i * SQUARE);
