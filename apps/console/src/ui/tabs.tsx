import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import { useEffect, useRef, type ReactNode } from "react";

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Renders the panel; called only while the tab is open. */
  readonly panel: () => ReactNode;
}

/** Tabs with one open panel that fills the available height; arrow keys move between tabs. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  // If not all tabs fit, center the open one.
  useEffect(() => {
    const row = list.current;
    const open = row?.querySelector<HTMLElement>("[aria-selected=true]");
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
  }, [value]);
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)} // each value is a tab's
      className="flex h-full min-h-0 flex-col"
    >
      <BaseTabs.List
        ref={list}
        aria-label={label}
        className="relative flex shrink-0 gap-1 overflow-x-auto border-b px-2"
      >
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent px-2 text-sm text-muted -outline-offset-2 hover:text-fg data-active:border-accent data-active:text-fg"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value} className="min-h-0 flex-1 overflow-auto -outline-offset-2">
          {tab.value === value && tab.panel()}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
