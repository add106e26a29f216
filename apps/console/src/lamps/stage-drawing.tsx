import type { Rig } from "@followspot/contract";
import type { LitBeams } from "@followspot/lighting";
import { lazy, Suspense, useEffect, type ComponentType } from "react";
import type { PreviewClock } from "../stage-3d/preview-clock.ts";
import type { Stage3dProps } from "../stage-3d/stage-3d.tsx";
import type { StageLook } from "../stage-3d/stage-look.ts";
import { FlatStage } from "./flat-stage.tsx";

/** In a file of its own, with three.js; where that does not come the flat stage stays. */
const Stage3d = lazy<ComponentType<Stage3dProps>>(() =>
  import("../stage-3d/stage-3d.tsx").then(
    (file) => ({ default: file.Stage3d }),
    () => ({ default: NoStage }),
  ),
);

interface StageDrawingProps {
  readonly rig: Rig;
  /** Without it the lamps stay dark. */
  readonly lit: LitBeams | undefined;
  /** The light comes from a feed, in place of a show at song times. */
  readonly isFed?: boolean;
  readonly clock: PreviewClock;
  readonly look: StageLook;
  /** There is no WebGL, or none any more: draw it flat. */
  readonly onLost: () => void;
  /** Buttons for views of it in three dimensions. */
  readonly hasViews?: boolean;
  /** Nothing on it can be pressed or turned. */
  readonly isStill?: boolean;
}

/** The lamps of a rig as something lights them: on a stage in three dimensions, or in a flat row. */
export function StageDrawing({
  rig,
  lit,
  isFed = false,
  clock,
  look,
  onLost,
  hasViews,
  isStill = false,
}: StageDrawingProps) {
  const flat = <FlatStage rig={rig} lit={lit} isFed={isFed} clock={clock} />;
  if (look === "flat" || !lit) return flat;
  return (
    <Suspense fallback={flat}>
      <Stage3d lit={lit} isFed={isFed} clock={clock} onLost={onLost} hasViews={hasViews} isStill={isStill} />
    </Suspense>
  );
}

/** What stands for the stage when its file does not come. */
function NoStage({ onLost }: { readonly onLost: () => void }) {
  useEffect(onLost, [onLost]);
  return null;
}
