import { findEvent, type EventRow } from "../events/events.store.ts";
import { playedOf, type PlayedSongRow } from "../songs/queue/played-songs.store.ts";
import type { Db } from "../platform/database/database.ts";
import { notFound } from "../platform/errors.ts";
import { timestampOf } from "../platform/database/timestamps.ts";
import { faultsBetween } from "./faults.store.ts";
import * as report from "./report.store.ts";

/** Faults this long before and after the event belong to its night, as songs do, ms. */
const AROUND_MS = 2 * 3_600_000;

/** Returns the report of an event, also of a deleted one. @throws not_found */
export async function readNightReport(db: Db, eventId: string) {
  const event = await requireEvent(db, eventId);
  const { id, title, starts_at, ends_at, time_zone } = event;
  const around = [new Date(starts_at.getTime() - AROUND_MS), new Date(ends_at.getTime() + AROUND_MS)] as const;
  const [songs, people, quarters, talks, gold, faults] = await Promise.all([
    playedOf(db, id, report.MOST_SONGS),
    report.countPeople(db, id),
    report.quartersOf(db, id),
    report.talksOf(db, id),
    report.goldMoved(db, event),
    faultsBetween(db, ...around, report.MOST_ROWS),
  ]);
  return {
    eventId: id,
    eventTitle: title,
    startsAt: timestampOf(starts_at),
    endsAt: timestampOf(ends_at),
    timeZone: time_zone,
    songs: songs.map(toPlayedSong),
    people,
    peopleAt: quarters.map(({ at, came }) => ({ at: timestampOf(at), came })),
    talks: talks.map((talk) => ({
      talkId: talk.id,
      title: talk.title,
      speaker: talk.speaker,
      startAt: timestampOf(talk.start_at),
      votes: talk.votes,
      feedback: talk.feedback,
      ...(talk.mean_rating !== null && { meanRating: talk.mean_rating }),
    })),
    goldMoved: gold.moved,
    goldTransactions: gold.transactions,
    faults: faults.map(({ kind, says, began_at, ended_at }) => ({
      kind,
      says,
      beganAt: timestampOf(began_at),
      endedAt: timestampOf(ended_at),
    })),
  };
}

export async function requireEvent(db: Db, eventId: string): Promise<EventRow> {
  const event = await findEvent(db, eventId);
  if (!event) throw notFound("Event", eventId);
  return event;
}

const toPlayedSong = (row: PlayedSongRow) => ({
  songId: row.song_id,
  title: row.title,
  artist: row.artist,
  startedAt: timestampOf(row.started_at),
  endedAt: timestampOf(row.ended_at),
  heardSeconds: row.heard_seconds,
  seconds: row.seconds,
  playlist: row.playlist,
  askedBy: row.asked_by ?? "",
  isOn: row.is_on,
});
