import { useState } from "react";
import { Checkbox } from "../ui/checkbox.tsx";
import { TextField } from "../ui/fields.tsx";
import { patchStrings } from "./patch.strings.ts";
import { HUNG, MOST, type Fixed } from "./stage-places.ts";

const text = patchStrings.plan;

/** How high one lamp is, whether it hangs, and how it is turned. Empty fields: as others of its kind. */
export function FixedFields({
  name,
  fixed,
  onFixed,
}: {
  readonly name: string;
  readonly fixed: Fixed | undefined;
  readonly onFixed: (fixed: Fixed) => void;
}) {
  const [height, setHeight] = useState(fixed ? String(fixed.z) : "");
  const [turn, setTurn] = useState(fixed ? String(fixed.turn) : "");
  const now = fixed ?? HUNG;
  const take = (field: "z" | "turn", typed: string, least: number, most: number) => {
    const value = Number(typed);
    if (typed.trim() !== "" && value >= least && value <= most) onFixed({ ...now, [field]: value });
  };
  return (
    <div role="group" aria-label={text.fixed(name)} className="flex flex-wrap items-end gap-3">
      <span className="max-w-32 truncate text-xs font-medium">{name}</span>
      <TextField
        label={text.height}
        inputMode="decimal"
        placeholder={text.asUsual}
        value={height}
        onChange={(event) => {
          setHeight(event.target.value);
          take("z", event.target.value, 0, MOST.z);
        }}
      />
      <TextField
        label={text.turn}
        inputMode="numeric"
        placeholder={text.asUsual}
        value={turn}
        onChange={(event) => {
          setTurn(event.target.value);
          take("turn", event.target.value, -MOST.turn, MOST.turn);
        }}
      />
      <label className="flex h-8 items-center gap-2 text-xs">
        <Checkbox checked={now.hangs} onChange={(event) => onFixed({ ...now, hangs: event.target.checked })} />
        {text.hangs}
      </label>
    </div>
  );
}
