import { useEffect, useRef, type ReactNode } from "react";
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from "react-hook-form";
import { Dialog, DialogBody, SaveActions } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Something is typed that would be lost. */
  readonly dirty?: boolean;
  /** How often it was sent: each time the first field that is wrong gets the focus. */
  readonly sent?: number;
  readonly submitLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly pending: boolean;
  readonly onSubmit: () => void;
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
  sent = 0,
  submitLabel,
  pendingLabel,
  pending,
  onSubmit,
  onClose,
  question,
  children,
}: FormDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (sent > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [sent]);
  return (
    <Dialog open wide={wide} dirty={dirty} title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="contents"
        onSubmit={(submission) => {
          submission.preventDefault();
          onSubmit();
        }}
      >
        <DialogBody>{children}</DialogBody>
        <SaveActions label={submitLabel} pendingLabel={pendingLabel} pending={pending} onClose={onClose} />
      </form>
      {question}
    </Dialog>
  );
}
