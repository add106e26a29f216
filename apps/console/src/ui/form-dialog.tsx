import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from "react-hook-form";
import { isTextField } from "../lib/key-target.ts";
import { Dialog, DialogBody, SaveActions } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Whether closing would lose input; by default, whether a text field has changed. */
  readonly dirty?: boolean;
  readonly submitLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly pending: boolean;
  /**
   * Called on submit; afterwards the first invalid field gets the focus. A promise resolves once the input is
   * validated.
   */
  readonly onSubmit: () => void | Promise<void>;
  readonly onClose: () => void;
  /** A dialog on top of this one. */
  readonly question?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Creates the form state for {@link FormDialog}, which focuses the first invalid field. Focusing by the library is off:
 * it would run a second time and interrupt the user's typing.
 * @param defaultValues all fields, none omitted
 */
export const useDialogForm = <Fields extends FieldValues>(defaultValues: Fields): UseFormReturn<Fields> =>
  useForm({ defaultValues: defaultValues as DefaultValues<Fields>, shouldFocusError: false });

/** A dialog with a form, a Cancel button and a submit button. */
export function FormDialog({
  title,
  wide = false,
  dirty,
  submitLabel,
  pendingLabel,
  pending,
  onSubmit,
  onClose,
  question,
  children,
}: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const typed = useIsTyped();
  const [checks, setChecks] = useState(0);
  useEffect(() => {
    if (checks > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [checks]);
  const submit = async () => {
    // A field whose text is too long shows its limit.
    if (!textFieldsIn(form.current).some(isTooLong)) await onSubmit();
    setChecks((before) => before + 1);
  };
  return (
    <Dialog open wide={wide} dirty={dirty ?? typed.isTyped} title={title} onClose={onClose}>
      <form
        ref={(node) => {
          typed.remember(node);
          form.current = node;
        }}
        noValidate
        className="contents"
        onInput={typed.watch}
        onSubmit={(submission) => {
          submission.preventDefault();
          void submit();
        }}
      >
        <DialogBody>{children}</DialogBody>
        <SaveActions label={submitLabel} pendingLabel={pendingLabel} pending={pending} onClose={onClose} />
      </form>
      {question}
    </Dialog>
  );
}

/** Tracks whether a text field of a form differs from its initial value. */
function useIsTyped() {
  const [isTyped, setTyped] = useState(false);
  const before = useRef(new Map<Element, string>());
  const remember = (form: HTMLFormElement | null) => {
    for (const field of textFieldsIn(form)) if (!before.current.has(field)) before.current.set(field, field.value);
  };
  const watch = ({ currentTarget }: FormEvent<HTMLFormElement>) =>
    setTyped(textFieldsIn(currentTarget).some((field) => field.value !== (before.current.get(field) ?? "")));
  return { isTyped, remember, watch };
}

const textFieldsIn = (form: HTMLFormElement | null) => [...(form?.elements ?? [])].filter(isTextField);

const isTooLong = ({ value, dataset }: HTMLInputElement | HTMLTextAreaElement): boolean =>
  value.length > Number(dataset["most"] ?? Number.POSITIVE_INFINITY);
