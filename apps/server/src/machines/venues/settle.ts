import { topicsOf, type Happened, type Settled } from "@followspot/contract";
import { findCheckIn, holdPerson, type CheckInRow } from "../../events/check-ins.store.ts";
import { holdEvent } from "../../events/events.store.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import type { VenueRow } from "./venues.store.ts";

type Result = Settled["results"][number];
type CheckIn = Extract<Happened, { kind: "check_in" }>;
type Play = Extract<Happened, { kind: "play" }>;

/**
 * Applies the changes of a venue in order, each in its own transaction: if the request is aborted, the first changes
 * are already applied. An item that was applied or rejected before gets the same result again and changes nothing.
 */
export async function settle(sql: Sql, venue: VenueRow, happened: readonly Happened[]): Promise<Settled> {
  const results: Result[] = [];
  for (const each of happened) {
    const by = each.kind === "check_in" ? await ifKnown(sql, each.checked_in_by) : null;
    // The venue is the actor in the audit log. The member who scanned is reported by its server and stored in the
    // check-in.
    const caller = { userId: venue.id, name: venue.name, roles: [], sessionId: "" };
    results.push(
      await change(sql, caller, async (tx) => {
        const isNew = await tx`
          insert into settlements (venue_id, item) values (${venue.id}, ${each.item}) on conflict do nothing`;
        if (isNew.count === 0) return done<Result>({ item: each.item, state: "known", says: "" });
        const { says = "", entries = [] } = await takeOver(tx, venue, each, by);
        return done<Result>({ item: each.item, state: says === "" ? "counted" : "refused", says }, ...entries);
      }),
    );
  }
  return { results };
}

interface TakenOver {
  /** Reason why the item is rejected. */
  readonly says?: string;
  readonly entries?: readonly Entry[];
}

async function takeOver(tx: Tx, venue: VenueRow, happened: Happened, by: string | null): Promise<TakenOver> {
  switch (happened.kind) {
    case "check_in":
      return checkIn(tx, venue, happened, by);
    case "undone":
      return undo(tx, venue, happened);
    case "play":
      return notePlay(tx, venue, happened);
    default:
      return happened satisfies never;
  }
}

/** Merges duplicate check-ins; the earlier time wins. */
async function checkIn(tx: Tx, venue: VenueRow, made: CheckIn, by: string | null): Promise<TakenOver> {
  const { id, event_id, user_id, admitted, door } = made;
  const lack = await lackOf(tx, venue, made);
  if (lack) return { says: lack };
  const before = await findCheckIn(tx, { eventId: event_id, userId: user_id });
  // Limited to now: the clock of the venue server may be ahead.
  const at = new Date(Math.min(Date.parse(made.checked_in_at), Date.now()));
  if (before && before.checked_in_at <= at) return {};
  const [after] = await tx<CheckInRow[]>`
    insert into check_ins (id, event_id, user_id, checked_in_at, checked_in_by, admitted, door)
    values (${id}, ${event_id}, ${user_id}, ${at}, ${by}, ${admitted}, ${door})
    on conflict (event_id, user_id, community_id) do update set checked_in_at = excluded.checked_in_at
    returning *`;
  return { entries: [entry(before ? "updated" : "created", before, after)] };
}

async function undo(tx: Tx, venue: VenueRow, told: AtTheDoor): Promise<TakenOver> {
  const lack = await lackOf(tx, venue, told);
  if (lack) return { says: lack };
  const [row] = await tx<CheckInRow[]>`
    delete from check_ins where event_id = ${told.event_id} and user_id = ${told.user_id} returning *`;
  return row ? { entries: [entry("undone", row, undefined)] } : {};
}

interface AtTheDoor {
  readonly event_id: string;
  readonly user_id: string;
}

/** Returns why the item is rejected, or undefined. Lock order as for every check-in change: user, event. */
async function lackOf(tx: Tx, venue: VenueRow, { event_id, user_id }: AtTheDoor): Promise<string | undefined> {
  if (!mayReport(venue, event_id)) return "This event is not on at this venue";
  if (!(await holdPerson(tx, user_id))) return "This person is not known here any more";
  return (await holdEvent(tx, event_id)) ? undefined : "This event was deleted";
}

/** Whether a venue server may report what happened at an event: the current one, or one that it may still hold. */
const mayReport = (venue: VenueRow, eventId: string): boolean =>
  venue.event_id === eventId || venue.event_ids.includes(eventId);

/** Stores a played song, or extends it: it may continue after it was reported, or on a standby. */
async function notePlay(tx: Tx, venue: VenueRow, play: Play): Promise<TakenOver> {
  const [event] = await tx<{ id: string }[]>`
    select id from events where id = ${play.event_id} and ${play.event_id !== null && mayReport(venue, play.event_id)}`;
  await tx`
    insert into played_songs (id, song_id, title, artist, seconds, started_at, ended_at, heard_seconds, playlist, event_id,
      asked_by, venue_id)
    values (${play.id}, ${play.song_id}, ${play.title}, ${play.artist}, ${play.seconds}, ${play.started_at}, ${play.ended_at},
      ${play.heard_seconds}, ${play.playlist}, ${event?.id ?? null}, ${await ifKnown(tx, play.asked_by)}, ${venue.id})
    on conflict (id, community_id) do update set
      ended_at = greatest(played_songs.ended_at, excluded.ended_at),
      heard_seconds = greatest(played_songs.heard_seconds, excluded.heard_seconds)
    where played_songs.venue_id = ${venue.id} or ${venue.is_standby}`;
  return {};
}

async function ifKnown(db: Db, id: string | null): Promise<string | null> {
  const [person] = await db<{ id: string }[]>`select id from users where id = ${id}`;
  return person?.id ?? null;
}

/** Entry without names, so that it can stay in the audit log when the user is purged. */
function entry(verb: string, before: CheckInRow | undefined, after: CheckInRow | undefined): Entry {
  const { id, event_id, user_id } = (after ?? before)!; // at least one is defined
  const topics = [...topicsOf("check_in", id), `user.${user_id}`];
  const bare = before && bareRow(before);
  return {
    noun: "check_in",
    id,
    verb,
    before: bare,
    after: after && bareRow(after),
    topics,
    payload: { event_id, user_id },
  };
}

const bareRow = ({ id, event_id, user_id, checked_in_at, checked_in_by, admitted, door }: CheckInRow): CheckInRow => ({
  ...{ id, event_id, user_id, checked_in_at, checked_in_by, admitted, door },
});
