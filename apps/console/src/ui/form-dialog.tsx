import type { ReactNode } from "react";
import { Dialog, DialogBody, SaveActions } from "./dialog.tsx";

export interface FormDialogProps {
  readonly title: string;
  readonly wide?: boolean;
  /** Something is typed that would be lost. */
  readonly dirty?: boolean;
  readonly submitLabel: string;
  readonly pendingLabel?: string | undefined;
  readonly pending: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** A dialog over this one. */
  readonly question?: ReactNode;
  readonly children: ReactNode;
}

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
  return (
    <Dialog open wide={wide} dirty={dirty} title={title} onClose={onClose}>
      <form
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
