import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { Menu, type MenuAction } from "./menu.tsx";
import { rowTitleId } from "./select-boxes.tsx";

/** Title of a row with a secondary line below. The row's buttons refer to it by aria-describedby. */
export function RowTitle({
  id,
  title,
  below,
  onOpen,
}: {
  readonly id: string;
  readonly title: string;
  readonly below?: string;
  /** Called on a click; makes the title a button that shows details. */
  readonly onOpen?: () => void;
}) {
  return (
    <>
      <span id={rowTitleId(id)} className="block truncate font-medium">
        {onOpen ? (
          <button
            type="button"
            className="max-w-full truncate align-top -outline-offset-2 hover:underline"
            onClick={onOpen}
          >
            {title}
          </button>
        ) : (
          title
        )}
      </span>
      {below && <span className="block truncate text-xs text-muted">{below}</span>}
    </>
  );
}

/** Time relative to now, "3 hours ago", with the exact time on hover. */
export function Ago({ at }: { readonly at: Timestamp | undefined }) {
  const date = toDate(at);
  return (
    <span className="block truncate text-muted" title={date && dateTime(date)}>
      {date ? relativeTime(date) : "—"}
    </span>
  );
}

export interface RowAction {
  readonly label: string;
  readonly isDanger?: boolean;
  readonly act: () => unknown;
}

/** Buttons for the actions that the user may perform on a row; other actions are not shown. */
export function RowActions({
  id,
  lead,
  actions,
  more = [],
  isNarrow = false,
}: {
  /** ID of the row. */
  readonly id: string;
  /** Element before the actions that is more than a button. */
  readonly lead?: ReactNode;
  readonly actions: readonly (RowAction | false | null | undefined | "" | 0)[];
  /** Rarely used actions, in a menu behind three dots. */
  readonly more?: readonly (MenuAction | false | undefined)[];
  /** Whether space is short: destructive actions then move into the menu as well. */
  readonly isNarrow?: boolean;
}) {
  const offered = actions.filter((action) => action !== false && !!action);
  const isFolded = ({ isDanger = false }: RowAction) => isNarrow && isDanger && more.some(Boolean);
  const seldom: readonly MenuAction[] = [
    ...more.filter((action) => action !== false && action !== undefined),
    ...offered.filter(isFolded).map(({ label, act }) => ({ label, onSelect: () => void act(), isDanger: true })),
  ];
  return (
    <span className="flex items-center justify-end gap-1.5">
      {lead}
      {offered
        .filter((action) => !isFolded(action))
        .map((action) => (
          <Button
            key={action.label}
            variant={action.isDanger ? "danger" : "secondary"}
            aria-describedby={rowTitleId(id)}
            onClick={() => void action.act()}
          >
            {action.label}
          </Button>
        ))}
      {seldom.length > 0 && <Menu isIcon text={strings.more} describedBy={rowTitleId(id)} actions={seldom} />}
    </span>
  );
}
