import { useEffect, useState } from "react";
import { saveFile } from "../../lib/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { DialogActions, DialogBody } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Progress } from "../../ui/progress.tsx";
import type { ChosenFile } from "./choose-file.tsx";
import { ColumnFields } from "./column-fields.tsx";
import { isLeftOut, isStored, type Outcome } from "./import-people.ts";
import { importStrings as text } from "./import.strings.ts";
import { OutcomeList } from "./outcome-list.tsx";
import { matchColumns, refusedFile } from "./people-table.ts";
import { useImport } from "./use-import.ts";

/** Import steps after the file is parsed: column assignment, preview per row, import, result per row. */
export function ImportFile({
  file: { name, table },
  onWork,
  onDone,
  onOther,
  onClose,
}: {
  readonly file: ChosenFile;
  readonly onWork: (isWorking: boolean) => void;
  /** @param isClean true if no row was rejected, repeated or skipped */
  readonly onDone: (created: readonly string[], stored: number, isClean: boolean) => void;
  readonly onOther: () => void;
  readonly onClose: () => void;
}) {
  const [columns, setColumns] = useState(() => matchColumns(table.heads));
  const [updates, setUpdates] = useState(false);
  const run = useImport(table, columns, updates);
  const { people, outcomes, work, error, isDone } = run;
  const isWorking = work !== undefined;
  useEffect(() => {
    onWork(isWorking);
  }, [onWork, isWorking]);
  const stored = outcomes?.filter(isStored) ?? [];
  const leftOut = outcomes?.flatMap((outcome, index) => (isLeftOut(outcome) ? [{ outcome, index }] : [])) ?? [];

  const store = async (checked: readonly Outcome[]) => {
    const after = await run.store(checked);
    const created = after.filter(({ state }) => state === "created").map(({ userId }) => userId);
    onDone(created, after.filter(isStored).length, !after.some(isLeftOut));
  };
  const save = () => {
    const rows = leftOut.map(({ outcome, index }) => ({ row: table.rows[index]!, reason: outcome.reason })); // one outcome per row
    saveFile(refusedFile(table.heads, rows, text.reason), `${text.refusedFile}.csv`);
  };
  const saveRefused = leftOut.length > 0 && (
    <Button large onClick={save}>
      {text.saveRefused(leftOut.length)}
    </Button>
  );

  if (work)
    return (
      <>
        <DialogBody>
          <p role="status">{text[work.kind](work.done, work.all)}</p>
          <Progress label={text.title} value={work.all === 0 ? 1 : work.done / work.all} />
        </DialogBody>
        <DialogActions>
          <Button large autoFocus onClick={run.stop}>
            {text.cancel}
          </Button>
        </DialogActions>
      </>
    );
  if (!outcomes)
    return (
      <>
        <DialogBody>
          <p className="font-medium wrap-anywhere">{text.found(name, people.length)}</p>
          <ColumnFields
            table={table}
            columns={columns}
            onColumns={setColumns}
            updates={updates}
            onUpdates={setUpdates}
          />
          <FormError error={error} />
        </DialogBody>
        <DialogActions>
          <Button large onClick={onOther}>
            {text.otherFile}
          </Button>
          <Button large variant="primary" disabled={columns.name === undefined} onClick={() => void run.check()}>
            {text.check(people.length)}
          </Button>
        </DialogActions>
      </>
    );
  return (
    <>
      <DialogBody>
        {isDone && (
          <p role="status" className="font-medium">
            {text.done(stored.length)}
          </p>
        )}
        <OutcomeList people={people} rows={table.rows} outcomes={outcomes} words={isDone ? text.did : text.would} />
        {!isDone && stored.length === 0 && <p className="text-sm text-muted">{text.nothing}</p>}
        <FormError error={error} />
      </DialogBody>
      <DialogActions>
        {!isDone && (
          <Button large autoFocus onClick={run.forget}>
            {text.back}
          </Button>
        )}
        {saveRefused}
        {isDone ? (
          <Button large autoFocus variant="primary" onClick={onClose}>
            {text.close}
          </Button>
        ) : (
          <Button large variant="primary" disabled={stored.length === 0} onClick={() => void store(outcomes)}>
            {text.import(stored.length)}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
