import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { csvHead, csvLines, type CsvColumn } from "../lib/list-csv.ts";
import { plainErrorText } from "../lib/errors.ts";
import { saveFile } from "../lib/save-file.ts";
import { strings } from "../lib/strings.ts";
import { Button } from "./button.tsx";
import type { WholeBulkAction } from "./selection-bar.tsx";
import { showToast } from "./toast.tsx";

/** Bulk action that exports the selected rows to a CSV file. */
export const csvOfChosen = <Row,>(name: string, columns: readonly CsvColumn<Row>[]): WholeBulkAction<Row> => ({
  label: strings.lists.csv,
  withAll: (rows) => saveCsv(name, [csvHead(columns), csvLines(columns, rows)]),
});

const saveCsv = (name: string, parts: readonly string[]) =>
  saveFile(new Blob([...parts], { type: "text/csv;charset=utf-8" }), `${name}.csv`);

/** Exports every row of the current search and filter to a file, page by page; the export can be stopped. */
export function CsvButton<Row>({
  name,
  columns,
  total,
  everyRow,
}: {
  /** Name of the file, without ".csv". */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  readonly total: number | undefined;
  readonly everyRow: (signal: AbortSignal) => AsyncIterable<readonly Row[]>;
}) {
  const [written, setWritten] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const write = async () => {
    const { signal } = (running.current = new AbortController());
    const parts = [csvHead(columns)];
    let rows = 0;
    setWritten(0);
    try {
      for await (const page of everyRow(signal)) {
        signal.throwIfAborted();
        parts.push(csvLines(columns, page));
        setWritten((rows += page.length));
      }
      saveCsv(name, parts);
    } catch (error) {
      if (!signal.aborted) showToast(strings.lists.csvFailed(plainErrorText(error)), { bad: true });
    } finally {
      setWritten(undefined);
    }
  };
  if (written === undefined)
    return (
      <Button onClick={() => void write()} aria-label={strings.lists.csvLabel}>
        <Download aria-hidden size={14} /> {strings.lists.csv}
      </Button>
    );
  return (
    <span className="flex items-center gap-2">
      <span role="status" className="text-xs text-muted">
        {strings.lists.csvWritten(written, total)}
      </span>
      <Button onClick={() => running.current?.abort()}>{strings.cancel}</Button>
    </span>
  );
}
