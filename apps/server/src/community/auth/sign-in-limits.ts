import type { Db } from "../../platform/database/database.ts";
import { overLimit, waitText } from "../../platform/errors.ts";
import { countTries, readTries } from "../../platform/database/rate-limits.store.ts";

/** Number of attempts within 15 minutes, and the message for a user who has reached it. */
interface Limit {
  readonly key: string;
  readonly most: number;
  readonly said: string;
}

/** Target and network of an attempt. */
export interface Try {
  readonly target: string;
  /** See `networkOf`. */
  readonly network: string;
}

/** A full room behind one address requests a code each, and some of them twice. */
const MOST_ASKED_FROM_NETWORK = 1000;
const MOST_ASKED = 5;
/** Repetitions of one code to one mailbox; a new code is always sent. */
const MOST_REPEATED = 10;
/**
 * Requests with a name per network. Known users count as well, otherwise the limit would reveal who is known. Enough
 * for a full room to sign up twice.
 */
const MOST_NAMED_FROM_NETWORK = 600;
/**
 * Requests with a name from all networks: the most mail that a community sends to new addresses. Sign-in is not limited
 * by it.
 */
const MOST_NAMED = 2000;
const MOST_WRONG_FROM_NETWORK = 100;
const MOST_WRONG = 10;
/**
 * Wrong codes for one target from all networks that have not requested the code; after them, short codes from these
 * networks are not checked.
 */
const MOST_WRONG_OF_OTHERS = 20;

const askedFromNetwork = ({ network }: Try): Limit => ({
  key: `send from ${network}`,
  most: MOST_ASKED_FROM_NETWORK,
  said: `${MOST_ASKED_FROM_NETWORK} codes were asked for from your network.`,
});
const asked = ({ target, network }: Try): Limit => ({
  key: `send ${target} from ${network}`,
  most: MOST_ASKED,
  said: `${MOST_ASKED} codes were asked for with this email or phone from your network.`,
});
const wrongFromNetwork = ({ network }: Try): Limit => ({
  key: `wrong from ${network}`,
  most: MOST_WRONG_FROM_NETWORK,
  said: `${MOST_WRONG_FROM_NETWORK} wrong codes came from your network.`,
});
const wrong = ({ target, network }: Try): Limit => ({
  key: `wrong ${target} from ${network}`,
  most: MOST_WRONG,
  said: `${MOST_WRONG} wrong codes for this email or phone came from your network.`,
});
const namedFromNetwork = ({ network }: Try): Limit => ({
  key: `sign up from ${network}`,
  most: MOST_NAMED_FROM_NETWORK,
  said: `${MOST_NAMED_FROM_NETWORK} people signed up from your network. If you are known here, sign in without a name.`,
});
const named: Limit = {
  key: "sign up",
  most: MOST_NAMED,
  said: `${MOST_NAMED} people signed up within minutes. If you are known here, sign in without a name.`,
};
const repeatedKey = ({ target }: Try): string => `repeat ${target}`;
const wrongOfOthersKey = ({ target }: Try): string => `wrong ${target}`;

/**
 * Enforces the limit per network before any other read, so that a rejected request costs one query. @throws
 * resource_exhausted
 */
export const requireMayAskFromNetwork = (db: Db, each: Try): Promise<void> => requireWithin(db, askedFromNetwork(each));
export const requireMayTryFromNetwork = (db: Db, each: Try): Promise<void> => requireWithin(db, wrongFromNetwork(each));

/**
 * Checks the sign-up limits without a lock, so that requests beyond a limit stay cheap; {@link countAsked} decides.
 * @throws resource_exhausted
 */
export async function requireMaySignUp(db: Db, each: Try): Promise<void> {
  await requireWithin(db, namedFromNetwork(each));
  await requireWithin(db, named);
}

/** @throws resource_exhausted */
export const requireMayAsk = (db: Db, each: Try): Promise<void> => requireWithin(db, asked(each));
export const requireMayTry = (db: Db, each: Try): Promise<void> => requireWithin(db, wrong(each));

/** Whether networks that have not requested a target's code have guessed it too often. */
export const isGuessedAt = async (db: Db, each: Try): Promise<boolean> =>
  (await readTries(db, wrongOfOthersKey(each))).count >= MOST_WRONG_OF_OTHERS;

/** Whether a code may be sent again to the same mailbox. */
export const mayRepeat = async (db: Db, each: Try): Promise<boolean> =>
  (await readTries(db, repeatedKey(each))).count < MOST_REPEATED;

/**
 * Counts a request and enforces the shared limits on the new counts: the lock of this target does not serialize
 * requests for other targets.
 *
 * @throws resource_exhausted; the transaction must then be rolled back
 */
export async function countAsked(db: Db, each: Try, is: { repeated: boolean; named: boolean }): Promise<void> {
  const shared = [askedFromNetwork(each), ...(is.named ? [namedFromNetwork(each), named] : [])];
  const own = [...(is.repeated ? [repeatedKey(each)] : []), asked(each).key];
  const tries = await countTries(db, [...own, ...shared.map(({ key }) => key)]);
  for (const limit of shared) {
    const { count, secondsLeft } = tries.get(limit.key)!; // each key was counted
    if (count > limit.most) throw pastLimit(limit, secondsLeft);
  }
}

/** Counts a wrong code. @param isOthers the network has not requested the code */
export async function countWrong(db: Db, each: Try, isOthers: boolean): Promise<void> {
  await countTries(db, [...(isOthers ? [wrongOfOthersKey(each)] : []), wrong(each).key, wrongFromNetwork(each).key]);
}

async function requireWithin(db: Db, limit: Limit): Promise<void> {
  const { count, secondsLeft } = await readTries(db, limit.key);
  if (count >= limit.most) throw pastLimit(limit, secondsLeft);
}

const pastLimit = ({ said, most }: Limit, secondsLeft: number) =>
  overLimit(`${said} Try again in ${waitText(secondsLeft)}, or ask an Admin for a sign-in link.`, most, secondsLeft);
