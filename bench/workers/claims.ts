import { randomUUID } from "node:crypto";
import type { GrantedJob } from "../../packages/contract/src/index.ts";
import { nextQueued } from "../../apps/server/src/songs/processing/song-jobs.store.ts";
import { HandWorker } from "../../apps/server/src/testing/hand-worker.ts";
import { addWorker, type ReachedOffice } from "./away-worker.ts";

/** Of each try, ms: the next job is found by the database; a worker claims it over HTTP. */
export interface Claims {
  readonly findMs: readonly number[];
  readonly claimMs: readonly number[];
}

/** So many songs wait for their download; songs that were there are deleted, and the room they took is free. */
export async function queueSongs({ sql }: ReachedOffice, queued: number): Promise<void> {
  await sql`delete from songs`;
  await sql`
    insert into songs (id, title, artist, ytid, url, duration)
    select '01JD' || lpad(n::text, 22, '0'), 'Song', '', lpad(n::text, 11, '0'), '', 30 from generate_series(1, ${queued}::int) n`;
  // Rung for just now, so that no sweep rings for them meanwhile.
  await sql`
    insert into song_jobs (id, song_id, step, state, rung_at)
    select id, id, 'download', 'queued', now() + interval '50 seconds' from songs`;
  await sql`vacuum analyze songs, song_jobs`;
}

/** Claims that are handed back, of songs that {@link queueSongs} has made. */
export async function timeClaims(office: ReachedOffice, tries = 40): Promise<Claims> {
  const hand = new HandWorker(office.url, await addWorker(office, `Claims ${randomUUID()}`));
  await hand.hello();
  const [findMs, claimMs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < tries; turn++) {
    const began = performance.now();
    await nextQueued(office.sql, ["lighting", "analysis", "download"]);
    const found = performance.now();
    const { body } = await hand.claim("lighting", "analysis", "download");
    claimMs.push(performance.now() - found);
    findMs.push(found - began);
    await hand.report(body.job as GrantedJob, { kind: "released" });
  }
  return { findMs, claimMs };
}
