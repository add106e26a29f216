import { useTransport } from "@connectrpc/connect-query";
import { useEffect, useEffectEvent, useState, type ComponentProps, type ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { isNotFound, isOvertaken, plainErrorText } from "../lib/errors.ts";
import { changedFields, collidingFields, mergeFields } from "../lib/list-merge.ts";
import { caller, type Call } from "../lib/list-source.ts";
import { strings } from "../lib/strings.ts";
import { ConflictNotice } from "./conflict-notice.tsx";
import { FormDialog, useDialogForm, type FormDialogProps } from "./form-dialog.tsx";
import { showToast } from "./toast.tsx";

/** A thing in a form, beside the thing as it was read last: a save is refused when it has changed since. */
export interface Edit<Thing, Fields extends FieldValues> {
  readonly base: Thing | undefined;
  /** The thing as the page knows it now, which others may have changed since. */
  readonly now: Thing | undefined;
  readonly form: UseFormReturn<Fields>;
  readonly isDirty: boolean;
  readonly fieldsOf: (thing: Thing | undefined) => Fields;
  /** What is typed is about this state of the thing from now on. */
  readonly goOnFrom: (theirs: Thing, fields: Fields) => void;
}

/** @param thing as the page knows it, from drawing to drawing; undefined for a new one */
export function useEdit<Thing, Fields extends FieldValues>(
  thing: Thing | undefined,
  fieldsOf: (thing: Thing | undefined) => Fields,
): Edit<Thing, Fields> {
  const [base, setBase] = useState(thing);
  const form = useDialogForm(fieldsOf(thing));
  const goOnFrom = (theirs: Thing, fields: Fields) => {
    form.reset(fieldsOf(theirs));
    form.reset(fields, { keepDefaultValues: true });
    setBase(theirs);
  };
  return { base, now: thing, form, isDirty: form.formState.isDirty, fieldsOf, goOnFrom };
}

/** What a text field is called, and what may stand in it. */
interface FieldRow<Fields extends FieldValues> extends Pick<
  ComponentProps<"input">,
  "type" | "step" | "min" | "max" | "inputMode" | "list"
> {
  readonly label: string;
  readonly hint?: string;
  /** Characters that fit. */
  readonly most?: number;
  /** Answers true, or says what is wrong. */
  readonly rule?: (value: string, fields: Fields) => true | string | undefined;
  readonly onChange?: () => void;
}

/** What a form says of its text fields, by their names. */
export type FieldRows<Fields extends FieldValues, Names extends Path<Fields> = Path<Fields>> = Readonly<
  Record<Names, FieldRow<Fields>>
>;

/** Gives fields of a form what its table says of them, and what is wrong with what was typed. */
export function fieldsIn<Fields extends FieldValues, Names extends Path<Fields>>(
  { register, getFieldState, formState }: UseFormReturn<Fields>,
  rows: FieldRows<Fields, Names>,
) {
  return (name: Names) => {
    const { rule = () => true, onChange = () => undefined, ...row } = rows[name];
    const error = getFieldState(name, formState).error?.message;
    return { ...row, error, ...register(name, { validate: rule, onChange }) };
  };
}

/** How a thing that can be brought back is deleted and restored. */
export interface Deletion<Thing> {
  /** Left out where nothing can be read of a deleted one. */
  readonly isDeleted?: (thing: Thing) => boolean;
  /** The page has heard that it was deleted, where it knows no more of a deleted one. */
  readonly isGoneNow?: boolean;
  /** Absent where the person may not. @param thing as it is now, else as it was read last */
  readonly restore: ((thing: Thing) => Promise<unknown>) | undefined;
}

/**
 * A form that makes a thing or changes one. When another person changed other fields of the thing meanwhile, both changes
 * are saved and it says so; where both changed one field it says what, and asks whose words stay. What was deleted
 * meanwhile is restored before it is saved.
 */
export function EditDialog<Thing, Fields extends FieldValues>({
  edit: { base, now, form, isDirty, fieldsOf, goOnFrom },
  save,
  error = save.error,
  hasFile = false,
  read,
  labelOf,
  inWords = String,
  deletion,
  onSubmit,
  children,
  ...dialog
}: Omit<FormDialogProps, "dirty" | "pending" | "onSubmit"> & {
  readonly edit: Edit<Thing, Fields>;
  readonly save: { readonly error: unknown; readonly isPending: boolean; readonly reset: () => void };
  /** Why it is not saved, where that is not all the last save said. */
  readonly error?: unknown;
  /** A file is chosen that would be lost. */
  readonly hasFile?: boolean;
  /** Reads the thing as it is now. */
  readonly read: (call: Call, base: Thing) => Promise<Thing | undefined>;
  /** What a field is called where another person has changed it. */
  readonly labelOf: (name: keyof Fields) => string;
  readonly inWords?: (value: Fields[keyof Fields], name: keyof Fields) => string;
  readonly deletion?: Deletion<Thing>;
  /** @param fields with no space around texts */
  readonly onSubmit: (fields: Fields) => void;
  readonly children: ReactNode;
}) {
  const transport = useTransport();
  const [joins, setJoins] = useState(0);
  const follow = (theirs: Thing, fields: Fields) => {
    goOnFrom(theirs, fields);
    save.reset();
  };
  const joined = (theirs: Thing, taken: ReadonlySet<string> = new Set()) => {
    const now = fieldsOf(theirs);
    const chosen = Object.entries(now).filter(([name]) => taken.has(name));
    return {
      ...mergeFields(fieldsOf(base), form.getValues(), now),
      ...(Object.fromEntries(chosen) as Partial<Fields>),
    };
  };
  const readNow = async (signal?: AbortSignal) => {
    if (!base) return undefined;
    return read(caller(transport, signal), base).catch((why: unknown) => {
      if (deletion && isNotFound(why)) return undefined;
      throw why;
    });
  };
  const isGone = (theirs: Thing | undefined) =>
    Boolean(theirs && deletion?.isDeleted?.(theirs) && base && !deletion.isDeleted(base));
  const goOn = (theirs: Thing) => {
    follow(theirs, joined(theirs));
    setJoins((before) => before + 1);
  };
  const restoreAndSave = async (theirs: Thing | undefined) => {
    const deleted = theirs ?? base;
    if (deleted) await deletion?.restore?.(deleted);
    const back = await readNow();
    if (back) goOn(back);
  };
  const namesChanged = (fields: Fields) => changedFields(fieldsOf(base), fields);
  const submit = form.handleSubmit((fields) => onSubmit(trimmed(fields)));
  // Once what is saved is about their state.
  const submitJoined = useEffectEvent(() => submit());
  useEffect(() => {
    if (joins > 0) void submitJoined();
  }, [joins]);
  return (
    <FormDialog {...dialog} dirty={isDirty || hasFile} pending={save.isPending} onSubmit={() => submit()}>
      {base && now && !isOvertaken(error) && !save.isPending && (
        <ChangedNow
          isDeleted={isGone(now) || deletion?.isGoneNow === true}
          fields={namesChanged(fieldsOf(now)).map(labelOf)}
        />
      )}
      <ConflictNotice
        error={error}
        read={readNow}
        differences={(theirs) => {
          const now = fieldsOf(theirs);
          const colliding = new Set(collidingFields(fieldsOf(base), form.getValues(), now));
          return namesChanged(now).map((name) => ({
            name: String(name),
            label: labelOf(name),
            theirs: inWords(now[name], name),
            collides: colliding.has(name),
          }));
        }}
        isGone={isGone}
        onApart={(theirs) => {
          const names = namesChanged(fieldsOf(theirs)).map(labelOf);
          goOn(theirs);
          showToast(strings.conflict.joined(plainErrorText(error), names.join(", ")));
        }}
        onTheirs={(theirs) => follow(theirs, fieldsOf(theirs))}
        onMine={(theirs, taken) => follow(theirs, joined(theirs, taken))}
        restore={deletion?.restore && restoreAndSave}
      />
      {children}
    </FormDialog>
  );
}

/** What another person does to the thing while it is edited, as the page hears of it. */
function ChangedNow({ isDeleted, fields }: { readonly isDeleted: boolean; readonly fields: readonly string[] }) {
  const said = isDeleted
    ? strings.conflict.deletedNow
    : fields.length > 0 && strings.conflict.changedNow(fields.join(", "));
  return (
    <p role="status" className="rounded-md border border-warn px-3 py-2 text-sm wrap-anywhere empty:hidden">
      {said}
    </p>
  );
}

/** The same fields: texts stay texts. */
function trimmed<Fields extends FieldValues>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : value,
  ]);
  return Object.fromEntries(entries) as Fields;
}
