import type { Caller } from "./caller.ts";
import { asJson, type Db } from "./database.ts";

/**
 * One row per admin change, in the same transaction: who, what, on what, before and after.
 * Callers leave secrets and image bytes out of before/after.
 */
export async function audit(
  db: Db,
  caller: Caller,
  action: string,
  target: string,
  change: { readonly before?: unknown; readonly after?: unknown } = {},
): Promise<void> {
  await db`
    insert into audit_log (user_id, action, target, before, after)
    values (${caller.userId}, ${action}, ${target},
            ${asJson(db, change.before ?? null)}, ${asJson(db, change.after ?? null)})`;
}
