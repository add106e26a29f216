import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../../../platform/database/ids.ts";
import type { Installation } from "../../../testing/installation.ts";

/**
 * Fills an installation: several MB of every kind of value, a song with a show and one in progress, a playing queue, a
 * recording, and rows that backups exclude.
 */
export async function addCommunity({ sql, dataDir }: Installation): Promise<{ songId: string; workedOn: string }> {
  const [songId, workedOn] = [newId(), newId()];
  const picture = randomBytes(1_500_000);
  await sql`insert into images (id, mime_type, bytes, small) values ('P', 'image/webp', ${picture}, ${picture.subarray(0, 900)})`;
  await sql`
    insert into users (id, name, bio, photo_id, roles)
    select 'U' || i, E'Name \\\\ with\ttabs\nand breaks ☂ ' || i, repeat(md5(i::text), 10), 'P',
      case when i = 1 then array['Admin', 'Director'] else '{}'::text[] end
    from generate_series(1, 4000) i`;
  await sql`insert into users (id, name, is_script) values ('S', 'Scripts (Admin)', true)`;
  await sql`insert into events (id, title, starts_at, ends_at) values ('E', 'Night', now(), now() + interval '6 hours')`;
  await sql`insert into talks (id, title, event_id, user_id) select 'T' || i, 'Talk', 'E', 'U1' from generate_series(1, 50) i`;
  await sql`insert into talk_votes (talk_id, user_id) select 'T' || (i % 50 + 1), 'U' || i from generate_series(1, 2000) i`;
  await sql`insert into gold_accounts (id, kind, user_id) values ('U1', 'person', 'U1'), ('U2', 'person', 'U2')`;
  await sql`
    insert into gold_transactions (id, kind, amount, from_account, to_account, idempotency_key, created_by)
    values ('G1', 'grant', 100, 'mint', 'U1', 'k1', 'U1'), ('G2', 'transfer', 40, 'U1', 'U2', 'k2', 'U1')`;
  await sql`
    insert into audit_log (user_id, action, target, after)
    select 'U1', 'user.updated', 'user U' || i, jsonb_build_object('bio', repeat(md5(i::text), 20))
    from generate_series(1, 5000) i`;
  await sql`
    insert into lights (label, light_type, mode, channel_count, universe, dmx_address)
    select 'Par ' || i, 'generic_rgb_par', '3 channels', 3, 1, i * 3 - 2 from generate_series(1, 8) i`;
  await sql`delete from lights where label = 'Par 8'`; // its number is not reused
  await sql`
    insert into songs (id, title, ytid, url, downloaded_at, analysis_status, lighting_status, duration, plan_number)
    values (${songId}, 'Lit', 'aaaaaaaaaaa', 'https://youtu.be/aaaaaaaaaaa', now(), 'ready', 'ready', 60, 1),
      (${workedOn}, 'At work', 'bbbbbbbbbbb', 'https://youtu.be/bbbbbbbbbbb', null, 'pending', 'pending', 0, 0)`;
  await sql`
    insert into song_jobs (id, song_id, step, state, attempt, worker, lease_token, lease_until)
    values ('J', ${workedOn}, 'download', 'running', 3, 'w', 'token', now() + interval '5 seconds')`;
  await sql`
    update show_queue set mode = 'playing', song_id = ${songId}, started_at = now(), ends_at = now() + interval '61 seconds'`;
  await sql`insert into login_codes (target, nonce, asked_from, expires_at) values ('mia@example.org', '\\x00', '::1', now() + interval '10 minutes')`;
  await sql`insert into outgoing_codes (id, channel, target, sealed, expires_at) values ('O', 'mail', 'mia@example.org', '\\x00', now() + interval '10 minutes')`;
  await sql`insert into rate_limits values ('send target mia@example.org', 3, now())`;
  await sql`insert into outbox (id, subject, body) values ('M', 'events.x', '{}')`;
  await addFiles(dataDir, { [`songs/${songId}/audio.mp3`]: randomBytes(400_000) });
  await addFiles(dataDir, {
    [`songs/${songId}/lighting.1.json`]: "{}",
    [`songs/${songId}/hybrid.json.tmp-analysis-1`]: "half",
    "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.frames.gz": randomBytes(90_000),
    "recordings/01KAAAAAAAAAAAAAAAAAAAAAAA.json": "{}",
  });
  return { songId, workedOn };
}

/** @param files content by path below the data folder */
export async function addFiles(dataDir: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(dataDir, path, ".."), { recursive: true });
    await writeFile(join(dataDir, path), content);
  }
}
