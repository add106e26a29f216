import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../../platform/database/database.ts";

const LINK_MINUTES = 30;

/** Creates a secret that signs one user in, once, within half an hour. It is stored only as a hash. */
export async function createSignInLink(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db`delete from sign_in_links where expires_at <= now()`;
  await db`
    insert into sign_in_links (token_hash, user_id, expires_at)
    values (${hash(token)}, ${userId}, now() + make_interval(mins => ${LINK_MINUTES}))`;
  return token;
}

/** Consumes a link and returns its user; undefined for a used, expired or unknown link. */
export async function consumeSignInLink(db: Db, token: string): Promise<string | undefined> {
  const [row] = await db<{ user_id: string; is_over: boolean }[]>`
    delete from sign_in_links where token_hash = ${hash(token)} returning user_id, expires_at <= now() as is_over`;
  return row && !row.is_over ? row.user_id : undefined;
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
