import type { Db } from "../platform/database.ts";

/** Songs that were lit in one of the last hours. */
export interface PaceHour {
  /** 0: within the last sixty minutes. */
  readonly hoursAgo: number;
  readonly lit: number;
  /** From the moment a song came in to its first show, in the median. */
  readonly seconds: number;
}

const HOURS = 24;

/** How songs went that came in today and were lit for the first time; hours without one are left out. */
export async function songPace(db: Db): Promise<readonly PaceHour[]> {
  return db<PaceHour[]>`
    select floor(extract(epoch from now() - lit.at) / 3600)::int as "hoursAgo", count(*)::int as lit,
      (percentile_cont(0.5) within group (order by extract(epoch from lit.at - songs.created_at)))::float8 as seconds
    from songs join lateral (
      select min(ended_at) as at from song_jobs where song_id = songs.id and step = 'lighting' and state = 'done'
    ) lit on lit.at is not null
    where songs.created_at > now() - make_interval(hours => ${HOURS}) and songs.deleted_at is null
    group by 1 order by 1`;
}
