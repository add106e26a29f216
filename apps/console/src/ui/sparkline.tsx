import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

const EDGE_PX = 8;

/** A point of a plot; a period is placed at its middle. */
export interface PlotMoment {
  /** 0 at the left edge, 1 at the right. */
  readonly at: number;
  /** Text of the bubble: time and value. */
  readonly says: string;
}

/**
 * A small plot. Pointer, touch or arrow keys select a point, and a bubble shows its value.
 * @param label description of the plot for screen readers
 * @param moments from left to right, at least one
 * @param children draws the plot, with the selected point
 */
export function Sparkline({
  label,
  moments,
  children,
}: {
  readonly label: string;
  readonly moments: readonly PlotMoment[];
  readonly children: (chosen: number | undefined) => ReactNode;
}) {
  const [wanted, setWanted] = useState<number>();
  const last = moments.length - 1;
  const chosen = wanted === undefined ? undefined : Math.min(wanted, last);
  const moment = chosen === undefined ? undefined : moments[chosen];
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setWanted(nearest(moments, (clientX - left) / width));
  };
  const step = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    setWanted((from = last) => Math.min(Math.max(move(from, last), 0), last));
  };
  const leave = () => setWanted(undefined);
  return (
    <div
      role="slider"
      aria-readonly
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={chosen ?? last}
      aria-valuetext={moments[chosen ?? last]?.says ?? ""}
      tabIndex={0}
      title={moment ? undefined : label}
      className="relative cursor-crosshair touch-pan-y rounded-sm"
      onPointerDown={point}
      onPointerMove={point}
      // After a touch, the selection stays until the next touch elsewhere.
      onPointerLeave={({ pointerType }) => pointerType !== "touch" && leave()}
      onKeyDown={step}
      onBlur={leave}
    >
      {children(chosen)}
      {moment && (
        <span
          ref={(bubble) => placeAbove(bubble, moment.at)}
          className="pointer-events-none absolute bottom-full z-30 mb-1 rounded-md border bg-raised px-2 py-1 text-xs whitespace-nowrap text-fg shadow-lg shadow-black/30"
        >
          {moment.says}
        </span>
      )}
    </div>
  );
}

/** Places the bubble above its point, fully inside the window. */
function placeAbove(bubble: HTMLElement | null, at: number): void {
  const plot = bubble?.parentElement?.getBoundingClientRect();
  if (!bubble || !plot) return;
  const { offsetWidth: width } = bubble;
  const farthest = document.documentElement.clientWidth - width - EDGE_PX;
  const left = Math.max(EDGE_PX, Math.min(farthest, plot.left + at * plot.width - width / 2));
  bubble.style.left = `${left - plot.left}px`;
}

const nearest = (moments: readonly PlotMoment[], at: number): number =>
  moments.reduce((best, moment, i) => (Math.abs(moment.at - at) < Math.abs(moments[best]!.at - at) ? i : best), 0);

/** Index that a key selects, from the current index and the last one. */
const MOVES: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowLeft: (from) => from - 1,
  ArrowRight: (from) => from + 1,
  Home: () => 0,
  End: (_, last) => last,
};
