import { Eye } from "lucide-react";
import { lazy, Suspense, type ComponentType } from "react";
import { useStore } from "../lib/store.ts";
import { stage3dStrings } from "../stage-3d/stage-3d.strings.ts";
import { STAGE_LOOKS, type StageLook } from "../stage-3d/stage-look.ts";
import { cx } from "../ui/class-names.ts";
import { Segments } from "../ui/segments.tsx";
import { lampStrings as text } from "./lamps.strings.ts";
import type { LivePictureProps } from "./live-picture.tsx";
import { showAt, shownPlaces, suitsUnasked, type StagePlace } from "./shown-places.ts";
import { useStageLook } from "./use-stage-look.ts";

/** A separate file: a page with a hidden stage does not load it, and works if it cannot be loaded. */
const LivePicture = lazy<ComponentType<LivePictureProps>>(() =>
  import("./live-picture.tsx").then(
    (file) => ({ default: file.LivePicture }),
    () => ({ default: Missing }),
  ),
);

const HEIGHTS: Record<StagePlace, string> = {
  desk: "h-[clamp(7rem,24dvh,17rem)]",
  lights: "h-[clamp(10rem,32dvh,22rem)] rounded-lg border",
  queue: "h-[clamp(10rem,32dvh,22rem)] rounded-lg border",
  // Next to other columns it takes the space between the song above it and the buttons below.
  tonight: "h-[clamp(10rem,32dvh,22rem)] rounded-lg border lg:h-auto lg:min-h-56 lg:flex-1",
};

/** Live picture of the stage from DMX values, or a button that shows it. */
export function LiveStage({ place }: { readonly place: StagePlace }) {
  const isShown = useStore(shownPlaces)[place] ?? suitsUnasked(place);
  const { look, isPossible, isMissing, choose, lose } = useStageLook();
  const isTouch = place === "desk";
  if (!isShown)
    return (
      <div className={cx("shrink-0", isTouch && "border-b")}>
        <button
          type="button"
          onClick={() => showAt(place, true)}
          className={cx(
            "inline-flex items-center gap-1.5 text-muted hover:text-fg",
            isTouch ? "min-h-11 px-3 text-sm" : "h-7 rounded-md border bg-surface px-2 text-xs",
          )}
        >
          <Eye aria-hidden size={14} /> {text.show}
        </button>
      </div>
    );
  const looks = isPossible ? STAGE_LOOKS : (["flat"] as const);
  return (
    <figure
      aria-label={text.label}
      className={cx("booth vz-stage relative shrink-0 overflow-hidden text-fg", isTouch && "border-b", HEIGHTS[place])}
    >
      <Suspense fallback={<p className="p-3 text-xs text-muted">{text.loading}</p>}>
        <LivePicture look={look} onLost={lose} isMissing={isMissing} hasViews={!isTouch} place={place} />
      </Suspense>
      <div className="absolute top-2 right-2">
        <Segments
          label={stage3dStrings.look}
          isLarge={isTouch}
          segments={[
            ...looks.map((value) => ({ value, label: stage3dStrings.looks[value] })),
            { value: HIDE, label: text.hide },
          ]}
          value={look as StageLook | typeof HIDE}
          onChange={(next) => (next === HIDE ? showAt(place, false) : choose(next))}
        />
      </div>
    </figure>
  );
}

const HIDE = "hide";

/** Shown if the picture's file cannot be loaded. */
function Missing() {
  return (
    <p role="alert" className="p-3 text-sm text-warn">
      {text.missing}
    </p>
  );
}
