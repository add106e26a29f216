import type { Light } from "@followspot/contract/lights";
import { createContext, use } from "react";
import { cx } from "../ui/class-names.ts";
import type { RowShellProps } from "../ui/data-table-body.tsx";
import { SortableRow } from "../ui/drag-order.tsx";

interface Chosen {
  readonly id: number | undefined;
  readonly choose: (lightId: number) => void;
}

/** Context for the selected light, whose table row and DMX slots are highlighted. */
export const ChosenLight = createContext<Chosen>({ id: undefined, choose: () => undefined });

/** Table row that highlights its DMX slots on the universe map when it receives focus. */
export function LightRow({ row, className, ...rest }: RowShellProps<Light>) {
  const { id, choose } = use(ChosenLight);
  const isChosen = row.id === id;
  return (
    <SortableRow
      {...rest}
      id={row.id}
      aria-selected={isChosen}
      data-light={row.id}
      className={cx(className, isChosen && "bg-raised")}
      onFocus={() => choose(row.id)}
    />
  );
}

/** Scrolls the row of a light into view, even if the row is not rendered. @param index row index in the list */
export function showRow(lightId: number, index: number, rowHeight: number): void {
  const row = document.querySelector<HTMLElement>(`[data-light="${lightId}"]`);
  if (row) return row.scrollIntoView({ block: "nearest" });
  const scroller = document.querySelector<HTMLElement>("[data-light]")?.closest<HTMLElement>("[role=grid]");
  scroller?.scrollTo({ top: Math.max(0, (index - 2) * rowHeight) });
}
