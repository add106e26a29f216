import { isIPv6 } from "node:net";
import type { Db } from "../platform/database.ts";
import { exhausted, waitText } from "../platform/errors.ts";
import { countTries, readTries } from "../platform/rate-limits.store.ts";

/** So many tries within 15 minutes, and what a person is told who has had them. */
interface Limit {
  readonly key: string;
  readonly most: number;
  readonly said: string;
}

/** Who asks or tries: for which target, from which network. */
export interface Try {
  readonly target: string;
  /** See {@link networkOf}. */
  readonly network: string;
}

/** A full room behind one address asks for a code each, and some of it twice. */
const MOST_ASKED_FROM_NETWORK = 1000;
const MOST_ASKED = 5;
/** The same code to one mailbox; a new code always goes out. */
const MOST_REPEATED = 10;
/** Asked for with a name, known people included: else the limit would tell who is known. A full room signs up twice. */
const MOST_NAMED_FROM_NETWORK = 600;
/** The same from everywhere: what a community mails to strangers at most. Signing in is not bound by it. */
const MOST_NAMED = 2000;
const MOST_WRONG_FROM_NETWORK = 100;
const MOST_WRONG = 10;
/** Wrong codes for one target of all networks that have not asked for the code; then short ones are not looked at. */
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

/** Before anything else is read: what one network is refused costs one look. @throws resource_exhausted */
export const requireMayAskFromNetwork = (db: Db, each: Try): Promise<void> => requireWithin(db, askedFromNetwork(each));
export const requireMayTryFromNetwork = (db: Db, each: Try): Promise<void> => requireWithin(db, wrongFromNetwork(each));

/** A look without a lock, so that a network past its limit costs no more: {@link countAsked} decides. @throws resource_exhausted */
export async function requireMaySignUp(db: Db, each: Try): Promise<void> {
  await requireWithin(db, namedFromNetwork(each));
  await requireWithin(db, named);
}

/** @throws resource_exhausted */
export const requireMayAsk = (db: Db, each: Try): Promise<void> => requireWithin(db, asked(each));
export const requireMayTry = (db: Db, each: Try): Promise<void> => requireWithin(db, wrong(each));

/** Whether networks that have not asked for a target's code have guessed at it too often. */
export const isGuessedAt = async (db: Db, each: Try): Promise<boolean> =>
  (await readTries(db, wrongOfOthersKey(each))).count >= MOST_WRONG_OF_OTHERS;

/** Whether a code may be sent once more to where it was sent before. */
export const mayRepeat = async (db: Db, each: Try): Promise<boolean> =>
  (await readTries(db, repeatedKey(each))).count < MOST_REPEATED;

/**
 * Refuses by what was counted: people who ask for other targets at once are not held by the lock of this one.
 * @throws resource_exhausted, and then the transaction must count nothing
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

/** @param isOthers the network has not asked for the code */
export async function countWrong(db: Db, each: Try, isOthers: boolean): Promise<void> {
  await countTries(db, [...(isOthers ? [wrongOfOthersKey(each)] : []), wrong(each).key, wrongFromNetwork(each).key]);
}

async function requireWithin(db: Db, limit: Limit): Promise<void> {
  const { count, secondsLeft } = await readTries(db, limit.key);
  if (count >= limit.most) throw pastLimit(limit, secondsLeft);
}

const pastLimit = ({ said }: Limit, secondsLeft: number) =>
  exhausted(`${said} Try again in ${waitText(secondsLeft)}, or ask an Admin for a sign-in link.`, secondsLeft);

/**
 * What counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, which are one household's or
 * one server's (RFC 6177 §2: no network is given less).
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = new URL(`http://[${address.split("%", 1)[0]}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [first, last] = [groups(head), groups(tail ?? "")];
  const whole = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  return `${whole.slice(0, 4).join(":")}::/64`;
}
