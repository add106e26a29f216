import { useCallback, useState } from "react";
import type { ListSource } from "./list-source.ts";

/** The selected rows of a list: individual rows, or all that match. */
export interface ListSelection<Row> {
  readonly count: number;
  // Both functions are stable while the selection is unchanged, so that its rows do not render again.
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  readonly toggleLoaded: () => void;
  readonly areAllLoadedChosen: boolean;
  readonly isWhole: boolean;
  /** Number of matching rows, if more rows match than are selected and the number is known; otherwise undefined. */
  readonly offered: number | undefined;
  readonly chooseWhole: () => void;
  readonly clear: () => void;
  /** Reads the selected rows; a selection of all matches is read page by page. */
  readonly rows: (signal: AbortSignal) => Promise<readonly Row[]>;
}

interface Chosen {
  /** Query that the selection belongs to; another query starts an empty selection. */
  readonly of: string;
  readonly ids: ReadonlySet<string>;
  readonly whole: boolean;
}

const NONE: ReadonlySet<string> = new Set();

export function useListSelection<Row>(
  { id }: Pick<ListSource<Row>, "id">,
  rows: readonly Row[],
  total: number | undefined,
  everyRow: (signal: AbortSignal) => AsyncGenerator<readonly Row[]>,
  question: string,
): ListSelection<Row> {
  const [kept, setKept] = useState<Chosen>({ of: question, ids: NONE, whole: false });
  const { ids, whole } = kept.of === question ? kept : { ids: NONE, whole: false };
  const choose = useCallback(
    (next: ReadonlySet<string>) => setKept({ of: question, ids: next, whole: false }),
    [question],
  );
  const listed = whole ? rows : undefined;
  const loaded = whole || ids.size > 0 ? rows.filter((row) => whole || ids.has(id(row))) : [];
  const areAllLoadedChosen = rows.length > 0 && loaded.length === rows.length;
  return {
    count: whole ? (total ?? rows.length) : loaded.length,
    has: useCallback((row: Row) => whole || ids.has(id(row)), [whole, ids, id]),
    toggle: useCallback(
      (row: Row) => {
        const next = new Set(listed?.map(id) ?? ids);
        if (!next.delete(id(row))) next.add(id(row));
        choose(next);
      },
      [listed, ids, id, choose],
    ),
    toggleLoaded: () => choose(areAllLoadedChosen ? NONE : new Set(rows.map(id))),
    areAllLoadedChosen,
    isWhole: whole,
    offered: !whole && areAllLoadedChosen && total !== undefined && total > rows.length ? total : undefined,
    chooseWhole: () => setKept({ of: question, ids: NONE, whole: true }),
    clear: () => choose(NONE),
    rows: async (signal) => {
      if (!whole) return loaded;
      const all: Row[] = [];
      for await (const page of everyRow(signal)) all.push(...page);
      return all;
    },
  };
}
