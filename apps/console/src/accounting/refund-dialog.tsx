import type { Transaction } from "@followspot/contract/accounting";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { useMoveGold } from "./accounting.queries.ts";
import { goldStrings as text } from "./accounting.strings.ts";

/** Asks before a transaction is taken back. */
export function RefundDialog({
  transaction,
  onClose,
}: {
  readonly transaction: Transaction;
  readonly onClose: () => void;
}) {
  const move = useMoveGold();
  const { id, amount, fromUserId, fromName, toUserId, toName } = transaction;
  const nameOf = (userId: string, name: string) => (userId === "" ? text.mint : name || text.purged);
  return (
    <ConfirmDialog
      open
      title={text.refundTitle}
      message={text.refundQuestion(amount, nameOf(toUserId, toName), nameOf(fromUserId, fromName))}
      confirmLabel={move.isPending ? text.refunding : text.refund}
      pending={move.isPending}
      error={move.error}
      onClose={onClose}
      onConfirm={() =>
        move.mutate(
          { kind: "refund", refundOf: id },
          {
            onSuccess: () => {
              onClose();
              showToast(text.refundDone(amount));
            },
          },
        )
      }
    />
  );
}
