import { stage3dStrings } from "../stage-3d/stage-3d.strings.ts";
import { STAGE_LOOKS, type StageLook } from "../stage-3d/stage-look.ts";
import { Segments } from "../ui/segments.tsx";

/** Switch in the corner of a preview between ways to draw the stage. */
export function LookChoice({
  look,
  onChoose,
}: {
  readonly look: StageLook;
  readonly onChoose: (look: StageLook) => void;
}) {
  return (
    <div className="absolute top-2 right-2">
      <Segments
        label={stage3dStrings.look}
        segments={STAGE_LOOKS.map((value) => ({ value, label: stage3dStrings.looks[value] }))}
        value={look}
        onChange={onChoose}
      />
    </div>
  );
}
