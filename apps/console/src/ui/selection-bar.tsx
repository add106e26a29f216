import { useEffect, useState, type ReactNode } from "react";
import { plainErrorText } from "../lib/errors.ts";
import type { ListSelection } from "../lib/list-selection.ts";
import { strings } from "../lib/strings.ts";
import { runAndTell } from "./bulk-run.ts";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { showToast } from "./toast.tsx";

/** Action on every selected row, one call per row. */
export interface BulkAction<Row> extends BulkSteps<Row> {
  readonly label: string;
  readonly isDanger?: boolean;
  /**
   * Returns the question to confirm before the action runs. @param rows rows it applies to @param chosen all selected
   * rows
   */
  readonly question?: (rows: readonly Row[], chosen: readonly Row[]) => string;
  /** Whether the action applies to a row; other selected rows are skipped. */
  readonly isFor?: (row: Row) => boolean;
}

export interface BulkSteps<Row> {
  readonly act: (row: Row) => Promise<unknown>;
  /** Formats the message after the action; failures are appended. */
  readonly done: (rows: number) => string;
  readonly undo?: (row: Row) => Promise<unknown>;
}

/** Action that first asks for its parameters in a dialog. */
export interface AskingBulkAction<Row> extends Pick<BulkAction<Row>, "label" | "isFor"> {
  readonly ask: (answers: {
    readonly onAnswer: (steps: BulkSteps<Row>) => void;
    readonly onClose: () => void;
  }) => ReactNode;
}

/** Action that the screen performs on all selected rows in one call. */
export interface WholeBulkAction<Row> {
  readonly label: string;
  readonly isDanger?: boolean;
  /** @param clear clears the selection, to be called on success */
  readonly withAll: (rows: readonly Row[], clear: () => void) => void;
}

export type AnyBulkAction<Row> = BulkAction<Row> | AskingBulkAction<Row> | WholeBulkAction<Row>;

/**
 * Deletes every selected row after confirmation, with Undo.
 * @param also returns a text to add to the question about the number of rows, from the rows to delete and all selected
 * rows
 */
export const bulkDelete = <Row,>(
  text: { readonly bulkDelete: (rows: number) => string; readonly bulkDeleted: (rows: number) => string },
  calls: { readonly remove: (row: Row) => Promise<unknown>; readonly restore: (row: Row) => Promise<unknown> },
  isFor: (row: Row) => boolean = () => true,
  also: (rows: readonly Row[], chosen: readonly Row[]) => string = () => "",
): BulkAction<Row> => ({
  label: strings.delete,
  isDanger: true,
  question: (rows, chosen) => `${text.bulkDelete(rows.length)} ${also(rows, chosen)}`.trim(),
  isFor,
  act: calls.remove,
  done: text.bulkDeleted,
  undo: calls.restore,
});

/** The open question to the user: parameters of an action, or confirmation for its rows. */
type Asking<Row> =
  | { readonly action: AskingBulkAction<Row> }
  | { readonly action: BulkAction<Row>; readonly rows: readonly Row[]; readonly question: string };

/** Replaces the title row while rows are selected. */
export function SelectionBar<Row>({
  selection,
  actions,
}: {
  readonly selection: ListSelection<Row>;
  readonly actions: readonly AnyBulkAction<Row>[];
}) {
  const [asking, setAsking] = useState<Asking<Row>>();
  const [progress, setProgress] = useState<string>();
  /** Aborts the read of the selected rows; undefined while none is in progress. */
  const [reading, setReading] = useState<AbortController>();
  useEffect(() => () => reading?.abort(), [reading]);
  /** Reads the selected rows. Returns undefined if the user stops it, or it fails, which is shown. */
  const readChosen = async () => {
    const controller = new AbortController();
    setReading(controller);
    setProgress(strings.loading);
    try {
      const rows = await selection.rows(controller.signal);
      return controller.signal.aborted ? undefined : rows;
    } catch (error) {
      if (!controller.signal.aborted) showToast(plainErrorText(error), { bad: true });
      return undefined;
    } finally {
      setProgress(undefined);
      setReading(undefined);
    }
  };
  const run = async (action: BulkAction<Row>, rows: readonly Row[]) => {
    setAsking(undefined);
    await runAndTell(rows, action, (done) => setProgress(strings.lists.bulk(done, rows.length)));
    setProgress(undefined);
    selection.clear();
  };
  const begin = async (action: BulkAction<Row>) => {
    const chosen = await readChosen();
    if (!chosen) return;
    const rows = action.isFor ? chosen.filter(action.isFor) : chosen;
    if (action.question && rows.length > 0) setAsking({ action, rows, question: action.question(rows, chosen) });
    else void run(action, rows);
  };
  const handOver = async ({ withAll }: WholeBulkAction<Row>) => {
    const chosen = await readChosen();
    if (chosen) withAll(chosen, selection.clear);
  };
  const start = (action: AnyBulkAction<Row>) => {
    if ("withAll" in action) void handOver(action);
    else if ("ask" in action) setAsking({ action });
    else void begin(action);
  };
  return (
    <div role="toolbar" aria-label={strings.lists.selection} className="flex flex-wrap items-center gap-2">
      <span role="status" className="mr-1 font-medium">
        {progress ?? strings.lists.chosen(selection.count)}
      </span>
      {reading && <Button onClick={() => reading.abort()}>{strings.lists.stop}</Button>}
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
        "ask" in asking.action &&
        asking.action.ask({
          onAnswer: (steps) => {
            setAsking(undefined);
            void begin({ ...asking.action, ...steps });
          },
          onClose: () => setAsking(undefined),
        })}
      {asking && "rows" in asking && (
        <ConfirmDialog
          open
          title={asking.action.label}
          message={asking.question}
          confirmLabel={asking.action.label}
          onClose={() => setAsking(undefined)}
          onConfirm={() => void run(asking.action, asking.rows)}
        />
      )}
    </div>
  );
}
