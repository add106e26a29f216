import { CheckboxField, SelectField } from "../../ui/fields.tsx";
import { Options } from "../../ui/options.tsx";
import { userStrings } from "../user.strings.ts";
import { importStrings as text } from "./import.strings.ts";
import { FIELDS, type Columns, type PeopleTable } from "./people-table.ts";

const LABELS = userStrings.form;
const NONE = "";

/** Assigns the file's columns to fields. Each field shows the value from the first row as an example. */
export function ColumnFields({
  table: { heads, rows },
  columns,
  onColumns,
  updates,
  onUpdates,
}: {
  readonly table: PeopleTable;
  readonly columns: Columns;
  readonly onColumns: (columns: Columns) => void;
  readonly updates: boolean;
  readonly onUpdates: (updates: boolean) => void;
}) {
  const options = heads.map((head, at) => [at, head.trim() || text.column(at + 1)] as const);
  return (
    <>
      <fieldset>
        <legend className="mb-2 text-xs text-muted">{text.columns}</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {FIELDS.map((field) => {
            const at = columns[field];
            return (
              <SelectField
                key={field}
                autoFocus={field === "name"}
                label={LABELS[field]}
                hint={at === undefined ? undefined : rows[0]?.fields[at]?.slice(0, MOST_HINT)}
                error={field === "name" && at === undefined ? text.nameMissing : undefined}
                value={at ?? NONE}
                onChange={({ target }) => {
                  const { [field]: _before, ...others } = columns;
                  onColumns(target.value === NONE ? others : { ...others, [field]: Number(target.value) });
                }}
              >
                <Options of={[[NONE, text.notThere], ...options]} />
              </SelectField>
            );
          })}
        </div>
      </fieldset>
      <div>
        <CheckboxField label={text.updates} checked={updates} onChange={({ target }) => onUpdates(target.checked)} />
        <p className="mt-1 text-xs text-muted">{text.updatesHint}</p>
      </div>
    </>
  );
}

/** Maximum length of the example value under a field, characters. */
const MOST_HINT = 60;
