import type { Rig } from "@followspot/contract";
import type { CompiledShow } from "@followspot/lighting";
import { useEffect, useRef, useState } from "react";
import { controlOrbit } from "./orbit-control.ts";
import { stage3dStrings as text } from "./stage-3d.strings.ts";
import { StageView } from "./stage-view.ts";
import type { ViewName } from "./stage-views.ts";
import { ViewButtons } from "./view-buttons.tsx";

/** Where song time comes from. */
interface StageClock {
  /** Calls for every frame that is to be drawn, with seconds of the song. @returns stops it */
  readonly onFrame: (draw: (seconds: number, wasSought: boolean) => void) => () => void;
  /** Asks for one more frame, also while the song stands. */
  readonly redraw: () => void;
}

export interface Stage3dProps {
  readonly rig: Rig;
  readonly show: CompiledShow;
  readonly clock: StageClock;
  /** There is no WebGL, or none any more. */
  readonly onLost: () => void;
}

/** The rig on its stage, lit by what its lamps get. */
export function Stage3d({ rig, show, clock, onLost }: Stage3dProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<StageView>();
  const [chosen, setChosen] = useState<ViewName | undefined>("front");

  useEffect(() => {
    if (!place.current) return;
    const opened = open(place.current, { rig, show, clock, onLost, onOrbit: () => setChosen(undefined) });
    setView(opened?.view);
    setChosen("front");
    return opened?.close;
  }, [rig, show, clock, onLost]);

  return (
    <div className="absolute inset-0 bg-bg">
      <div ref={place} className="absolute inset-0 cursor-grab touch-pan-y active:cursor-grabbing" title={text.hint} />
      {view && (
        <div className="absolute top-2 right-32 left-2">
          <ViewButtons view={view} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
    </div>
  );
}

interface Opening extends Stage3dProps {
  readonly onOrbit: () => void;
}

function open(
  place: HTMLElement,
  { rig, show, clock, onLost, onOrbit }: Opening,
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
    view = new StageView(canvas, { rig, show, isCalm, onWant: clock.redraw, onLost });
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
  const letGo = controlOrbit(place, (move) => {
    view.orbit(move);
    onOrbit();
  });
  const sizes = new ResizeObserver(() => view.resize());
  sizes.observe(place);
  const close = (): void => {
    cancelAnimationFrame(settle);
    sizes.disconnect();
    letGo();
    stop();
    view.close();
    canvas.remove();
  };
  return { view, close };
}
