import { TransactionKind, type ProcessTransactionRequest } from "@followspot/contract/accounting";
import { invalid, notFound } from "../../platform/errors.ts";

/** Account that new gold comes from and spent gold goes to. */
export const MINT = "mint";

export type GoldKind = "grant" | "transfer" | "spend" | "refund";

/** Transfer between two accounts; a user's account has the user's ID. */
export interface Move {
  readonly kind: GoldKind;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Transaction to refund; empty otherwise. */
  readonly refundOf: string;
}

/** Refund request; the move is the opposite of the transaction. */
export interface RefundRequest {
  readonly refundOf: string;
  /** 0 if it was omitted. */
  readonly amount: bigint;
}

/** Parsed request. */
export type TransactionRequest = Move | RefundRequest;

export const isRefund = (request: TransactionRequest): request is RefundRequest => !("from" in request);

const KINDS: Readonly<Record<TransactionKind, GoldKind | undefined>> = {
  [TransactionKind.UNSPECIFIED]: undefined,
  [TransactionKind.GRANT]: "grant",
  [TransactionKind.TRANSFER]: "transfer",
  [TransactionKind.SPEND]: "spend",
  [TransactionKind.REFUND]: "refund",
};

const NEEDED: Readonly<Record<GoldKind, string>> = {
  grant: "kind: a grant has toUserId alone",
  transfer: "kind: a transfer has fromUserId and toUserId",
  spend: "kind: a spend has fromUserId alone",
  refund: "refundOf: name the transaction to take back",
};

/**
 * Parses a request.
 *
 * @throws invalid_argument naming the wrong field; not_found for the mint, which is no user
 */
export function readRequest(request: ProcessTransactionRequest): TransactionRequest {
  const { fromUserId: from, toUserId: to, refundOf, amount } = request;
  const kind = KINDS[request.kind];
  if (refundOf !== "" || kind === "refund") {
    if (refundOf === "") throw invalid(NEEDED.refund);
    if (kind && kind !== "refund") throw invalid("refundOf: is for refunds alone");
    if (from !== "" || to !== "") {
      throw invalid("refundOf: says who gives and who gets; leave fromUserId and toUserId empty");
    }
    return { refundOf, amount };
  }
  if (from === "" && to === "") throw invalid("Say who gets the gold (toUserId) or who gives it (fromUserId)");
  const told = from === "" ? "grant" : to === "" ? "spend" : "transfer";
  if (kind && kind !== told) throw invalid(NEEDED[kind]);
  if (from === to) throw invalid("toUserId: a person cannot give gold to themselves");
  for (const id of [from, to]) if (id === MINT) throw notFound("User", id);
  if (amount < 1n) throw invalid("amount: must be at least 1");
  return { kind: told, from: from || MINT, to: to || MINT, amount, refundOf: "" };
}

export const kindOf = (kind: GoldKind): TransactionKind =>
  ({
    grant: TransactionKind.GRANT,
    transfer: TransactionKind.TRANSFER,
    spend: TransactionKind.SPEND,
    refund: TransactionKind.REFUND,
  })[kind];
