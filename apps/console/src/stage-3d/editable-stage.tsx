import type { LitBeams } from "@followspot/lighting";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { controlOrbit } from "./orbit-control.ts";
import { firstStep } from "./quality.ts";
import { Sight } from "./sight.ts";
import { stage3dStrings as text } from "./stage-3d.strings.ts";
import { drawingHere } from "./stage-look.ts";
import { StageView } from "./stage-view.ts";
import { RIGGING, type ViewName } from "./stage-views.ts";
import { ViewButtons } from "./view-buttons.tsx";

export interface EditableStageProps {
  /** The same lamps as long as it is shown, lit as they are at one second; they may move. */
  readonly lit: LitBeams;
  /** There is no WebGL, or none any more. */
  readonly onLost: () => void;
  /** What lies over the picture. Pointers that it does not keep to itself turn the view. */
  readonly children: (sight: Sight) => ReactNode;
}

/** A stage on which lamps are moved about: drawn when something changes, and told from where it is seen. */
export function EditableStage({ lit, onLost, children }: EditableStageProps) {
  const place = useRef<HTMLDivElement>(null);
  const first = useRef(lit);
  const [view, setView] = useState<StageView>();
  const [sight, setSight] = useState<Sight>();
  const [chosen, setChosen] = useState<ViewName>();

  useEffect(() => {
    if (!place.current) return undefined;
    const opened = open(place.current, { lit: first.current, onLost, onSight: setSight, onOrbit: () => setChosen(undefined) }); // prettier-ignore
    setView(opened?.view);
    return opened?.close;
  }, [onLost]);
  useEffect(() => view?.place(lit), [view, lit]);

  return (
    // The picture is dark in every theme, and so is what lies over it.
    <div className="booth absolute inset-0 bg-bg">
      <div ref={place} className="absolute inset-0 cursor-grab touch-none active:cursor-grabbing">
        {sight && children(sight)}
      </div>
      {view && (
        <div className="absolute top-2 left-2">
          <ViewButtons view={view} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
    </div>
  );
}

interface Opening extends Omit<EditableStageProps, "children"> {
  readonly onSight: (sight: Sight) => void;
  readonly onOrbit: () => void;
}

function open(
  place: HTMLElement,
  { lit, onLost, onSight, onOrbit }: Opening,
): { view: StageView; close: () => void } | undefined {
  const canvas = document.createElement("canvas");
  canvas.className = "absolute inset-0 block size-full";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", text.preview);
  place.prepend(canvas);
  let view: StageView | undefined;
  let frame = 0;
  const want = (): void => {
    if (frame === 0 && view) frame = requestAnimationFrame(draw);
  };
  const draw = (): void => {
    frame = 0;
    if (!view) return;
    if (view.draw(1, false)) want();
    onSight(new Sight(view.seenFrom, place.clientWidth, place.clientHeight));
  };
  try {
    const step = firstStep(place.clientWidth * place.clientHeight, drawingHere().isFast);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    view = new StageView(canvas, { lit, isCalm, from: RIGGING, step, hasWorkLight: true, onWant: want, onLost });
  } catch {
    canvas.remove();
    onLost();
    return undefined;
  }
  const letGo = controlOrbit(place, (move) => {
    view.orbit(move);
    onOrbit();
  });
  const sizes = new ResizeObserver(() => view.resize());
  sizes.observe(place);
  const close = (): void => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    letGo();
    view.close();
    canvas.remove();
  };
  return { view, close };
}
