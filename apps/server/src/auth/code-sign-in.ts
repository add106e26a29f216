import type { Sql, Tx } from "../platform/database.ts";
import { exhausted } from "../platform/errors.ts";
import { LOCKS } from "../platform/locks.ts";
import { transact } from "../platform/transaction.ts";
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
 * The code for a target; undefined when its mailbox has had the same one often enough. The same for strangers.
 * @param named asked for with the name of a person who may be new
 * @throws resource_exhausted, and then nothing was written
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
 * What `onRight` answers for a right code, after which no code of the target is good; undefined for a wrong one. Only
 * wrong ones are counted, in the same transaction: a full room behind one address uses none of its tries up.
 *
 * What others guess never keeps the network from the code that it has asked for. From elsewhere a code short enough to
 * be guessed is not looked at then; a longer one is sent to those who ask again (decision 049).
 *
 * @param onRight undefined where the code belongs to no person
 * @throws resource_exhausted, and then nothing was written
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

/** One at a time for each target, so that parallel tries are counted like those that follow each other. */
async function lockTarget(tx: Tx, { target }: Try): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCKS.signIn}, hashtext(current_community() || ' ' || ${target}))`;
}
