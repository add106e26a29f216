import type { ListSelection } from "../lib/list-selection.ts";
import { strings } from "../lib/strings.ts";
import { Checkbox } from "./checkbox.tsx";

/** Width of the column of boxes, in pixels. */
export const SELECT_COLUMN_PX = 40;
export const SELECT_COLUMN_ID = "select";

const BOX = "grid size-7 cursor-pointer place-items-center";

/** Chooses one row; its name is the row's own. */
export function SelectRowBox({
  id,
  isChosen,
  onToggle,
}: {
  /** Of the row. */
  readonly id: string;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <label className={BOX}>
      <span className="sr-only">{strings.selectRow}</span>
      <Checkbox aria-describedby={rowTitleId(id)} checked={isChosen} onChange={onToggle} />
    </label>
  );
}

/** Chooses every row that is loaded. */
export function SelectAllBox({ selection }: { readonly selection: Omit<ListSelection<never>, "rows"> }) {
  const areAll = selection.isWhole || selection.areAllLoadedChosen;
  const isMixed = !areAll && selection.count > 0;
  return (
    <label className={BOX}>
      <span className="sr-only">{strings.selectAll}</span>
      <Checkbox
        checked={areAll}
        isMixed={isMixed}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={selection.isWhole ? selection.clear : selection.toggleLoaded}
      />
    </label>
  );
}

/** Id of the element that says which row this is: buttons of the row are described by it. */
export const rowTitleId = (id: string): string => `row-${id}`;
