import { useState } from "react";
import { cx } from "../../ui/class-names.ts";
import { SaveActions, DialogBody } from "../../ui/dialog.tsx";
import { FileField, TextAreaField } from "../../ui/fields.tsx";
import { importStrings as text } from "./import.strings.ts";
import type { PeopleTable } from "./people-table.ts";
import { peopleTable, readPeopleFile } from "./read-people-file.ts";

/** Parsed import file. */
export interface ChosenFile {
  readonly name: string;
  readonly table: PeopleTable;
}

/** First step of the import: choose or drop a file, or paste its lines. */
export function ChooseFile({
  onFile,
  onClose,
}: {
  readonly onFile: (file: ChosenFile) => void;
  readonly onClose: () => void;
}) {
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState("");
  const [isOver, setOver] = useState(false);
  const read = async (name: string, table: () => PeopleTable | Promise<PeopleTable>) => {
    try {
      onFile({ name, table: await table() });
    } catch (error) {
      setProblem((error as Error).message); // describes what is wrong with the file
    }
  };
  const readFile = (file: File | undefined) => file && void read(file.name, () => readPeopleFile(file));
  return (
    <div
      className={cx("flex min-h-0 flex-col", isOver && "bg-accent/10")}
      onDragOver={(drag) => {
        drag.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(drop) => {
        drop.preventDefault();
        setOver(false);
        readFile(drop.dataTransfer.files[0]);
      }}
    >
      <DialogBody>
        <FileField
          label={text.file}
          hint={text.fileHint}
          accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
          onChange={({ target }) => {
            readFile(target.files?.[0]);
            // Allows the user to choose the same file again after correcting it.
            target.value = "";
          }}
        />
        <TextAreaField label={text.paste} value={pasted} onChange={({ target }) => setPasted(target.value)} />
        {problem && (
          <p role="alert" className="text-sm wrap-anywhere text-danger">
            {problem}
          </p>
        )}
      </DialogBody>
      <SaveActions
        label={text.read}
        pending={false}
        disabled={pasted.trim() === ""}
        onSave={() => void read(text.pasted, () => peopleTable(pasted))}
        onClose={onClose}
      />
    </div>
  );
}
