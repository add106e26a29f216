import type { LightingPlan } from "@followspot/contract";
import { compilePreview, litByShow } from "@followspot/lighting";
import { useMemo } from "react";
import { LookChoice } from "../../lamps/look-choice.tsx";
import { StageDrawing } from "../../lamps/stage-drawing.tsx";
import { useStageLook } from "../../lamps/use-stage-look.ts";
import { stage3dStrings } from "../../stage-3d/stage-3d.strings.ts";
import { cx } from "../../ui/class-names.ts";
import { WARN } from "../look.ts";
import type { SongPlayer } from "../player/song-player.ts";
import type { PreviewRig } from "../visualizer.queries.ts";
import { visualizerStrings } from "../visualizer.strings.ts";
import { darkLights } from "./rig-notes.ts";

const text = visualizerStrings.stage;

interface StagePreviewProps {
  readonly plan: LightingPlan | undefined;
  readonly rig: PreviewRig;
  readonly player: SongPlayer;
}

/** Preview of the fixtures: on a 3D stage, or in a flat row. */
export function StagePreview({ plan, rig, player }: StagePreviewProps) {
  const lit = useMemo(() => plan && litByShow(compilePreview(plan, rig.rig), rig.rig), [plan, rig]);
  const dark = useMemo(() => darkLights(rig.rig), [rig]);
  const { look, isPossible, isMissing, choose, lose } = useStageLook();

  return (
    <figure
      className={cx(
        "vz-stage relative overflow-hidden border-b [contain:strict] max-[900px]:flex-none",
        look === "3d" && lit
          ? "max-h-[max(300px,50dvh)] min-h-[max(260px,36dvh)] flex-[1_1_380px] max-[900px]:h-[300px] max-[480px]:h-[240px] max-[480px]:min-h-[240px]"
          : "max-h-[max(230px,36dvh)] min-h-[190px] flex-[1_1_250px] max-[900px]:h-[200px] max-[480px]:h-[120px] max-[480px]:min-h-[120px]",
      )}
    >
      <StageDrawing rig={rig.rig} lit={lit} clock={player} look={look} onLost={lose} />
      {isPossible && <LookChoice look={look} onChoose={choose} />}
      <figcaption className="pointer-events-none absolute bottom-1.5 left-4 flex gap-3 text-xs text-muted">
        {plan ? text.sameFrames : text.dark}
        {rig.standsIn && <span className={WARN}>{text.demoRig[rig.standsIn]}</span>}
        {dark.count > 0 && <span className={WARN}>{text.darkLights(dark.count, dark.groups.join(", "))}</span>}
        {isMissing && <span className={WARN}>{stage3dStrings.missing}</span>}
      </figcaption>
    </figure>
  );
}
