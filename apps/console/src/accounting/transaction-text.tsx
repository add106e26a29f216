import { TransactionKind, type Transaction } from "@followspot/contract/accounting";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Ago } from "../ui/row-parts.tsx";
import { rowTitleId } from "../ui/select-boxes.tsx";
import { Status } from "../ui/status.tsx";
import { goldStrings as text } from "./accounting.strings.ts";

/** One line of a person's ledger, as they see it: plus for gold they got, minus for gold they gave. */
export function TransactionText({
  transaction,
  holderId,
  onRefund,
}: {
  readonly transaction: Transaction;
  readonly holderId: string;
  /** Without it nothing can be taken back here. */
  readonly onRefund: (() => void) | undefined;
}) {
  const { id, amount, reason, createdAt, refundedBy, kind, toUserId } = transaction;
  const isGain = toUserId === holderId;
  const canRefund = onRefund && kind !== TransactionKind.REFUND && refundedBy === "";
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <p id={rowTitleId(id)} className="wrap-anywhere">
          {partyWords(transaction, holderId)}
        </p>
        {reason && <p className="text-xs wrap-anywhere text-muted">{reason}</p>}
        <span className="flex gap-3 text-xs">
          <Ago at={createdAt} />
          {refundedBy !== "" && <Status tone="off">{text.refundedBadge}</Status>}
        </span>
      </div>
      <p className={cx("shrink-0 font-medium tabular-nums", isGain ? "text-ok" : undefined)}>
        {isGain ? "+" : "−"}
        {amount.toLocaleString("en")}
      </p>
      {canRefund && (
        <Button aria-describedby={rowTitleId(id)} onClick={onRefund}>
          {text.refund}
        </Button>
      )}
    </div>
  );
}

/** What it was, seen by the one whose ledger it is: "From Bea", "Granted". */
export function partyWords(transaction: Transaction, holderId: string): string {
  const { kind, fromUserId, toUserId, fromName, toName } = transaction;
  if (kind === TransactionKind.GRANT) return text.kinds.granted;
  if (kind === TransactionKind.SPEND) return text.kinds.spent;
  const isGain = toUserId === holderId;
  const other = isGain ? fromUserId : toUserId;
  const name = (isGain ? fromName : toName) || text.purged;
  const party = other === "" ? "" : isGain ? text.from(name) : text.to(name);
  if (kind === TransactionKind.REFUND) return [text.kinds.refunded, party].filter(Boolean).join(" · ");
  return party || text.kinds.unknown;
}
