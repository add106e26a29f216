import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from "react-hook-form";
import { isTextField } from "../lib/key-target.ts";
import { Dialog, DialogBody, SaveActions } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Whether something would be lost; by default, whether a text field has been changed. */
  readonly dirty?: boolean;
  readonly submitLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly pending: boolean;
  /** Afterwards the first field that is wrong gets the focus. A promise ends once what was typed has been checked. */
  readonly onSubmit: () => void | Promise<void>;
  readonly onClose: () => void;
  /** A dialog over this one. */
  readonly question?: ReactNode;
  readonly children: ReactNode;
}

/**
 * What is typed into a dialog, for {@link FormDialog}, which puts the focus into what is wrong. The library would do it twice,
 * and take it from where a person types by then.
 * @param defaultValues all fields: nothing is left out
 */
export const useDialogForm = <Fields extends FieldValues>(defaultValues: Fields): UseFormReturn<Fields> =>
  useForm({ defaultValues: defaultValues as DefaultValues<Fields>, shouldFocusError: false });

/** A form in a dialog: what is filled in, Cancel, and the button that sends it. */
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
    // A field whose text is too long shows how many characters fit.
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

/** Whether a text field of a form differs from what stood in it when the field appeared. */
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
