import { useMutation } from "@tanstack/react-query";
import { errorSentence } from "../lib/errors.ts";
import { strings } from "../lib/strings.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { showToast } from "./toast.tsx";

/** Asks for confirmation, deletes, reports the deletion, and offers Undo if possible. */
export function DeleteDialog({
  title,
  question,
  label = strings.delete,
  pendingLabel = strings.deleting,
  typeToConfirm,
  done,
  remove,
  restore,
  onClose,
}: {
  readonly title: string;
  readonly question: string;
  readonly label?: string;
  readonly pendingLabel?: string;
  readonly typeToConfirm?: string | undefined;
  /** Message afterwards that names what was deleted. */
  readonly done: string;
  readonly remove: () => Promise<unknown>;
  /** Restores the item; without it there is no Undo. */
  readonly restore?: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      onClose();
      showToast(done, restore && { undo: () => void restore().catch(sayWhy) });
    },
  });
  return (
    <ConfirmDialog
      open
      title={title}
      message={question}
      confirmLabel={removal.isPending ? pendingLabel : label}
      typeToConfirm={typeToConfirm}
      pending={removal.isPending}
      error={removal.error}
      onClose={onClose}
      onConfirm={() => removal.mutate()}
    />
  );
}

/** Shows in a toast why an action failed. */
export const sayWhy = (error: unknown): void => void showToast(errorSentence(error), { bad: true });
