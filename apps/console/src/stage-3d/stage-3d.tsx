import type { LitBeams } from "@followspot/lighting";
import { useEffect, useRef, useState } from "react";
import { cx } from "../ui/class-names.ts";
import { controlOrbit } from "./orbit-control.ts";
import type { PreviewClock } from "./preview-clock.ts";
import { stage3dStrings as text } from "./stage-3d.strings.ts";
import { StageView } from "./stage-view.ts";
import type { ViewName } from "./stage-views.ts";
import { ViewButtons } from "./view-buttons.tsx";

export interface Stage3dProps {
  readonly lit: LitBeams;
  /** The light comes from a feed, in place of a show at song times. */
  readonly isFed?: boolean | undefined;
  readonly clock: PreviewClock;
  /** There is no WebGL, or none any more. */
  readonly onLost: () => void;
  /** Buttons for views of it. */
  readonly hasViews?: boolean | undefined;
  /** Nothing on it can be pressed or turned. */
  readonly isStill?: boolean;
}

/** The rig on its stage, lit by what its lamps get. */
export function Stage3d({ lit, isFed, clock, onLost, hasViews = true, isStill = false }: Stage3dProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<StageView>();
  const [chosen, setChosen] = useState<ViewName | undefined>("front");

  useEffect(() => {
    if (!place.current) return;
    const onOrbit = isStill ? undefined : () => setChosen(undefined);
    const opened = open(place.current, { lit, isFed, clock, onLost, onOrbit });
    setView(opened?.view);
    setChosen("front");
    return opened?.close;
  }, [lit, isFed, clock, onLost, isStill]);

  return (
    <div className="absolute inset-0 bg-bg">
      <div
        ref={place}
        className={cx("absolute inset-0", !isStill && "cursor-grab touch-pan-y active:cursor-grabbing")}
        title={isStill ? undefined : text.hint}
      />
      {view && hasViews && !isStill && (
        <div className="absolute top-2 right-32 left-2">
          <ViewButtons view={view} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
    </div>
  );
}

interface Opening extends Omit<Stage3dProps, "isStill" | "hasViews"> {
  /** Without it the view stays. */
  readonly onOrbit: (() => void) | undefined;
}

function open(
  place: HTMLElement,
  { lit, isFed, clock, onLost, onOrbit }: Opening,
): { view: StageView; close: () => void } | undefined {
  // A canvas of its own each time: a context that was lost would stay with it.
  const canvas = document.createElement("canvas");
  canvas.className = "block size-full";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", text.preview);
  place.append(canvas);
  let view: StageView;
  try {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    view = new StageView(canvas, { lit, isFed, isCalm, onWant: clock.redraw, onLost });
  } catch {
    canvas.remove();
    onLost();
    return undefined;
  }
  let settle = 0;
  const stop = clock.onFrame((seconds, wasSought) => {
    cancelAnimationFrame(settle);
    if (view.draw(seconds, wasSought)) settle = requestAnimationFrame(clock.redraw);
  });
  const letGo =
    onOrbit &&
    controlOrbit(place, (move) => {
      view.orbit(move);
      onOrbit();
    });
  const sizes = new ResizeObserver(() => view.resize());
  sizes.observe(place);
  const close = (): void => {
    cancelAnimationFrame(settle);
    sizes.disconnect();
    letGo?.();
    stop();
    view.close();
    canvas.remove();
  };
  return { view, close };
}
