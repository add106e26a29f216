import type { Rig } from "@followspot/contract";
import type { LitBeams } from "@followspot/lighting";
import { lazy, Suspense, useEffect, type ComponentType } from "react";
import type { PreviewClock } from "../stage-3d/preview-clock.ts";
import type { Stage3dProps } from "../stage-3d/stage-3d.tsx";
import type { StageLook } from "../stage-3d/stage-look.ts";
import { FlatStage } from "./flat-stage.tsx";

/** A separate file with three.js; if it cannot be loaded, the flat stage is used. */
const Stage3d = lazy<ComponentType<Stage3dProps>>(() =>
  import("../stage-3d/stage-3d.tsx").then(
    (file) => ({ default: file.Stage3d }),
    () => ({ default: NoStage }),
  ),
);

interface StageDrawingProps {
  readonly rig: Rig;
  /** Light of the beams; without it the fixtures stay dark. */
  readonly lit: LitBeams | undefined;
  /** Whether the light comes from a live feed, not from a show at song times. */
  readonly isFed?: boolean;
  readonly clock: PreviewClock;
  readonly look: StageLook;
  /** Called if WebGL is missing or lost: draw the flat stage. */
  readonly onLost: () => void;
  /** Whether there are buttons for 3D views. */
  readonly hasViews?: boolean;
  /** Whether the picture is not interactive. */
  readonly isStill?: boolean;
}

/** Draws the fixtures of a rig with their light: on a 3D stage, or in a flat row. */
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

/** Placeholder for the stage if its file cannot be loaded. */
function NoStage({ onLost }: { readonly onLost: () => void }) {
  useEffect(onLost, [onLost]);
  return null;
}
