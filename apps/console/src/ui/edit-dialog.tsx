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

/** Form state of an edited item, with the item as last read: a save is refused if it has changed since. */
export interface Edit<Thing, Fields extends FieldValues> {
  readonly base: Thing | undefined;
  /** Current item in the cache, which other users may have changed. */
  readonly now: Thing | undefined;
  readonly form: UseFormReturn<Fields>;
  readonly isDirty: boolean;
  readonly fieldsOf: (thing: Thing | undefined) => Fields;
  /** Rebases the form on this state of the item. */
  readonly goOnFrom: (theirs: Thing, fields: Fields) => void;
}

/**
 * Creates the form state for an item. @param thing the item as currently cached, passed at each render; undefined for a
 * new one
 */
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

/** Label and constraints of a text field. */
interface FieldRow<Fields extends FieldValues> extends Pick<
  ComponentProps<"input">,
  "type" | "step" | "min" | "max" | "inputMode" | "list"
> {
  readonly label: string;
  readonly hint?: string;
  /** Maximum length, characters. */
  readonly most?: number;
  /** Returns true, or an error message. */
  readonly rule?: (value: string, fields: Fields) => true | string | undefined;
  readonly onChange?: () => void;
}

/** Definitions of a form's text fields by name. */
export type FieldRows<Fields extends FieldValues, Names extends Path<Fields> = Path<Fields>> = Readonly<
  Record<Names, FieldRow<Fields>>
>;

/** Returns a function that creates the props of a field from its definition, with the current validation error. */
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

/** How a restorable item is deleted and restored. */
export interface Deletion<Thing> {
  /** Whether an item is deleted; absent if a deleted item cannot be read. */
  readonly isDeleted?: (thing: Thing) => boolean;
  /** Whether the page was notified of the deletion, for items that cannot be read once deleted. */
  readonly isGoneNow?: boolean;
  /**
   * Restores the item; undefined if the user lacks the permission. @param thing the current item, or the last one read
   */
  readonly restore: ((thing: Thing) => Promise<unknown>) | undefined;
}

/**
 * A form that creates or edits an item. If another user changed other fields since, both changes are saved and a
 * message reports it. If both changed the same field, the dialog shows it and asks which value to keep. An item that
 * was deleted since is restored before it is saved.
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
  /** Reason why the form was not saved, if it is not the error of the last save alone. */
  readonly error?: unknown;
  /** Whether a chosen file would be lost. */
  readonly hasFile?: boolean;
  /** Reads the current state of the item. */
  readonly read: (call: Call, base: Thing) => Promise<Thing | undefined>;
  /** Returns the label of a field that another user has changed. */
  readonly labelOf: (name: keyof Fields) => string;
  readonly inWords?: (value: Fields[keyof Fields], name: keyof Fields) => string;
  readonly deletion?: Deletion<Thing>;
  /** @param fields with leading and trailing spaces removed from texts */
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
  // Submit once the form is based on their state.
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

/** Shows changes that another user makes to the item while it is edited. */
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

/** Returns the fields with their texts trimmed. */
function trimmed<Fields extends FieldValues>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === "string" ? value.trim() : value,
  ]);
  return Object.fromEntries(entries) as Fields;
}
