import { afterAll, expect, test } from "vitest";
import type { GrantedJob, JobOutcome } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { importLink } from "../library/import-song.ts";
import { cancelSong, retrySong } from "../library/change-song.ts";
import { claimJob, keepLease, LEASE_SECONDS, MAX_ATTEMPTS, settleJob, sweepJobs } from "./song-jobs.ts";
import { findSong } from "../catalog/songs.store.ts";
import { openUntil } from "../../testing/open-until.ts";

let videos = 0;
const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

const { sql } = openUntil(afterAll, await createTestDatabase(30));

const link = () => `https://youtu.be/${String(++videos).padStart(11, "v")}`;
const activeJobs = (songId: string) =>
  sql<{ id: string; step: string; state: string; attempt: number }[]>`
    select id, step, state, attempt from song_jobs where song_id = ${songId} and state in ('queued', 'running') order by created_at`;
const statuses = async (id: string) => {
  const song = await findSong(sql, id);
  return [song?.analysis_status, song?.lighting_status];
};
const expireLease = (jobId: string) =>
  sql`update song_jobs set lease_until = now() - interval '1 second' where id = ${jobId}`;

async function newSong(): Promise<string> {
  return (await importLink(sql, caller, link())).song.id;
}
async function claimNext(songId: string): Promise<GrantedJob> {
  const [job] = await activeJobs(songId);
  const reply = await claimJob(sql, { job_id: job!.id, worker: "w" });
  if (reply.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(reply)}`);
  return reply.job;
}
const report = (job: GrantedJob, outcome: JobOutcome["outcome"]) =>
  settleJob(sql, { job_id: job.job_id, lease_token: job.lease_token, outcome });
/** Records the type and topics of each envelope about a song from now on. */
async function listen(songId: string): Promise<() => Promise<string[][]>> {
  const [before] = await sql<{ seq: string }[]>`select coalesce(max(seq), 0)::text as seq from outbox`;
  return async () => {
    const rows = await sql<{ type: string; topics: string[] }[]>`
      select body::jsonb->>'type' as type, body::jsonb->'topics' as topics from outbox
      where seq > ${before!.seq}::bigint and subject like 'events.%' and body::jsonb->'payload'->>'song_id' = ${songId}
      order by seq`;
    return rows.map(({ type, topics }) => [type, ...topics.map((topic) => topic.replace(songId, "ID"))]);
  };
}
const done: JobOutcome["outcome"] = { kind: "done", result: { duration: 200, tempo: 120, key: "A minor" } };

test("stores one song and one download for twenty simultaneous imports of a link", async () => {
  const url = link();
  const added = await Promise.all(Array.from({ length: 20 }, () => importLink(sql, caller, url)));
  expect(new Set(added.map(({ song }) => song.id)).size).toBe(1);
  expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await activeJobs(added[0]!.song.id)).toHaveLength(1);
});

test("runs the three steps in order and ends ready", async () => {
  const id = await newSong();
  const seen: string[] = [];
  for (let step = 0; step < 3; step++) {
    const job = await claimNext(id);
    seen.push(job.step);
    await report(job, done);
  }
  expect(seen).toEqual(["download", "analysis", "lighting"]);
  expect(await statuses(id)).toEqual(["ready", "ready"]);
  expect(await activeJobs(id)).toHaveLength(0);
});

test("rounds a song's duration down to whole seconds, but at least to one", async () => {
  const last = async (duration: number) => {
    const id = await newSong();
    await report(await claimNext(id), { kind: "done", result: { duration } });
    return (await findSong(sql, id))?.duration;
  };
  expect([await last(157.8), await last(0.4), await last(0)]).toEqual([157, 1, 0]);
});

test("writes the wake-up message in the transaction that creates the job", async () => {
  const id = await newSong();
  const [job] = await activeJobs(id);
  const rung = await sql`select 1 from outbox where subject = 'songs.download' and body::jsonb->>'job_id' = ${job!.id}`;
  expect(rung).toHaveLength(1);
});

test("makes one job of a retry pressed twenty times", async () => {
  const id = await newSong();
  await report(await claimNext(id), done);
  await report(await claimNext(id), { kind: "failed", reason: "noise", retry: false });
  await Promise.all(Array.from({ length: 20 }, () => retrySong(sql, caller, id, "analysis")));
  expect(await activeJobs(id)).toMatchObject([{ step: "analysis", state: "queued" }]);
});

test("grants a job to exactly one of twenty workers", async () => {
  const id = await newSong();
  const [job] = await activeJobs(id);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => claimJob(sql, { job_id: job!.id, worker: `w${n}` })),
  );
  expect(replies.map(({ kind }) => kind).sort()).toEqual([...Array(19).fill("busy"), "granted"]);
});

test("rejects the result of a worker whose lease another worker has taken over", async () => {
  const id = await newSong();
  const stale = await claimNext(id);
  await expireLease(stale.job_id);
  await sweepJobs(sql, 0);
  const fresh = await claimNext(id);
  expect(await report(stale, done)).toBe("stale");
  expect(
    await keepLease(sql, { job_id: stale.job_id, lease_token: stale.lease_token, progress: 0.5, note: "" }),
  ).toEqual({ kind: "lost" });
  expect(await report(fresh, done)).toBe("applied");
  expect(await report(fresh, done)).toBe("stale");
});

// kept: Doors | After the clock was set back, the song of a worker that died waited until the old time was reached
// again | failed on the old code
test("leases and wake-up times in the future, after the clock was set back an hour, count from now", async () => {
  const [atWork, waiting] = [await newSong(), await newSong()];
  const job = await claimNext(atWork);
  await sql`update song_jobs set lease_until = lease_until + interval '1 hour' where id = ${job.job_id}`;
  await sql`update song_jobs set rung_at = rung_at + interval '1 hour' where song_id = ${waiting}`;
  await sweepJobs(sql, undefined);
  const [left] = await sql<{ lease: boolean; ring: boolean }[]>`
    select bool_and(lease_until between now() and now() + make_interval(secs => ${LEASE_SECONDS})) as lease,
      bool_and(rung_at <= now()) as ring
    from song_jobs where song_id in (${atWork}, ${waiting})`;
  expect(left).toEqual({ lease: true, ring: true });
  // Running workers continue.
  const beat = { job_id: job.job_id, lease_token: job.lease_token, progress: 0.5, note: "" };
  expect(await keepLease(sql, beat)).toEqual({ kind: "kept" });
});

test(`fails a job after ${MAX_ATTEMPTS} worker crashes, and records the failure`, async () => {
  const id = await newSong();
  for (let death = 1; death <= MAX_ATTEMPTS; death++) {
    const job = await claimNext(id);
    expect(job.attempt).toBe(death);
    await expireLease(job.job_id);
    await sweepJobs(sql, 0);
  }
  expect(await statuses(id)).toEqual(["error", "pending"]);
  expect(await activeJobs(id)).toHaveLength(0);
  const records =
    await sql`select body::jsonb from outbox where subject = 'failures.songs.download' and body::jsonb->>'song_id' = ${id}`;
  expect(records[0]?.body).toMatchObject({ step: "download", attempt: MAX_ATTEMPTS });
});

// kept: Live | A failed step was published twice | failed on the old code
test("publishes a failed step once, whichever process detects it", async () => {
  const [failed, died] = [await newSong(), await newSong()];
  const lastTry = async (id: string) => {
    await sql`update song_jobs set attempt = ${MAX_ATTEMPTS - 1} where song_id = ${id}`;
    return claimNext(id);
  };
  const [job, dead] = [await lastTry(failed), await lastTry(died)];
  const told = [await listen(failed), await listen(died)];
  await report(job, { kind: "failed", reason: "noise", retry: true });
  await expireLease(dead.job_id);
  await sweepJobs(sql, 0);
  for (const heard of told) expect(await heard()).toEqual([["song.updated", "songs", "song.ID"]]);
});

// kept: Live | Progress was published every second even without a change, and never on the song's own topic | failed on
// the old code
test("publishes progress on the song's own topic too, and not for heartbeats without a change", async () => {
  const id = await newSong();
  const job = await claimNext(id);
  const heard = await listen(id);
  const beat = { job_id: job.job_id, lease_token: job.lease_token, note: "downloading" };
  for (const progress of [0.2, 0.2, 0.2, 0.4]) await keepLease(sql, { ...beat, progress });
  const once = ["song.progress", "songs", "song.ID"];
  expect(await heard()).toEqual([once, once]);
});

test("does not count an attempt that a stopping worker releases", async () => {
  const id = await newSong();
  for (let stop = 0; stop < 5; stop++) await report(await claimNext(id), { kind: "released" });
  expect(await activeJobs(id)).toMatchObject([{ state: "queued", attempt: 0 }]);
});

test("retries a step after a temporary failure, and reports the reason of the last attempt", async () => {
  const id = await newSong();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await report(await claimNext(id), { kind: "failed", reason: "The network is down", retry: true });
  }
  expect(await findSong(sql, id)).toMatchObject({ analysis_status: "error", error_message: "The network is down" });
});

// kept: Live | A queued job whose message was lost got no new wake-up message while other jobs were running | failed
// with the fault put back
test("resends the wake-up message of a queued job within seconds while other jobs are running", async () => {
  const atWork = await Promise.all(Array.from({ length: 2 }, newSong));
  for (const song of atWork) await claimNext(song);
  const id = await newSong();
  const [job] = await activeJobs(id);
  await sql`delete from outbox`;
  await sql`update song_jobs set rung_at = now() - interval '4 seconds' where id = ${job!.id}`;
  const rung = () => sql`select 1 from outbox where body::jsonb->>'job_id' = ${job!.id}`;
  const [{ active } = { active: 0 }] = await sql<{ active: number }[]>`
    select count(*)::int as active from song_jobs where state in ('queued', 'running')`;
  await sweepJobs(sql, active);
  expect(await rung()).toHaveLength(0);
  await sweepJobs(sql, active - 1);
  expect(await rung()).toHaveLength(1);
});

test("keeps what is done when a song is planned again, and stops later steps when it is analysed again", async () => {
  const id = await newSong();
  for (let step = 0; step < 3; step++) await report(await claimNext(id), done);
  await retrySong(sql, caller, id, "lighting");
  expect(await statuses(id)).toEqual(["ready", "processing"]);
  await retrySong(sql, caller, id, "analysis");
  expect(await activeJobs(id)).toMatchObject([{ step: "analysis" }]);
  expect(await statuses(id)).toEqual(["processing", "pending"]);
});

test("refuses to analyze a song that is not downloaded", async () => {
  const id = await newSong();
  await expect(retrySong(sql, caller, id, "analysis")).rejects.toThrow("Retry Download");
});

test("ends the lease of a canceled song", async () => {
  const id = await newSong();
  const job = await claimNext(id);
  await cancelSong(sql, caller, id);
  expect(await keepLease(sql, { job_id: job.job_id, lease_token: job.lease_token, progress: 0.5, note: "" })).toEqual({
    kind: "lost",
  });
  expect(await findSong(sql, id)).toMatchObject({ analysis_status: "error", error_message: "Cancelled" });
});
