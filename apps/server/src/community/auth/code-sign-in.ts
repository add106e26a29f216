import type { Sql, Tx } from "../../platform/database/database.ts";
import { exhausted } from "../../platform/errors.ts";
import { LOCKS } from "../../platform/database/locks.ts";
import { transact } from "../../platform/database/transaction.ts";
import { codeToSend, goodCodes, isCodeOf, isShort, removeCodes, type CodeToSend } from "./login-codes.store.ts";
import {
  countAsked,
  countWrong,
  isGuessedAt,
  mayRepeat,
  requireMayAsk,
  requireMayAskFromNetwork,
  requireMaySignUp,
  requireMayTry,
  requireMayTryFromNetwork,
  type Try,
} from "./sign-in-limits.ts";

/**
 * Returns the code for a target; undefined if its mailbox has received the same code too often. Unknown targets get the
 * same result.
 *
 * @param named whether the request carries a name, so that the user may be new
 * @throws resource_exhausted; nothing is stored then
 */
export async function askForCode(
  sql: Sql,
  secret: Uint8Array,
  each: Try,
  named: boolean,
): Promise<CodeToSend | undefined> {
  await requireMayAskFromNetwork(sql, each);
  if (named) await requireMaySignUp(sql, each);
  return transact(sql, async (tx) => {
    await lockTarget(tx, each);
    await requireMayAsk(tx, each);
    const ask = { from: each.network, isLong: await isGuessedAt(tx, each) };
    const code = await codeToSend(tx, secret, each.target, ask);
    const goesOut = code.isNew || (await mayRepeat(tx, each));
    await countAsked(tx, each, { repeated: goesOut && !code.isNew, named });
    return goesOut ? code : undefined;
  });
}

/**
 * Checks a code. Returns the result of `onRight` and invalidates all codes of the target if the code is correct;
 * undefined for a wrong code. Only wrong codes are counted, in the same transaction: a full room behind one address
 * uses up no attempts.
 *
 * Guesses from other networks never lock out the network that requested the code. After too many guesses, short codes
 * from other networks are no longer checked; a longer code is sent on the next request (decision 049).
 *
 * @param onRight returns undefined if the code belongs to no user
 * @throws resource_exhausted; nothing is stored then
 */
export async function tryCode<Answer>(
  sql: Sql,
  secret: Uint8Array,
  each: Try,
  text: string,
  onRight: (tx: Tx) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  await requireMayTryFromNetwork(sql, each);
  return transact(sql, async (tx) => {
    await lockTarget(tx, each);
    await requireMayTry(tx, each);
    const codes = await goodCodes(tx, each.target);
    const hasAsked = codes.some(({ asked_from }) => asked_from === each.network);
    if (!hasAsked && isShort(text) && (await isGuessedAt(tx, each))) throw exhausted(GUESSED_AT);
    const answer = isCodeOf(secret, each.target, codes, text) ? await onRight(tx) : undefined;
    if (answer === undefined) await countWrong(tx, each, !hasAsked);
    else await removeCodes(tx, each.target);
    return answer;
  });
}

const GUESSED_AT =
  "Too many wrong codes for this email or phone came from other networks. Ask for a code again: a longer one is sent, which cannot be guessed.";

/** Serializes attempts for one target, so that parallel attempts are counted like sequential ones. */
async function lockTarget(tx: Tx, { target }: Try): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.signIn}, hashtext(current_community() || ' ' || ${target}))`;
}
