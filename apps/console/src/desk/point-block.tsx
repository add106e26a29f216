import { deskKey, type HeadPosition, type DeskGroup } from "@followspot/contract";
import { FIGURES } from "@followspot/lighting";
import { useState } from "react";
import { DeskButton, ownerText } from "./desk-button.tsx";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";
import { FigureDrawing } from "./figure-drawing.tsx";
import { GroupSelect } from "./group-select.tsx";
import { press } from "./use-desk.ts";

/**
 * Points all heads or those of one group at a position preset, taught or computed, and starts a movement effect around
 * it.
 */
export function PointBlock({
  view,
  groups,
  positions,
}: {
  readonly view: DeskView;
  readonly groups: readonly DeskGroup[];
  readonly positions: readonly HeadPosition[];
}) {
  const [chosen, setChosen] = useState("");
  const group = groups.find(({ id }) => id === chosen);
  const control = deskKey("point", group?.id);
  const shown = shownValue(view, control);
  const figureControl = deskKey("figure", group?.id);
  const drawn = shownValue(view, figureControl);
  const labelOf = (position: string) => (group ? text.pointAtOf(group.name, position) : text.pointAt(position));
  return (
    <section aria-label={text.point} className="flex flex-col gap-2 rounded-lg border bg-surface p-3">
      <div className="flex items-center gap-2">
        <h2 className="text-sm font-semibold text-muted">{text.point}</h2>
        <GroupSelect
          label={text.headsOf}
          all={text.allHeads}
          groups={groups}
          value={group?.id ?? ""}
          onGroup={setChosen}
        />
        <span className="max-w-24 truncate text-xs text-muted">
          {ownerText(view, control) || ownerText(view, figureControl)}
        </span>
      </div>
      <div className="grid grid-cols-4 gap-2">
        {positions.map((position) => (
          <DeskButton
            key={position}
            view={view}
            control={control}
            isOn={shown === position}
            label={labelOf(text.positions[position])}
            onDown={() => press(control, shown === position ? null : position)}
          >
            {text.positions[position]}
          </DeskButton>
        ))}
      </div>
      <div className="grid grid-cols-4 gap-2" role="group" aria-label={text.figure}>
        {FIGURES.map((figure) => (
          <DeskButton
            key={figure.name}
            view={drawn === figure.name ? view : withoutOwner(view)}
            control={figureControl}
            isOn={drawn === figure.name}
            label={group ? text.drawOf(group.name, figure.name) : text.draw(figure.name)}
            className="flex-col gap-1 px-1 pt-2 text-sm"
            onDown={() => press(figureControl, drawn === figure.name ? null : figure.name)}
          >
            <FigureDrawing figure={figure} />
            {text.figures[figure.name] ?? figure.name}
          </DeskButton>
        ))}
      </div>
    </section>
  );
}

/** Removes the holder, which is shown only on the selected choice. */
const withoutOwner = (view: DeskView): DeskView => ({ ...view, state: undefined, waiting: new Map() });
