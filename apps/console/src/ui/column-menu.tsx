import { Menu } from "@base-ui/react/menu";
import { Check, Columns3 } from "lucide-react";
import { useState } from "react";
import { remembered, remember } from "../lib/list-memory.ts";
import { strings } from "../lib/strings.ts";
import { buttonClass } from "./button.tsx";
import { MENU_ITEM, MenuPopup } from "./menu.tsx";
import type { TableColumn } from "./table-columns.ts";

/** Returns the IDs of hidden columns and a function that toggles one. Stored in this browser under the list's name. */
export function useHiddenColumns(list: string): readonly [ReadonlySet<string>, (id: string) => void] {
  const key = `followspot.hidden.${list}`;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(remembered(key)));
  const turn = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    remember(key, [...next]);
    setHidden(next);
  };
  return [hidden, turn];
}

/** Menu that hides and shows the optional columns. */
export function ColumnMenu({
  columns,
  hidden,
  onTurn,
}: {
  readonly columns: readonly TableColumn<never>[];
  readonly hidden: ReadonlySet<string>;
  readonly onTurn: (id: string) => void;
}) {
  const optional = columns.filter(({ isOptional }) => isOptional);
  if (optional.length === 0) return null;
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonClass()}>
        <Columns3 aria-hidden size={14} /> {strings.lists.columns}
      </Menu.Trigger>
      <MenuPopup>
        {optional.map(({ id, head }) => (
          <Menu.CheckboxItem
            key={id}
            className={MENU_ITEM}
            checked={!hidden.has(id)}
            onCheckedChange={() => onTurn(id)}
          >
            {head}
            <Menu.CheckboxItemIndicator className="ml-auto">
              <Check aria-hidden size={14} />
            </Menu.CheckboxItemIndicator>
          </Menu.CheckboxItem>
        ))}
      </MenuPopup>
    </Menu.Root>
  );
}
