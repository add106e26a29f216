import { deskKey, type DeskGroup } from "@followspot/contract";
import { Check } from "lucide-react";
import { useState } from "react";
import { TOUCH } from "../ui/touch.ts";
import { ownerText } from "./desk-button.tsx";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { GroupSelect } from "./group-select.tsx";
import { press } from "./use-desk.ts";

/** Sets the color of all fixtures or of one group. */
export function ColorBlock({ view, groups }: { readonly view: DeskView; readonly groups: readonly DeskGroup[] }) {
  const [chosen, setChosen] = useState("");
  const group = groups.some(({ id }) => id === chosen) ? chosen : "";
  const control = deskKey("color", group);
  const shown = shownValue(view, control);
  return (
    <section aria-label={text.color} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <div className="flex items-center gap-2">
        <h2 className="text-sm font-semibold text-muted">{text.color}</h2>
        <GroupSelect label={text.colorOf} all={text.wholeRig} groups={groups} value={group} onGroup={setChosen} />
        <span className="max-w-24 truncate text-xs text-muted">{ownerText(view, control)}</span>
      </div>
      <div className="grid grid-cols-5 gap-2">
        {text.swatches.map(([hex, name]) => (
          <button
            key={hex}
            type="button"
            aria-label={name}
            aria-pressed={shown === hex}
            onClick={() => press(control, shown === hex ? null : hex)}
            style={{ backgroundColor: hex }}
            className="grid h-12 place-items-center rounded-lg border-2 border-border text-black aria-pressed:border-fg"
          >
            {shown === hex && <Check aria-hidden size={20} />}
          </button>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <label className={`${TOUCH} border-border bg-raised text-sm`}>
          {text.ownColor}
          <input
            type="color"
            value={typeof shown === "string" ? shown : "#ffffff"}
            onChange={({ target }) => press(control, target.value)}
            className="size-7 rounded border-0 bg-transparent p-0"
          />
        </label>
        <button
          type="button"
          disabled={shown === undefined}
          onClick={() => press(control, null)}
          className={`${TOUCH} border-border bg-raised text-sm`}
        >
          {text.colorOff}
        </button>
      </div>
    </section>
  );
}
