import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { Entry } from "../platform/change.ts";
import type { Db } from "../platform/database.ts";

const CODE_DIGITS = 6;
/** How long a code works. */
export const CODE_MINUTES = 10;
const WINDOW_MINUTES = 15;

/** Replaces the target's code with a fresh one, which is returned once and kept only as an HMAC. */
export async function createLoginCode(db: Db, secret: Uint8Array, target: string): Promise<string> {
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0");
  await db`
    insert into login_codes (target, code_hmac, expires_at)
    values (${target}, ${hmac(secret, target, code)}, now() + make_interval(mins => ${CODE_MINUTES}))
    on conflict (target) do update set code_hmac = excluded.code_hmac, expires_at = excluded.expires_at`;
  return code;
}

/** True once for the right code. Run in a transaction: the row is locked until the code is gone. */
export async function consumeLoginCode(db: Db, secret: Uint8Array, target: string, code: string): Promise<boolean> {
  const [row] = await db<{ code_hmac: Buffer }[]>`
    select code_hmac from login_codes where target = ${target} and expires_at > now() for update`;
  // Strangers are compared too, so that they take as long.
  const expected = row?.code_hmac ?? hmac(secret, target, "none");
  const isRight = timingSafeEqual(expected, hmac(secret, target, code)) && row !== undefined;
  if (isRight) await db`delete from login_codes where target = ${target}`;
  return isRight;
}

/** Counts one more try of `key` and says how many there were in the last 15 minutes, this one included. */
export async function countTry(db: Db, key: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    insert into rate_limits (key, count, window_start) values (${key}, 1, now())
    on conflict (key) do update set
      count = case when rate_limits.window_start < now() - make_interval(mins => ${WINDOW_MINUTES})
                then 1 else least(rate_limits.count + 1, 1000000) end,
      window_start = case when rate_limits.window_start < now() - make_interval(mins => ${WINDOW_MINUTES})
                then now() else rate_limits.window_start end
    returning count`;
  return row!.count; // an upsert always returns its row
}

/** Clears away what no limit needs any more. */
export async function forgetOldTries(db: Db): Promise<void> {
  await db`delete from rate_limits where window_start < now() - make_interval(mins => ${WINDOW_MINUTES})`;
  await db`delete from login_codes where expires_at < now()`;
}

/**
 * Takes a person who is purged out of what is kept for minutes: codes, those on their way, and how often they were
 * asked for. To be done before their row goes.
 */
export async function forgetSignIn(db: Db, userId: string): Promise<readonly Entry[]> {
  await db`
    with known as (
      select unnest(array[lower(nullif(email, '')), nullif(phone_digits, '')]) as target from users where id = ${userId}
    ), codes as (delete from login_codes where target in (select target from known)),
    on_their_way as (delete from outgoing_codes where target in (select target from known))
    delete from rate_limits
    where key in (select kind || ' target ' || target from known, (values ('send'), ('code')) as kinds (kind))`;
  return [];
}

/** Takes a counted try back, when it turned out to be right. */
export async function forgiveTry(db: Db, key: string): Promise<void> {
  await db`update rate_limits set count = greatest(count - 1, 0) where key = ${key}`;
}

function hmac(secret: Uint8Array, target: string, code: string): Buffer {
  return createHmac("sha256", secret).update(`login-code\n${target}\n${code}`).digest();
}
