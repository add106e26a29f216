import { MOUNTS, mountPose, type Mount } from "@followspot/lighting";
import type { Rig } from "@followspot/contract";
import { useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Options } from "../../ui/options.tsx";
import { patchStrings } from "../patch.strings.ts";
import { aligned, arc, arcOf, endsOf, inStageOrder, mirrored, row, spread, type Arc, type Poses } from "./arrange.ts";
import { NumberField } from "./number-field.tsx";
import { lineAt, REACH, type Patches } from "./places.ts";
import type { PlaceEditor, PlanLamp } from "./use-place-editor.ts";

const text = patchStrings.plan;

interface ToolsProps {
  readonly editor: PlaceEditor;
  readonly lamps: readonly PlanLamp[];
  readonly rig: Rig | undefined;
}

/** Tools that mount and arrange the selected fixtures together. Each press is one undo step. */
export function ArrangeTools({ editor, lamps, rig }: ToolsProps) {
  const [open, setOpen] = useState<"row" | "arc">();
  const poses: Poses = new Map(lamps.map(({ id, pose }) => [id, pose]));
  const put = (patches: Patches) => editor.put(patches);
  const key = lamps.map(({ id }) => id).join();
  const buttons: readonly (readonly [label: string, patches: () => Patches])[] = [
    [text.arrange.depth, () => aligned(poses, "y")],
    [text.arrange.height, () => aligned(poses, "z")],
    [text.arrange.spread, () => spread(poses)],
    [text.arrange.wide, () => lineAt(inStageOrder(poses), depthOf(poses))],
    [text.arrange.leftToRight, () => mirrored(poses, "left")],
    [text.arrange.rightToLeft, () => mirrored(poses, "right")],
    [text.arrange.pairs, () => mirrored(poses, "both")],
  ];
  return (
    <>
      <Tools label={text.mount.title} areEven>
        {MOUNTS.map((mount) => (
          <Button key={mount} onClick={() => put(mounted(mount, lamps, rig))}>
            {text.mount[mount]}
          </Button>
        ))}
      </Tools>
      {lamps.length > 1 && (
        <Tools label={text.arrange.title} areEven>
          {buttons.map(([label, patches]) => (
            <Button
              key={label}
              className={label === text.arrange.pairs ? "col-span-2" : undefined}
              onClick={() => put(patches())}
            >
              {label}
            </Button>
          ))}
          {(["row", "arc"] as const).map((kind) => (
            <Button key={kind} aria-expanded={open === kind} onClick={() => setOpen(open === kind ? undefined : kind)}>
              {text.arrange[kind]}
            </Button>
          ))}
          {open === "row" && <RowForm key={key} poses={poses} onMake={put} />}
          {open === "arc" && <ArcForm key={key} poses={poses} onMake={put} />}
        </Tools>
      )}
    </>
  );
}

/** Returns the mean depth of the fixtures, m. */
function depthOf(poses: Poses): number {
  const depths = [...poses.values()].map(({ y }) => y);
  return depths.reduce((sum, y) => sum + y, 0) / depths.length;
}

/** Returns the poses that move fixtures to a mount, according to each fixture's mode. Their x stays unchanged. */
function mounted(mount: Mount, lamps: readonly PlanLamp[], rig: Rig | undefined): Patches {
  const modes = new Map(rig?.lights.map(({ id, mode }) => [id, mode]));
  return new Map(lamps.map(({ id }) => [id, mountPose(mount, { mode: modes.get(id) ?? { name: "", channels: [] } })]));
}

/** Group of buttons under a heading. @param areEven whether the buttons have equal widths, in two columns */
export function Tools({
  label,
  areEven = false,
  children,
}: {
  readonly label: string;
  readonly areEven?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-1.5">
      <span className="text-xs font-medium">{label}</span>
      <div className={areEven ? "grid grid-cols-2 gap-1.5" : "flex flex-wrap gap-1.5"}>{children}</div>
    </div>
  );
}

interface FormProps {
  readonly poses: Poses;
  readonly onMake: (patches: Patches) => void;
}

function RowForm({ poses, onMake }: FormProps) {
  const [[from, to], setEnds] = useState(() => endsOf(poses));
  return (
    <div className="col-span-2 grid grid-cols-2 gap-2 rounded-md border p-2">
      <NumberField
        label={text.row.fromX}
        value={from.x}
        limits={REACH.x}
        onValue={(x) => setEnds([{ ...from, x }, to])}
      />
      <NumberField
        label={text.row.fromY}
        value={from.y}
        limits={REACH.y}
        onValue={(y) => setEnds([{ ...from, y }, to])}
      />
      <NumberField label={text.row.toX} value={to.x} limits={REACH.x} onValue={(x) => setEnds([from, { ...to, x }])} />
      <NumberField label={text.row.toY} value={to.y} limits={REACH.y} onValue={(y) => setEnds([from, { ...to, y }])} />
      <Button className="col-span-2" onClick={() => onMake(row(poses, from, to))}>
        {text.row.make}
      </Button>
    </div>
  );
}

const FACES = ["inwards", "outwards"] as const;
const RADII = [0.25, 7] as const;
const ANGLES = [10, 360] as const;

function ArcForm({ poses, onMake }: FormProps) {
  const [wanted, setWanted] = useState(() => arcOf(poses));
  const change = (part: Partial<Arc>) => setWanted((before) => ({ ...before, ...part }));
  const { at, radius, angle, faces } = wanted;
  return (
    <div className="col-span-2 grid grid-cols-2 gap-2 rounded-md border p-2">
      <NumberField label={text.arc.x} value={at.x} limits={REACH.x} onValue={(x) => change({ at: { ...at, x } })} />
      <NumberField label={text.arc.y} value={at.y} limits={REACH.y} onValue={(y) => change({ at: { ...at, y } })} />
      <NumberField
        label={text.arc.radius}
        value={radius}
        limits={RADII}
        onValue={(value) => change({ radius: value })}
      />
      <NumberField label={text.arc.angle} value={angle} limits={ANGLES} onValue={(value) => change({ angle: value })} />
      <div className="col-span-2">
        <SelectField
          label={text.arc.faces}
          value={faces}
          onChange={(event) => change({ faces: FACES.find((each) => each === event.target.value)! })}
        >
          <Options of={FACES.map((each) => [each, text.arc[each]])} />
        </SelectField>
      </div>
      <Button className="col-span-2" onClick={() => onMake(arc(poses, wanted))}>
        {text.arc.make}
      </Button>
    </div>
  );
}
