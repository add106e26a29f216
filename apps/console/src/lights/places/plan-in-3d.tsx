import type { Rig } from "@followspot/contract";
import { lazy, Suspense, useEffect, useMemo, type ComponentType } from "react";
import { strings } from "../../lib/strings.ts";
import type { EditableStageProps } from "../../stage-3d/editable-stage.tsx";
import { gentlyLit } from "./gentle-light.ts";
import { LampLayer } from "./lamp-layer.tsx";
import type { PlaceEditor } from "./use-place-editor.ts";

/** 3D stage, loaded on demand with three.js. If loading fails, the dialog falls back to the top view. */
const EditableStage = lazy<ComponentType<EditableStageProps>>(() =>
  import("../../stage-3d/editable-stage.tsx").then(
    (file) => ({ default: file.EditableStage }),
    () => ({ default: NoStage }),
  ),
);

interface PlanIn3dProps {
  readonly editor: PlaceEditor;
  /** Undefined while it loads. */
  readonly rig: Rig | undefined;
  readonly onLost: () => void;
}

/** 3D view of the stage in which fixtures can be moved. */
export function PlanIn3d({ editor, rig, onLost }: PlanIn3dProps) {
  const { lamps } = editor;
  const lit = useMemo(() => rig && gentlyLit(rig, lamps), [rig, lamps]);
  const waiting = (
    <p role="status" className="p-4 text-xs text-muted">
      {strings.loading}
    </p>
  );
  if (!lit) return waiting;
  return (
    <Suspense fallback={waiting}>
      {/* The key rebuilds the stage when the set of fixtures changes. */}
      <EditableStage key={lit.beams.lamps.map(({ lightId }) => lightId).join()} lit={lit} onLost={onLost}>
        {(sight) => <LampLayer editor={editor} surface={sight} framesAlways={false} showsHeights />}
      </EditableStage>
    </Suspense>
  );
}

function NoStage({ onLost }: { readonly onLost: () => void }) {
  useEffect(onLost, [onLost]);
  return null;
}
