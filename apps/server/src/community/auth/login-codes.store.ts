import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../../platform/database/database.ts";

/** Validity of a code, minutes. */
const CODE_MINUTES = 10;
/** Remaining validity below which a request sends a new code, minutes; the old code stays valid until it expires. */
const FRESH_MINUTES = 5;
const SHORT_DIGITS = 6;
const LONG_DIGITS = 12;
const NONCE_BYTES = 16;
/** Maximum number of valid codes of one target: a new code may be sent while the old one is valid. */
const MOST_GOOD = Math.ceil(CODE_MINUTES / FRESH_MINUTES);

export interface LoginCode {
  readonly nonce: Buffer;
  /** Network of the first request. */
  readonly asked_from: string;
  readonly is_long: boolean;
}

export interface CodeToSend {
  readonly code: string;
  /** Remaining validity, s. */
  readonly secondsLeft: number;
  readonly isNew: boolean;
}

/** Returns the valid codes of a target. */
export function goodCodes(db: Db, target: string): Promise<LoginCode[]> {
  return db<LoginCode[]>`
    select nonce, asked_from, is_long from login_codes where target = ${target} and expires_at > now()
    order by expires_at desc limit ${MOST_GOOD}`;
}

/**
 * Returns the code to send to a target: the current one, or a new one if there is none or it expires soon.
 *
 * @param ask `isLong`: with all digits, the first of which are the short code; a long code stays long
 * @returns `isNew`: these digits have not been sent to this target before
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

/** A code that staff read to its owner. */
export interface StaffCodeRow {
  readonly target: string;
  readonly staff_name: string;
  readonly code: string;
  readonly expires_at: Date;
}

const MOST_STAFF_CODES = 50;

/** Shows the valid codes of a target to staff. @param name of the person, for staff */
export async function showToStaff(db: Db, target: string, name: string): Promise<void> {
  await db`update login_codes set staff_name = ${name} where target = ${target} and expires_at > now()`;
}

/** Returns the valid codes that staff read out, the newest of each target. */
export async function staffCodes(db: Db, secret: Uint8Array): Promise<readonly StaffCodeRow[]> {
  const rows = await db<(LoginCode & Omit<StaffCodeRow, "code">)[]>`
    select distinct on (target) target, staff_name, nonce, asked_from, is_long, expires_at from login_codes
    where staff_name is not null and expires_at > now() order by target, expires_at desc`;
  return rows
    .toSorted((a, b) => b.expires_at.getTime() - a.expires_at.getTime())
    .slice(0, MOST_STAFF_CODES)
    .map(({ target, staff_name, nonce, is_long, expires_at }) => {
      const digits = digitsOf(secret, target, nonce);
      return { target, staff_name, code: is_long ? digits : shortOf(digits), expires_at };
    });
}

/** Whether the text equals one of the codes. Takes the same time for a target without codes. */
export function isCodeOf(secret: Uint8Array, target: string, codes: readonly LoginCode[], text: string): boolean {
  const compared = Array.from({ length: MOST_GOOD }, (_, i) => {
    const nonce = codes[i]?.nonce ?? Buffer.alloc(NONCE_BYTES);
    const digits = digitsOf(secret, target, nonce);
    const expected = isShort(text) ? shortOf(digits) : digits;
    return timingSafeEqual(hmac(secret, expected), hmac(secret, text)) && i < codes.length;
  });
  return compared.includes(true);
}

/** Whether a text is short enough to be guessed. */
export const isShort = (text: string): boolean => text.length <= SHORT_DIGITS;

export async function removeCodes(db: Db, target: string): Promise<void> {
  await db`delete from login_codes where target = ${target}`;
}

/**
 * Derives all digits of a code; the nonce alone reveals none of them. 64 bits modulo 10^12: the most frequent number is
 * at most one in 18 million more frequent than any other.
 */
function digitsOf(secret: Uint8Array, target: string, nonce: Buffer): string {
  const number = hmac(secret, `login-code\n${target}\n${nonce.toString("hex")}`).readBigUInt64BE();
  return String(number % 10n ** BigInt(LONG_DIGITS)).padStart(LONG_DIGITS, "0");
}

const shortOf = (digits: string): string => digits.slice(0, SHORT_DIGITS);

const hmac = (secret: Uint8Array, text: string): Buffer => createHmac("sha256", secret).update(text).digest();
