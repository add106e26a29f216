import type { Db } from "../platform/database/database.ts";
import { linkKey, seedOfLinkKey } from "../platform/http/link-key.ts";
import { findInvitation } from "./registrations.store.ts";

/** Kind of link; separates its keys from those of other links. */
const LINK = "event-invitation";

/** Whether a key belongs to the current invitation link of an event. A forged key costs no query. */
export async function isInvitation(db: Db, secret: Uint8Array, eventId: string, key: string): Promise<boolean> {
  const asked = seedOfLinkKey(secret, LINK, eventId, key);
  const seed = asked && (await findInvitation(db, eventId));
  return seed !== undefined && asked!.equals(seed);
}

/**
 * Returns the path of an invitation link. The key is in the URL fragment: browsers never send it, so it appears in no
 * proxy log.
 */
export const invitationPath = (secret: Uint8Array, eventId: string, seed: Uint8Array): string =>
  `/e/${eventId}#invitation=${linkKey(secret, LINK, eventId, seed)}`;
