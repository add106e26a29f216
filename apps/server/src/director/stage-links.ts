import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "../platform/database.ts";

const SEED_BYTES = 8;
const MAC_BYTES = 16;
const KEY = /^[A-Za-z0-9_-]{32}$/;

export interface StageLinkRow {
  readonly screen_id: string;
  readonly seed: Buffer;
  readonly created_at: Date;
}

/**
 * The key of a screen's link: its seed and 128 bits that only the server's secret can make of it. A copy of the database
 * opens no page, a director can see the link again, and a made-up key is refused without asking the database.
 *
 * @param secret at least 32 bytes
 * @returns 32 characters that need no escape in an address
 */
export function stageKey(secret: Uint8Array, screenId: string, seed: Uint8Array): string {
  return Buffer.concat([seed, mac(secret, screenId, seed)]).toString("base64url");
}

/** The seed in a key of this screen; undefined for every text the secret did not make. */
export function seedOfKey(secret: Uint8Array, screenId: string, key: unknown): Buffer | undefined {
  if (typeof key !== "string" || !KEY.test(key)) return undefined;
  const bytes = Buffer.from(key, "base64url");
  const seed = bytes.subarray(0, SEED_BYTES);
  return timingSafeEqual(bytes.subarray(SEED_BYTES), mac(secret, screenId, seed)) ? seed : undefined;
}

/** A new link in place of the one there is. */
export async function renewStageLink(db: Db, screenId: string, eventId: string | null): Promise<StageLinkRow> {
  const [row] = await db<StageLinkRow[]>`
    insert into stage_links (screen_id, event_id, seed) values (${screenId}, ${eventId}, ${randomBytes(SEED_BYTES)})
    on conflict (screen_id) do update set seed = excluded.seed, created_at = now()
    returning *`;
  return row!; // an upsert returns its row
}

/** False when there was none. */
export async function removeStageLink(db: Db, screenId: string): Promise<boolean> {
  return (await db`delete from stage_links where screen_id = ${screenId}`).count === 1;
}

export async function findStageLink(db: Db, screenId: string): Promise<StageLinkRow | undefined> {
  const [row] = await db<StageLinkRow[]>`select * from stage_links where screen_id = ${screenId}`;
  return row;
}

function mac(secret: Uint8Array, screenId: string, seed: Uint8Array): Buffer {
  const whole = createHmac("sha256", secret).update(`stage-link\n${screenId}\n`).update(seed).digest();
  return whole.subarray(0, MAC_BYTES);
}
