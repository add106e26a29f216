import type { Sql } from "../../apps/server/src/platform/database/database.ts";

/** So many songs, most of them ready; every tenth waits or has failed. */
export async function addSongs(db: Sql, songs: number): Promise<void> {
  await db`
    insert into songs (id, title, artist, ytid, url, duration, tempo, musical_key, downloaded_at, analysis_status,
      lighting_status)
    select 'S' || lpad(i::text, 8, '0'), 'Song ' || i, 'Band ' || i % 900, '', 'https://example.org/' || i, 180 + i % 90,
      90 + i % 60, 'A minor', now(), 'ready', (case i % 10 when 0 then 'pending' when 1 then 'error' else 'ready' end)::step_status
    from generate_series(1, ${songs}::int) i`;
  await db`vacuum analyze songs`;
}
