import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { dateTime, relativeTime, toDate } from "../lib/formatting.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { Menu, type MenuAction } from "./menu.tsx";
import { rowTitleId } from "./select-boxes.tsx";

/** What a row is called, and a quieter line below. Buttons of the row are described by it. */
export function RowTitle({
  id,
  title,
  below,
  onOpen,
}: {
  readonly id: string;
  readonly title: string;
  readonly below?: string;
  /** Makes the title a button that shows more of it. */
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

/** "3 hours ago", with the moment itself on hover. */
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

/** What the signed-in person may do with a row; nothing else is offered. */
export function RowActions({
  id,
  lead,
  actions,
  more = [],
  isNarrow = false,
}: {
  /** Of the row. */
  readonly id: string;
  /** A button that is more than an action, before them. */
  readonly lead?: ReactNode;
  readonly actions: readonly (RowAction | false | null | undefined | "" | 0)[];
  /** What is seldom wanted, behind three dots. */
  readonly more?: readonly (MenuAction | false | undefined)[];
  /** There is no room: what takes something away stands behind the three dots as well. */
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
