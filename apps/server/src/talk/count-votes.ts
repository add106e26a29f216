import { findEvent } from "../event/events.store.ts";
import { change, done } from "../platform/change.ts";
import type { Sql, Tx } from "../platform/database.ts";
import { notFound } from "../platform/errors.ts";
import { talkEntry } from "./talk-message.ts";
import * as talks from "./talks.store.ts";
import type { TalkRow } from "./talks.store.ts";
import type { CountVotes, Vote } from "./vote-box.ts";

/** For members: the talks of a deleted event are deleted with it. */
export async function requireOpen(tx: Tx, id: string, talk: TalkRow | undefined): Promise<TalkRow> {
  if (!talk || (talk.event_id && (await findEvent(tx, talk.event_id))?.deleted_at)) throw notFound("Talk", id);
  return talk;
}

/**
 * Counts votes for one talk together and tells its points once, to everybody who looks at it. Of one person the last
 * vote counts. Holds the voters, then the talk.
 */
export function countVotes(sql: Sql, talkId: string, batch: readonly Vote[]): ReturnType<CountVotes> {
  const votes = new Map(batch.map(({ caller, isGiven }) => [caller.userId, isGiven]));
  const [first] = batch;
  if (!first) throw new RangeError("there are no votes to count");
  // Votes are the members' own and not written to the audit log: whose change it is does not matter.
  return change(sql, first.caller, async (tx) => {
    // One way to the database for both, in the order of all locks.
    const [present, held] = await Promise.all([talks.holdMembers(tx, [...votes.keys()]), talks.lockTalk(tx, talkId)]);
    const talk = await requireOpen(tx, talkId, held);
    const wanting = (isGiven: boolean) => [...present].filter((voter) => votes.get(voter) === isGiven);
    const [given, taken] = await Promise.all([
      talks.addVotes(tx, talk.id, wanting(true)),
      talks.removeVotes(tx, talk.id, wanting(false)),
    ]);
    const strangers = new Set([...votes.keys()].filter((voter) => !present.has(voter)));
    // As the table counts it itself; no other transaction does while the talk is held.
    const points = talk.points + given - taken;
    if (given + taken === 0) return done({ points, strangers });
    return done({ points, strangers }, { ...talkEntry("voted", undefined, { ...talk, points }), isMembersOwn: true });
  });
}
