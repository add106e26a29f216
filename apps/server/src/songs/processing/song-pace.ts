import type { Db } from "../../platform/database/database.ts";

/** Times that songs took to their first show. */
export interface Pace {
  readonly lit: number;
  /** Time from import to first show, s: median and maximum. */
  readonly seconds: number;
  readonly longest: number;
}

/** Values for one clock hour. */
export interface PaceHour extends Pace {
  /** 0 for the current hour. */
  readonly hoursAgo: number;
}

export interface DayOfSongs extends Pace {
  /** Hours in which a song got its first show, newest first. */
  readonly hours: readonly PaceHour[];
}

/** Number of clock hours, including the current one. */
const HOURS = 24;

/**
 * Returns the pace of songs that were imported within a day and got their first show in its hours; undefined if there
 * are none.
 */
export async function songPace(db: Db, now: Date = new Date()): Promise<DayOfSongs | undefined> {
  const rows = await db<(Pace & { hoursAgo: number | null })[]>`
    with lit as (
      select extract(epoch from job.at - songs.created_at) as seconds,
        (floor(extract(epoch from ${now}::timestamptz) / 3600) - floor(extract(epoch from job.at) / 3600))::int as hours_ago
      from songs join lateral (
        select min(ended_at) as at from song_jobs where song_id = songs.id and step = 'lighting' and state = 'done'
      ) job on job.at is not null
      where songs.created_at > ${now}::timestamptz - make_interval(hours => ${HOURS}) and songs.deleted_at is null
    )
    select hours_ago as "hoursAgo", count(*)::int as lit, max(seconds)::float8 as longest,
      (percentile_cont(0.5) within group (order by seconds))::float8 as seconds
    from lit where hours_ago < ${HOURS} group by grouping sets ((hours_ago), ()) order by hours_ago`;
  const all = rows.find(({ hoursAgo }) => hoursAgo === null);
  if (!all || all.lit === 0) return undefined;
  const hours = rows.flatMap(({ hoursAgo, ...pace }) => (hoursAgo === null ? [] : [{ hoursAgo, ...pace }]));
  return { lit: all.lit, seconds: all.seconds, longest: all.longest, hours };
}
