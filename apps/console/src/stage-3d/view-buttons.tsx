import { Minus, Plus } from "lucide-react";
import { cx } from "../ui/class-names.ts";
import { stage3dStrings as text } from "./stage-3d.strings.ts";
import type { StageView } from "./stage-view.ts";
import { VIEWS, type ViewName } from "./stage-views.ts";

/** One step of the buttons that come closer. */
const STEP = 1.25;
const BUTTON =
  "rounded bg-surface/70 px-2 py-0.5 text-xs text-muted hover:text-fg aria-pressed:bg-raised aria-pressed:text-fg";

/** From where the stage is looked at, and from how near. */
export function ViewButtons({
  view,
  chosen,
  onChoose,
}: {
  readonly view: StageView;
  /** Undefined after a person turned the view by hand. */
  readonly chosen: ViewName | undefined;
  readonly onChoose: (name: ViewName) => void;
}) {
  return (
    <div className="flex flex-wrap gap-1" role="group" aria-label={text.views}>
      {(Object.keys(VIEWS) as ViewName[]).map((name) => (
        <button
          key={name}
          type="button"
          className={cx(BUTTON, "max-[480px]:px-1.5")}
          aria-pressed={chosen === name}
          onClick={() => {
            view.look(name);
            onChoose(name);
          }}
        >
          {text.view[name]}
        </button>
      ))}
      <span className="flex gap-1">
        <button
          type="button"
          className={BUTTON}
          aria-label={text.closer}
          onClick={() => view.orbit({ zoom: 1 / STEP })}
        >
          <Plus className="size-3" aria-hidden />
        </button>
        <button type="button" className={BUTTON} aria-label={text.farther} onClick={() => view.orbit({ zoom: STEP })}>
          <Minus className="size-3" aria-hidden />
        </button>
      </span>
    </div>
  );
}
