import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../platform/database.ts";

/** How long a code works. */
const CODE_MINUTES = 10;
/** A code with less time left is followed by another; it stays good beside it until its own end. */
const FRESH_MINUTES = 5;
const SHORT_DIGITS = 6;
const LONG_DIGITS = 12;
const NONCE_BYTES = 16;
/** Codes of one target that are good at once: one may be followed while it still works. */
const MOST_GOOD = Math.ceil(CODE_MINUTES / FRESH_MINUTES);

export interface LoginCode {
  readonly nonce: Buffer;
  /** The network that asked first. */
  readonly asked_from: string;
  readonly is_long: boolean;
}

export interface CodeToSend {
  readonly code: string;
  /** Until it has run out. */
  readonly secondsLeft: number;
  readonly isNew: boolean;
}

/** Codes of a target that work now. */
export function goodCodes(db: Db, target: string): Promise<LoginCode[]> {
  return db<LoginCode[]>`
    select nonce, asked_from, is_long from login_codes where target = ${target} and expires_at > now()
    order by expires_at desc limit ${MOST_GOOD}`;
}

/**
 * The code to send to a target: the one that was sent before, or a fresh one when there is none or it soon runs out.
 *
 * @param ask `isLong`: with all its digits, of which the short code is the beginning; once long it stays long
 * @returns `isNew`: this target has not been sent these digits before
 */
export async function codeToSend(
  db: Db,
  secret: Uint8Array,
  target: string,
  ask: { readonly from: string; readonly isLong: boolean },
): Promise<CodeToSend> {
  const [known] = await db<(LoginCode & { seconds_left: number })[]>`
    select nonce, asked_from, is_long, extract(epoch from expires_at - now())::int as seconds_left from login_codes
    where target = ${target} and expires_at > now() + make_interval(mins => ${FRESH_MINUTES})
    order by expires_at desc limit 1`;
  const isLong = ask.isLong || known?.is_long === true;
  const nonce = known?.nonce ?? randomBytes(NONCE_BYTES);
  const isNew = known?.is_long !== isLong;
  if (isNew)
    await db`
      insert into login_codes (target, nonce, asked_from, is_long, expires_at)
      values (${target}, ${nonce}, ${ask.from}, ${isLong}, now() + make_interval(mins => ${CODE_MINUTES}))
      on conflict (target, nonce, community_id) do update set is_long = excluded.is_long`;
  const digits = digitsOf(secret, target, nonce);
  const secondsLeft = known?.seconds_left ?? CODE_MINUTES * 60;
  return { code: isLong ? digits : shortOf(digits), secondsLeft, isNew };
}

/** Whether these are the digits of one of the codes. Takes as long for a target that has none. */
export function isCodeOf(secret: Uint8Array, target: string, codes: readonly LoginCode[], text: string): boolean {
  const compared = Array.from({ length: MOST_GOOD }, (_, i) => {
    const nonce = codes[i]?.nonce ?? Buffer.alloc(NONCE_BYTES);
    const digits = digitsOf(secret, target, nonce);
    const expected = isShort(text) ? shortOf(digits) : digits;
    return timingSafeEqual(hmac(secret, expected), hmac(secret, text)) && i < codes.length;
  });
  return compared.includes(true);
}

/** Whether a text is as long as a code that could be guessed. */
export const isShort = (text: string): boolean => text.length <= SHORT_DIGITS;

export async function removeCodes(db: Db, target: string): Promise<void> {
  await db`delete from login_codes where target = ${target}`;
}

/**
 * All digits of a code, worked out anew each time: the nonce alone tells none of them.
 * 64 bits modulo 10^12: no number comes more often than another by more than one in 18 million.
 */
function digitsOf(secret: Uint8Array, target: string, nonce: Buffer): string {
  const number = hmac(secret, `login-code\n${target}\n${nonce.toString("hex")}`).readBigUInt64BE();
  return String(number % 10n ** BigInt(LONG_DIGITS)).padStart(LONG_DIGITS, "0");
}

const shortOf = (digits: string): string => digits.slice(0, SHORT_DIGITS);

const hmac = (secret: Uint8Array, text: string): Buffer => createHmac("sha256", secret).update(text).digest();
