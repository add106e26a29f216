import type { Db } from "../../platform/database/database.ts";
import { linkKey, newLinkSeed, seedOfLinkKey } from "../../platform/http/link-key.ts";

export interface StageLinkRow {
  readonly screen_id: string;
  readonly seed: Buffer;
  readonly created_at: Date;
}

/** Returns the key of a screen's link. */
export const stageKey = (secret: Uint8Array, screenId: string, seed: Uint8Array): string =>
  linkKey(secret, "stage-link", screenId, seed);

/** Returns the seed in a key of this screen; undefined for any text that was not made with the secret. */
export const seedOfKey = (secret: Uint8Array, screenId: string, key: unknown): Buffer | undefined =>
  seedOfLinkKey(secret, "stage-link", screenId, key);

/** Replaces a screen's link. */
export async function renewStageLink(db: Db, screenId: string, eventId: string | null): Promise<StageLinkRow> {
  const [row] = await db<StageLinkRow[]>`
    insert into stage_links (screen_id, event_id, seed) values (${screenId}, ${eventId}, ${newLinkSeed()})
    on conflict (screen_id, community_id) do update set seed = excluded.seed, created_at = now()
    returning *`;
  return row!; // an upsert returns its row
}

/** Removes a screen's link. @returns false if there was none */
export async function removeStageLink(db: Db, screenId: string): Promise<boolean> {
  return (await db`delete from stage_links where screen_id = ${screenId}`).count === 1;
}

export async function findStageLink(db: Db, screenId: string): Promise<StageLinkRow | undefined> {
  const [row] = await db<StageLinkRow[]>`select * from stage_links where screen_id = ${screenId}`;
  return row;
}
