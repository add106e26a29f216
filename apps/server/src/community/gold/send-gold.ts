import type { SendGoldRequest, Transaction } from "@followspot/contract/accounting";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { conflict, overLimit, invalid, missing, waitText } from "../../platform/errors.ts";
import * as gold from "./gold.store.ts";
import { bookTransaction, holdAccounts, onceOfKey, refusalOf } from "./process-transaction.ts";

/** Limits per user: enough for a night, too little to empty an account by mistake. */
const MOST_IN_HOUR = 20;
const MOST_PIECES_IN_DAY = 2000n;

/**
 * Sends gold of the caller to another user. The limits are checked under the lock of the caller's account, so that they
 * hold across API processes. The ledger is the record: nothing is written to the audit log.
 */
export async function sendGold(
  sql: Sql,
  caller: Caller,
  { toUserId, amount, reason, idempotencyKey }: SendGoldRequest,
): Promise<{ readonly transaction: Transaction; readonly balance: bigint }> {
  const { userId } = caller;
  if (toUserId === userId) throw invalid("toUserId: you cannot send gold to yourself");
  const asked: gold.NewTransaction = {
    kind: "transfer",
    from: userId,
    to: toUserId,
    amount,
    refundOf: "",
    reason,
    // Keys are chosen per user: those of different users never collide.
    key: `${userId} ${idempotencyKey}`,
    createdBy: userId,
  };
  try {
    return await change(sql, caller, async (tx) => {
      const accounts = await holdAccounts(tx, asked);
      const { answer, entries } = await onceOfKey(tx, asked, async () => {
        const to = accounts.get(toUserId);
        // Members cannot distinguish a deleted user from an unknown one.
        if (!to?.user_id || to.deleted_at) throw missing("toUserId: this person is not here. Choose another one.");
        await requireWithinLimits(tx, asked);
        const has = accounts.get(userId)?.balance ?? 0n;
        if (has < amount) throw conflict(`amount: you have ${has} gold, which is less than ${amount}`);
        return bookTransaction(tx, asked, accounts);
      });
      const own = entries.map((entry) => ({ ...entry, isMembersOwn: true }));
      return done({ transaction: answer, balance: await gold.balanceOf(tx, userId) }, ...own);
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

async function requireWithinLimits(tx: Tx, { from, amount }: gold.NewTransaction): Promise<void> {
  const sent = await gold.sentBy(tx, from);
  if (sent.times_in_hour >= MOST_IN_HOUR) {
    throw overLimit(
      `You have sent gold ${MOST_IN_HOUR} times within an hour. Try again in ${waitText(sent.hour_left)}.`,
      MOST_IN_HOUR,
      sent.hour_left,
    );
  }
  const left = MOST_PIECES_IN_DAY - sent.pieces_in_day;
  if (amount > left) {
    throw overLimit(
      `${MOST_PIECES_IN_DAY} gold may be sent within a day, and you have ${left} of it left. Send less, or try again in ${waitText(sent.day_left)}.`,
      Number(MOST_PIECES_IN_DAY),
      sent.day_left,
    );
  }
}
