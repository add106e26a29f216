import { createHash, randomBytes } from "node:crypto";
import type { Db, Sql } from "../../platform/database/database.ts";
import { lockOf } from "../../platform/database/locks.ts";
import { transact } from "../../platform/database/transaction.ts";

/** Creates a one-time secret for the first Admin; undefined if an Admin exists. Older links stop working. */
export async function ensureOwnerLink(sql: Sql): Promise<string | undefined> {
  return transact(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${lockOf(tx, "roles")})`;
    if (await hasAdmin(tx)) {
      await tx`delete from owner_link`;
      return undefined;
    }
    const token = randomBytes(32).toString("base64url");
    await tx`
      insert into owner_link (token_hash) values (${hash(token)})
      on conflict (singleton, community_id) do update set token_hash = excluded.token_hash, created_at = now()`;
    return token;
  });
}

/**
 * Consumes the secret. True once, for the right secret while there is no Admin. Call it in the transaction that adds
 * the Admin.
 */
export async function consumeOwnerLink(db: Db, token: string): Promise<boolean> {
  await db`select pg_advisory_xact_lock(${lockOf(db, "roles")})`;
  if (await hasAdmin(db)) return false;
  // Looked up by hash: the duration reveals nothing about the secret.
  const used = await db`delete from owner_link where token_hash = ${hash(token)} returning 1`;
  return used.length === 1;
}

async function hasAdmin(db: Db): Promise<boolean> {
  const rows =
    await db`select 1 from users where 'Admin' = any(roles) and not is_script and deleted_at is null limit 1`;
  return rows.length > 0;
}

function hash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
