import type { Db } from "../platform/database/database.ts";
import type { EventRow } from "../events/events.store.ts";

/** Maximum number of rows of one kind in a report; no night reaches it. */
export const MOST_ROWS = 500;
export const MOST_SONGS = 2000;

/** Number of check-ins within a quarter-hour. */
export interface QuarterRow {
  readonly at: Date;
  readonly came: number;
}

export function quartersOf(db: Db, eventId: string): Promise<readonly QuarterRow[]> {
  return db<QuarterRow[]>`
    select date_bin('15 minutes', checked_in_at, timestamptz '2000-01-01 00:00Z') as at, count(*)::int as came
    from check_ins where event_id = ${eventId}
    group by 1 order by 1 limit ${MOST_ROWS}`;
}

export async function countPeople(db: Db, eventId: string): Promise<number> {
  const [row] = await db<{ people: number }[]>`
    select count(*)::int as people from check_ins where event_id = ${eventId}`;
  return row!.people; // a count has one row
}

export interface TalkReportRow {
  readonly id: string;
  readonly title: string;
  readonly speaker: string;
  readonly start_at: Date | null;
  readonly votes: number;
  readonly feedback: number;
  readonly mean_rating: number | null;
}

export function talksOf(db: Db, eventId: string): Promise<readonly TalkReportRow[]> {
  return db<TalkReportRow[]>`
    select talks.id, talks.title, coalesce(users.name, '') as speaker, talks.start_at,
      (select count(*)::int from talk_votes where talk_id = talks.id) as votes,
      said.feedback, said.mean_rating
    from talks
      left join users on users.id = talks.user_id,
      lateral (
        select count(*)::int as feedback, (avg(rating) filter (where rating > 0))::float8 as mean_rating
        from talk_feedback where talk_id = talks.id
      ) said
    where talks.event_id = ${eventId} and talks.deleted_at is null
    order by talks.start_at nulls last, talks.id limit ${MOST_ROWS}`;
}

export interface GoldMovedRow {
  readonly moved: bigint;
  readonly transactions: number;
}

export async function goldMoved(db: Db, { starts_at, ends_at }: EventRow): Promise<GoldMovedRow> {
  const [row] = await db<GoldMovedRow[]>`
    select coalesce(sum(amount), 0)::bigint as moved, count(*)::int as transactions from gold_transactions
    where created_at >= ${starts_at} and created_at < ${ends_at}`;
  return row!; // an aggregate has one row
}
