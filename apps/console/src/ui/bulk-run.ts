import { isUnauthenticated, plainErrorText } from "../lib/errors.ts";
import { askBeforeLeaving } from "../lib/ask-before-leaving.ts";
import { strings } from "../lib/strings.ts";
import { showLasting, showToast } from "./toast.tsx";

const text = strings.lists;

interface Ended<Row> {
  readonly done: readonly Row[];
  /** Errors of the rows that were processed. */
  readonly failures: readonly unknown[];
  /** Number of rows that were not processed because the run was stopped. */
  readonly left: number;
}

/**
 * Applies an action to many rows, one after another; a failure does not stop the others. The run continues when its
 * screen is closed: a notice shows the progress and can stop it. It stops when the session ends, because every other
 * row would be refused.
 *
 * @param label name of the action, for the notice
 * @param onProgress called with the number of processed rows
 */
async function runInTurn<Row>(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  label: string,
  onProgress: (done: number) => void = () => undefined,
): Promise<Ended<Row>> {
  const done: Row[] = [];
  const failures: unknown[] = [];
  let isStopped = false;
  const says = (through: number) => text.bulkRun(label, through, rows.length);
  const notice =
    rows.length > 1 ? showLasting(says(0), { label: text.stop, act: () => (isStopped = true) }) : undefined;
  const endAsking = askBeforeLeaving();
  let through = 0;
  for (const row of rows) {
    if (isStopped) break;
    try {
      await act(row);
      done.push(row);
    } catch (error) {
      failures.push(error);
      isStopped ||= isUnauthenticated(error);
    }
    onProgress(++through);
    notice?.say(says(through));
  }
  endAsking();
  notice?.end();
  return { done, failures, left: rows.length - through };
}

/**
 * Runs an action on many rows and reports the result: what was done, with Undo if available; what failed; what was not
 * processed.
 */
export async function runAndTell<Row>(
  rows: readonly Row[],
  {
    label,
    act,
    done: says,
    undo,
  }: {
    readonly label: string;
    readonly act: (row: Row) => Promise<unknown>;
    readonly done: (rows: number) => string;
    readonly undo?: ((row: Row) => Promise<unknown>) | undefined;
  },
  onProgress?: (done: number) => void,
): Promise<void> {
  const { done, failures, left } = await runInTurn(rows, act, label, onProgress);
  if (done.length > 0) {
    const stopped = left > 0 ? `. ${text.bulkLeft(left)}` : "";
    showToast(says(done.length) + stopped, undo && { undo: () => void takeBack(done, undo) });
  }
  tellFailures(failures);
}

async function takeBack<Row>(rows: readonly Row[], undo: (row: Row) => Promise<unknown>): Promise<void> {
  const { failures } = await runInTurn(rows, undo, strings.undo);
  tellFailures(failures);
}

function tellFailures(failures: readonly unknown[]): void {
  if (failures.length > 0) showToast(text.bulkFailed(failures.length, plainErrorText(failures[0])), { bad: true });
}
