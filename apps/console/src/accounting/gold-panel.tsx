import { AccountingService, type Transaction } from "@followspot/contract/accounting";
import { useMemo, useState } from "react";
import { useCan } from "../auth/can.ts";
import { errorSentence } from "../lib/errors.ts";
import type { ListSearch } from "../lib/list-search.ts";
import { useListScreen } from "../lib/use-list-screen.ts";
import { Button } from "../ui/button.tsx";
import { Feed } from "../ui/feed.tsx";
import { Skeleton } from "../ui/states.tsx";
import { transactionsOf, useBalance, useGoldStats, type Holder } from "./accounting.queries.ts";
import { goldStrings as text } from "./accounting.strings.ts";
import { MoveDialog, type MoveKind } from "./move-dialog.tsx";
import { RefundDialog } from "./refund-dialog.tsx";
import { TransactionText } from "./transaction-text.tsx";

type Open = { readonly what: MoveKind } | { readonly what: "refund"; readonly transaction: Transaction };

/** A person's gold: what they have, every transaction, and what an Admin can do about it. */
export function GoldPanel({ holder }: { readonly holder: Holder }) {
  const balance = useBalance(holder.id);
  const list = useListScreen(
    useMemo(() => transactionsOf(holder.id), [holder.id]),
    useState<ListSearch>({}),
  );
  const mayMove = useCan()(AccountingService.method.processTransaction) && !holder.isDeleted;
  const [dialog, setDialog] = useState<Open>();
  const close = () => setDialog(undefined);
  const has = balance.data?.balance;
  return (
    <>
      <div className="sticky top-0 flex flex-wrap items-end justify-between gap-3 border-b bg-surface px-4 py-3">
        <div className="min-w-0">
          <p className="text-xs text-muted">{text.balance}</p>
          <Balance balance={has} error={balance.error} onRetry={() => void balance.refetch()} />
          <AllGold />
        </div>
        {mayMove && (
          <span className="flex flex-wrap gap-1.5">
            <Button disabled={!has} onClick={() => setDialog({ what: "transfer" })}>
              {text.transfer}
            </Button>
            <Button disabled={!has} onClick={() => setDialog({ what: "spend" })}>
              {text.spend}
            </Button>
            <Button variant="primary" disabled={has === undefined} onClick={() => setDialog({ what: "grant" })}>
              {text.grant}
            </Button>
          </span>
        )}
        {holder.isDeleted && <p className="w-full text-xs text-warn">{text.deleted}</p>}
      </div>
      <Feed list={list} label={text.ledger} text={text}>
        {(transaction) => (
          <TransactionText
            transaction={transaction}
            holderId={holder.id}
            onRefund={mayMove ? () => setDialog({ what: "refund", transaction }) : undefined}
          />
        )}
      </Feed>
      {dialog && dialog.what !== "refund" && has !== undefined && (
        <MoveDialog kind={dialog.what} holder={holder} balance={has} onClose={close} />
      )}
      {dialog?.what === "refund" && <RefundDialog transaction={dialog.transaction} onClose={close} />}
    </>
  );
}

function Balance({
  balance,
  error,
  onRetry,
}: {
  readonly balance: bigint | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  if (balance !== undefined) return <p className="text-2xl leading-7 tabular-nums">{text.pieces(balance)}</p>;
  if (error) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p role="alert" className="min-w-0 text-sm wrap-anywhere text-danger">
          {text.balanceFailed(errorSentence(error))}
        </p>
        <Button onClick={onRetry}>{text.readBalance}</Button>
      </div>
    );
  }
  return <Skeleton className="my-1 h-5 w-24" />;
}

/** Beside one person's gold, how much there is: for those who may know. */
function AllGold() {
  const stats = useGoldStats();
  if (!stats.data) return null;
  return <p className="text-xs text-muted">{text.ofAll(stats.data.totalGold, stats.data.accountCount)}</p>;
}
