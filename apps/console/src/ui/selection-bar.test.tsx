// @vitest-environment jsdom
import { act, useState } from "react";
import { expect, test, vi } from "vitest";
import type { ListSelection } from "../lib/list-selection.ts";
import { press, show } from "../testing/show.tsx";
import { SelectionBar } from "./selection-bar.tsx";

interface Row {
  readonly id: string;
}

function Bar({ selection, onRows }: { readonly selection: ListSelection<Row>; readonly onRows: () => void }) {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button onClick={() => setShown(false)}>Leave</button>
      {isShown && <SelectionBar selection={selection} actions={[{ label: "Export", withAll: onRows }]} />}
    </>
  );
}

// kept: Lists | The reading of a selection of 100,000 rows could not be stopped, and went on after the screen was left | failed on the old code
test.each([
  ["Stop is pressed", () => press("Stop")],
  ["the screen is left", () => press("Leave")],
])("ends the reading of the selected rows when %s", async (_when, end) => {
  const { promise, resolve } = Promise.withResolvers<readonly Row[]>();
  let signal: AbortSignal | undefined;
  const onRows = vi.fn();
  const selection = {
    count: 100_000,
    offered: undefined,
    rows: (given: AbortSignal) => {
      signal = given;
      return promise;
    },
  } as unknown as ListSelection<Row>;
  await show(<Bar selection={selection} onRows={onRows} />);
  await press("Export");
  expect(signal?.aborted).toBe(false);
  await end();
  expect(signal?.aborted).toBe(true);
  await act(async () => resolve([{ id: "a" }]));
  expect(onRows).not.toHaveBeenCalled();
});
