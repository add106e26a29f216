import type { Entry } from "../../platform/database/change.ts";
import type { Tx } from "../../platform/database/database.ts";
import { talkEntry } from "./talk-message.ts";
import { lockTalksOf, removeVotesAt } from "./talks.store.ts";

/** Removes the votes of a user for the talks of an event that they canceled, and publishes the new points. */
export async function withdrawVotes(tx: Tx, eventId: string, userId: string): Promise<readonly Entry[]> {
  await lockTalksOf(tx, eventId);
  const changed = await removeVotesAt(tx, eventId, userId);
  return changed.map((talk) => ({ ...talkEntry("voted", undefined, talk), isMembersOwn: true }));
}
