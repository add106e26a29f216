import type { LightingPlan } from "@followspot/contract";
import { compilePreview } from "@followspot/lighting";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ComponentType } from "react";
import { useStore } from "../../lib/store.ts";
import type { Stage3dProps } from "../../stage-3d/stage-3d.tsx";
import { stage3dStrings } from "../../stage-3d/stage-3d.strings.ts";
import { chooseStageLook, drawingHere, STAGE_LOOKS, stageLook } from "../../stage-3d/stage-look.ts";
import { cx } from "../../ui/class-names.ts";
import { Segments } from "../../ui/segments.tsx";
import { WARN } from "../look.ts";
import type { SongPlayer } from "../player/song-player.ts";
import type { PreviewRig } from "../visualizer.queries.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { FlatStage } from "./flat-stage.tsx";
import { darkLights } from "./rig-notes.ts";
import "./stage.css";

const text = visualizerStrings.stage;

/** In a file of its own, with three.js; where that does not come the flat stage stays. */
const Stage3d = lazy<ComponentType<Stage3dProps>>(() =>
  import("../../stage-3d/stage-3d.tsx").then(
    (file) => ({ default: file.Stage3d }),
    () => ({ default: NoStage }),
  ),
);

interface StagePreviewProps {
  readonly plan: LightingPlan | undefined;
  readonly rig: PreviewRig;
  readonly player: SongPlayer;
}

/** The lamps as they will be: on a stage in three dimensions, or in a flat row. */
export function StagePreview({ plan, rig, player }: StagePreviewProps) {
  const show = useMemo(() => plan && compilePreview(plan, rig.rig), [plan, rig]);
  const dark = useMemo(() => darkLights(rig.rig), [rig]);
  const chosen = useStore(stageLook);
  const [isLost, setLost] = useState(false);
  const lose = useCallback(() => setLost(true), []);
  const canDraw = drawingHere().isPossible && !isLost;
  const look = canDraw ? (chosen ?? (drawingHere().isFast ? "3d" : "flat")) : "flat";
  const isDeep = look === "3d" && show !== undefined;
  const flat = <FlatStage rig={rig.rig} show={show} player={player} />;

  return (
    <figure
      className={cx(
        "vz-stage relative overflow-hidden border-b [contain:strict] max-[900px]:flex-none",
        isDeep
          ? "max-h-[max(300px,50dvh)] min-h-[max(260px,36dvh)] flex-[1_1_380px] max-[900px]:h-[300px] max-[480px]:h-[240px] max-[480px]:min-h-[240px]"
          : "max-h-[max(230px,36dvh)] min-h-[190px] flex-[1_1_250px] max-[900px]:h-[200px] max-[480px]:h-[120px] max-[480px]:min-h-[120px]",
      )}
    >
      {isDeep ? (
        <Suspense fallback={flat}>
          <Stage3d rig={rig.rig} show={show} clock={player} onLost={lose} />
        </Suspense>
      ) : (
        flat
      )}
      {drawingHere().isPossible && (
        <div className="absolute top-2 right-2">
          <Segments
            label={stage3dStrings.look}
            segments={STAGE_LOOKS.map((value) => ({ value, label: stage3dStrings.looks[value] }))}
            value={look}
            onChange={(next) => {
              setLost(false);
              chooseStageLook(next);
            }}
          />
        </div>
      )}
      <figcaption className="pointer-events-none absolute bottom-1.5 left-4 flex gap-3 text-xs text-muted">
        {plan ? text.sameFrames : text.dark}
        {rig.isDemo && <span className={WARN}>{text.demoRig}</span>}
        {dark.count > 0 && <span className={WARN}>{text.darkLights(dark.count, dark.groups.join(", "))}</span>}
        {chosen === "3d" && !canDraw && <span className={WARN}>{stage3dStrings.missing}</span>}
      </figcaption>
    </figure>
  );
}

/** What stands for the stage when its file does not come. */
function NoStage({ onLost }: { readonly onLost: () => void }) {
  useEffect(onLost, [onLost]);
  return null;
}
