import { useQuery } from "@connectrpc/connect-query";
import { AccountingService, TransactionKind, type Transaction } from "@followspot/contract/accounting";
import { UserService } from "@followspot/contract/user";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isTaken } from "../lib/errors.ts";
import { useChange } from "../lib/list-refresh.ts";
import { pagesOf, type ListSource } from "../lib/list-source.ts";
import { newKey } from "../lib/new-key.ts";
import type { PeopleSource } from "../ui/people-picker.tsx";
import { goldStrings as text } from "./accounting.strings.ts";

const rpc = AccountingService.method;

export const transactionsOf = (userId: string): ListSource<Transaction> => ({
  name: "gold",
  ...pagesOf(rpc.listTransactions, ({ transactions }) => transactions, { userId }),
  id: ({ id }) => id,
  scope: userId,
});

/** People who may get gold, with what tells namesakes apart. */
export const RECEIVERS: PeopleSource = {
  method: UserService.method.listUsers,
  find: async (call, query) => {
    const list = { query, filter: "active", orderBy: "name", pageSize: MOST_FOUND };
    const { users } = await call(UserService.method.listUsers, { list });
    return users.map(({ id, name, photoUrl, email, phone }) => ({ id, name, photoUrl, below: email || phone }));
  },
};
const MOST_FOUND = 20;

export const useBalance = (userId: string) => useQuery(rpc.getBalance, { userId });
export const useGoldStats = () => useQuery(rpc.getStats, {});

/** Whose gold is looked at. */
export interface Holder {
  readonly id: string;
  readonly name: string;
  /** Their gold is not moved. */
  readonly isDeleted: boolean;
}

/**
 * What a dialog asks for: gold for a person, gold of a person, gold from one to another, or a
 * transaction taken back.
 */
export type MoveRequest =
  | { readonly kind: "grant" | "spend"; readonly userId: string; readonly amount: bigint; readonly reason: string }
  | {
      readonly kind: "transfer";
      readonly userId: string;
      readonly toUserId: string;
      readonly amount: bigint;
      readonly reason: string;
    }
  | { readonly kind: "refund"; readonly refundOf: string };

/**
 * Moves gold for one dialog. Its key is made once: a second press, or one more after an answer that got lost, moves
 * nothing twice.
 */
export function useMoveGold() {
  const [idempotencyKey] = useState(newKey);
  const change = useChange({ method: rpc.listTransactions }, { method: rpc.getBalance }, { method: rpc.getStats });
  return useMutation({
    mutationFn: async (request: MoveRequest) => {
      try {
        return (await change(rpc.processTransaction, { ...fieldsOf(request), idempotencyKey })).transaction;
      } catch (error) {
        // Of a refund the server says itself that it was made before.
        throw isTaken(error) && request.kind !== "refund" ? new Error(text.wentThrough, { cause: error }) : error;
      }
    },
  });
}

function fieldsOf(request: MoveRequest) {
  switch (request.kind) {
    case "grant":
      return { kind: TransactionKind.GRANT, toUserId: request.userId, amount: request.amount, reason: request.reason };
    case "spend":
      return {
        kind: TransactionKind.SPEND,
        fromUserId: request.userId,
        amount: request.amount,
        reason: request.reason,
      };
    case "transfer":
      return {
        kind: TransactionKind.TRANSFER,
        fromUserId: request.userId,
        toUserId: request.toUserId,
        amount: request.amount,
        reason: request.reason,
      };
    case "refund":
      return { kind: TransactionKind.REFUND, refundOf: request.refundOf };
    default:
      return request satisfies never;
  }
}
