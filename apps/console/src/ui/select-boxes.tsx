import type { ListSelection } from "../lib/list-selection.ts";
import { strings } from "../lib/strings.ts";
import { Checkbox } from "./checkbox.tsx";

/** Width of the check-box column, px. */
export const SELECT_COLUMN_PX = 40;
export const SELECT_COLUMN_ID = "select";

const BOX = "grid size-7 cursor-pointer place-items-center";

/** Check box that selects one row; its accessible name is the row's title. */
export function SelectRowBox({
  id,
  isChosen,
  onToggle,
}: {
  /** ID of the row. */
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

/** Check box that selects every loaded row. */
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

/** Returns the ID of the element that names a row, for aria-describedby of the row's buttons. */
export const rowTitleId = (id: string): string => `row-${id}`;
