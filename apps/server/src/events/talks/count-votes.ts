import { findEvent } from "../events.store.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { conflict, notFound, unauthenticated } from "../../platform/errors.ts";
import { talkEntry } from "./talk-message.ts";
import * as talks from "./talks.store.ts";
import type { TalkRow } from "./talks.store.ts";
import type { CountVotes, Vote } from "./vote-box.ts";

/** Checks that members may act on a talk; talks of a deleted event count as deleted. @throws not_found */
export async function requireOpen(tx: Tx, id: string, talk: TalkRow | undefined): Promise<TalkRow> {
  if (!talk || (talk.event_id && (await findEvent(tx, talk.event_id))?.deleted_at)) throw notFound("Talk", id);
  return talk;
}

/**
 * Counts a batch of votes for one talk in one transaction and publishes the new points once. A user's last vote counts.
 * Lock order: voters, talk.
 */
export function countVotes(sql: Sql, talkId: string, batch: readonly Vote[]): ReturnType<CountVotes> {
  const votes = new Map(batch.map(({ caller, isGiven }) => [caller.userId, isGiven]));
  const [first] = batch;
  if (!first) throw new RangeError("there are no votes to count");
  // Votes are not written to the audit log, so any caller of the batch may own the change.
  return change(sql, first.caller, async (tx) => {
    // One round trip to the database for both, in lock order.
    const [present, held] = await Promise.all([talks.holdMembers(tx, [...votes.keys()]), talks.lockTalk(tx, talkId)]);
    const talk = await requireOpen(tx, talkId, held);
    const barred = await barredVoters(
      tx,
      talk,
      [...present].filter((voter) => votes.get(voter)),
    );
    const wanting = (isGiven: boolean) =>
      [...present].filter((voter) => votes.get(voter) === isGiven && !barred.has(voter));
    const [given, taken] = await Promise.all([
      talks.addVotes(tx, talk.id, wanting(true)),
      talks.removeVotes(tx, talk.id, wanting(false)),
    ]);
    const deleted = [...votes.keys()].filter((voter) => !present.has(voter));
    const refusals = new Map([...barred, ...deleted.map((voter) => [voter, unauthenticated()] as const)]);
    // Equal to the count of the trigger: no other transaction counts while the talk is locked.
    const points = talk.points + given - taken;
    if (given + taken === 0) return done({ points, refusals });
    return done({ points, refusals }, { ...talkEntry("voted", undefined, { ...talk, points }), isMembersOwn: true });
  });
}

/** Returns by user ID why a vote does not count. Of several accounts with one mailbox, the first vote counts. */
async function barredVoters(tx: Tx, talk: TalkRow, userIds: readonly string[]): Promise<ReadonlyMap<string, Error>> {
  const barred = new Map<string, Error>();
  const mailboxes = new Set<string>();
  for (const voter of await talks.readVoters(tx, talk, userIds)) {
    const isRepeated = voter.mailbox !== null && mailboxes.has(voter.mailbox);
    if (voter.is_speaker) barred.set(voter.id, conflict("This is your own talk: your vote does not count."));
    else if (!voter.is_listed) barred.set(voter.id, conflict("Register for this event to vote on its talks."));
    else if (voter.has_voted_before || isRepeated)
      barred.set(voter.id, conflict("Another account with your mailbox has voted for this talk."));
    else if (voter.mailbox !== null) mailboxes.add(voter.mailbox);
  }
  return barred;
}
