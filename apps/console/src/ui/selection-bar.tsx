import { useState, type ReactNode } from "react";
import { plainErrorText } from "../lib/errors.ts";
import type { ListSelection } from "../lib/list-selection.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { showToast } from "./toast.tsx";

/** Something done to every chosen row, one call per row. */
export interface BulkAction<Row> extends BulkSteps<Row> {
  readonly label: string;
  readonly isDanger?: boolean;
  /** Asked before anything happens. */
  readonly question?: (rows: number) => string;
  /** Rows it means something to; the other chosen ones are left alone. */
  readonly isFor?: (row: Row) => boolean;
}

export interface BulkSteps<Row> {
  readonly act: (row: Row) => Promise<unknown>;
  /** Said when it is done; what failed is added. */
  readonly done: (rows: number) => string;
  readonly undo?: (row: Row) => Promise<unknown>;
}

/** One of which has to be said first, in a dialog, what it does. */
export interface AskingBulkAction<Row> extends Pick<BulkAction<Row>, "label" | "isFor"> {
  readonly ask: (answers: {
    readonly onAnswer: (steps: BulkSteps<Row>) => void;
    readonly onClose: () => void;
  }) => ReactNode;
}

/** One that the screen does to all chosen rows in one call. */
export interface WholeBulkAction<Row> {
  readonly label: string;
  readonly isDanger?: boolean;
  /** @param clear for when it is done: nothing is chosen any more */
  readonly withAll: (rows: readonly Row[], clear: () => void) => void;
}

export type AnyBulkAction<Row> = BulkAction<Row> | AskingBulkAction<Row> | WholeBulkAction<Row>;

/** Deletes every chosen row after a question, with Undo. */
export const bulkDelete = <Row,>(
  text: { readonly bulkDelete: (rows: number) => string; readonly bulkDeleted: (rows: number) => string },
  calls: { readonly remove: (row: Row) => Promise<unknown>; readonly restore: (row: Row) => Promise<unknown> },
  isFor: (row: Row) => boolean = () => true,
): BulkAction<Row> => ({
  label: strings.delete,
  isDanger: true,
  question: text.bulkDelete,
  isFor,
  act: calls.remove,
  done: text.bulkDeleted,
  undo: calls.restore,
});

/** Takes the place of the title row while rows are chosen. */
export function SelectionBar<Row>({
  selection,
  actions,
}: {
  readonly selection: ListSelection<Row>;
  readonly actions: readonly AnyBulkAction<Row>[];
}) {
  const [asking, setAsking] = useState<AnyBulkAction<Row>>();
  const [progress, setProgress] = useState<string>();
  const run = async (action: BulkAction<Row>) => {
    setAsking(undefined);
    try {
      const chosen = await selection.rows(new AbortController().signal);
      const rows = action.isFor ? chosen.filter(action.isFor) : chosen;
      const { done, failures } = await inTurn(rows, action.act, (n) => setProgress(strings.lists.bulk(n, rows.length)));
      const { undo } = action;
      if (done.length > 0)
        showToast(action.done(done.length), undo && { undo: () => void inTurn(done, undo, () => undefined) });
      if (failures.length > 0)
        showToast(strings.lists.bulkFailed(failures.length, plainErrorText(failures[0])), { bad: true });
      selection.clear();
    } catch (error) {
      showToast(plainErrorText(error), { bad: true });
    } finally {
      setProgress(undefined);
    }
  };
  const handOver = async ({ withAll }: WholeBulkAction<Row>) => {
    try {
      withAll(await selection.rows(new AbortController().signal), selection.clear);
    } catch (error) {
      showToast(plainErrorText(error), { bad: true });
    }
  };
  const start = (action: AnyBulkAction<Row>) => {
    if ("withAll" in action) void handOver(action);
    else if ("ask" in action || action.question) setAsking(action);
    else void run(action);
  };
  return (
    <div role="toolbar" aria-label={strings.lists.selection} className="flex flex-wrap items-center gap-2">
      <span role="status" className="mr-1 font-medium">
        {progress ?? strings.lists.chosen(selection.count)}
      </span>
      {selection.offered !== undefined && (
        <Button onClick={selection.chooseWhole}>{strings.lists.chooseWhole(selection.offered)}</Button>
      )}
      {actions.map((action) => (
        <Button
          key={action.label}
          variant={"isDanger" in action && action.isDanger ? "danger" : "secondary"}
          disabled={progress !== undefined}
          onClick={() => start(action)}
        >
          {action.label}
        </Button>
      ))}
      <Button variant="ghost" disabled={progress !== undefined} onClick={selection.clear}>
        {strings.lists.clearSelection}
      </Button>
      {asking &&
        "ask" in asking &&
        asking.ask({ onAnswer: (steps) => void run({ ...asking, ...steps }), onClose: () => setAsking(undefined) })}
      {asking && "question" in asking && asking.question && (
        <ConfirmDialog
          open
          title={asking.label}
          message={asking.question(selection.count)}
          confirmLabel={asking.label}
          onClose={() => setAsking(undefined)}
          onConfirm={() => void run(asking)}
        />
      )}
    </div>
  );
}

/** One after the other; a failure stops none of the others. */
async function inTurn<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  onProgress: (done: number) => void,
): Promise<{ readonly done: readonly Row[]; readonly failures: readonly unknown[] }> {
  const done: Row[] = [];
  const failures: unknown[] = [];
  for (const [index, row] of rows.entries()) {
    onProgress(index);
    try {
      await act(row);
      done.push(row);
    } catch (error) {
      failures.push(error);
    }
  }
  return { done, failures };
}
