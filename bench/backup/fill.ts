import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "../../apps/server/src/platform/database/database.ts";
import { newId } from "../../apps/server/src/platform/database/ids.ts";

const FILE_BYTES = 8 * 1024 ** 2;

/** What the fifty calls look at. */
export const EVENT = "BENCHEVENT";
export const THREAD = "BENCHTHREAD";

/** Rows of the tables that grow in a community, so many in all. */
export async function addRows(sql: Sql, rows: number): Promise<void> {
  const people = Math.round(rows * 0.1);
  const messages = Math.round(rows * 0.4);
  const votes = Math.round(rows * 0.1);
  const talks = 1000;
  await sql`
    insert into users (id, name, username, email, purpose, bio)
    select 'U' || lpad(i::text, 8, '0'), 'Person ' || i, 'p' || i, 'p' || i || '@example.org', md5(i::text), repeat(md5(i::text), 6)
    from generate_series(1, ${people}::int) i`;
  await sql`insert into events (id, title, starts_at, ends_at) values (${EVENT}, 'Night', '2026-11-20T19:00Z', '2026-11-21T02:00Z')`;
  await sql`
    insert into talks (id, title, body, event_id, user_id)
    select 'T' || lpad(i::text, 8, '0'), 'Talk ' || i, repeat(md5(i::text), 20), ${EVENT}, 'U' || lpad(i::text, 8, '0')
    from generate_series(1, ${talks}::int) i`;
  await sql`
    insert into talk_votes (talk_id, user_id)
    select 'T' || lpad((1 + i % ${talks})::text, 8, '0'), 'U' || lpad((1 + i / 10)::text, 8, '0')
    from generate_series(0, ${votes - 1}::int) i`;
  await sql`insert into chat_threads (id, title, last_number) values (${THREAD}, 'Everybody', ${messages}::int)`;
  await sql`
    insert into chat_messages (id, thread_id, number, user_id, text)
    select 'M' || lpad(i::text, 10, '0'), ${THREAD}, i, 'U' || lpad((1 + i % ${people})::text, 8, '0'),
      'Message ' || i || ' of a long evening, ' || md5(i::text)
    from generate_series(1, ${messages}::int) i`;
  await sql`
    insert into audit_log (user_id, action, target, before, after)
    select 'U00000001', 'user.updated', 'user U' || lpad((1 + i % ${people})::text, 8, '0'),
      jsonb_build_object('bio', md5(i::text)), jsonb_build_object('bio', repeat(md5(i::text), 4))
    from generate_series(1, ${rows - people - messages - votes - talks}::int) i`;
  await sql`vacuum analyze`;
}

/** Songs that are there, each with a sound and a show of random bytes, so many bytes in all. */
export async function addSongs(sql: Sql, dataDir: string, bytes: number): Promise<void> {
  const sound = randomBytes(FILE_BYTES);
  for (let left = bytes; left > 0; left -= FILE_BYTES) {
    const id = newId();
    await mkdir(join(dataDir, "songs", id), { recursive: true });
    sound.writeUInt32LE(left % 2 ** 32);
    await writeFile(join(dataDir, "songs", id, "audio.mp3"), sound);
    await writeFile(join(dataDir, "songs", id, "lighting.1.json"), "{}");
    await sql`
      insert into songs (id, title, source_hash, source_file, duration, downloaded_at, analysis_status, lighting_status, plan_number)
      values (${id}, ${`Song ${left}`}, ${id}, 'source.mp3', 200, now(), 'ready', 'ready', 1)`;
  }
}
