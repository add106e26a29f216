import type { Sql } from "../platform/database/database.ts";
import { newId } from "../platform/database/ids.ts";

/** Inserts a song that counts as downloaded, analyzed and planned in the database. @returns its ID */
export async function insertReadySong(
  sql: Sql,
  { title = "Song", artist = "", seconds = 180, lighting = "ready" },
): Promise<string> {
  const id = newId();
  await sql`
    insert into songs (id, title, artist, ytid, url, duration, downloaded_at, analysis_status, lighting_status)
    values (${id}, ${title}, ${artist}, '', '', ${seconds}, now(), 'ready', ${lighting})`;
  return id;
}
