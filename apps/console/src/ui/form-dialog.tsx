import { useEffect, useRef, useState, type ReactNode } from "react";
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from "react-hook-form";
import { Dialog, DialogBody, SaveActions } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Something is typed that would be lost. */
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
  dirty = false,
  submitLabel,
  pendingLabel,
  pending,
  onSubmit,
  onClose,
  question,
  children,
}: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const [checks, setChecks] = useState(0);
  useEffect(() => {
    if (checks > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [checks]);
  const submit = async () => {
    await onSubmit();
    setChecks((before) => before + 1);
  };
  return (
    <Dialog open wide={wide} dirty={dirty} title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="contents"
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
