import type { Pose } from "@followspot/contract";
import { Checkbox } from "../../ui/checkbox.tsx";
import { patchStrings } from "../patch.strings.ts";
import { NumberField } from "./number-field.tsx";
import { REACH, TURNS } from "./places.ts";
import type { PlaceEditor, PlanLamp } from "./use-place-editor.ts";

const text = patchStrings.plan;

const FIELDS = [
  { part: "x", limits: REACH.x },
  { part: "y", limits: REACH.y },
  { part: "z", limits: REACH.z },
  { part: "turn", limits: TURNS },
  { part: "lean", limits: TURNS },
] as const;

/** Fields for position, mounting and orientation of the selected fixtures. A typed value applies to all of them. */
export function PlaceFields({ editor, lamps }: { readonly editor: PlaceEditor; readonly lamps: readonly PlanLamp[] }) {
  const put = (patch: Partial<Pose>, step?: string) => editor.put(new Map(lamps.map(({ id }) => [id, patch])), step);
  const hangs = shared(lamps, "hangs");
  const allMove = lamps.every(({ moves }) => moves);
  const name = lamps.length === 1 ? lamps[0]!.name : text.chosen(lamps.length);
  return (
    <div role="group" aria-label={text.fixed(name)} className="flex flex-col gap-2">
      <div className="grid grid-cols-3 gap-2">
        {FIELDS.map(({ part, limits }) => (
          <NumberField
            key={part}
            label={text.fields[part]}
            value={shared(lamps, part)}
            limits={limits}
            disabled={part === "lean" && allMove}
            onValue={(value, step) => put({ [part]: value }, step)}
          />
        ))}
      </div>
      <label className="flex h-7 items-center gap-2 text-xs">
        <Checkbox
          checked={hangs === true}
          isMixed={hangs === undefined}
          aria-checked={hangs ?? "mixed"}
          onChange={(event) => put({ hangs: event.target.checked })}
        />
        {text.hangs}
      </label>
      {allMove && <p className="text-xs text-muted">{text.leansItself}</p>}
    </div>
  );
}

/** Returns the value shared by all fixtures; undefined if they differ. */
function shared<Part extends keyof Pose>(lamps: readonly PlanLamp[], part: Part): Pose[Part] | undefined {
  const first = lamps[0]?.pose[part];
  return lamps.every(({ pose }) => pose[part] === first) ? first : undefined;
}
