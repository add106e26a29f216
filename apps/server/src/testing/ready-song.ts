import type { Sql } from "../platform/database.ts";
import { newId } from "../platform/ids.ts";

/** A song that is downloaded, heard and planned, as far as the database knows. @returns its id */
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
