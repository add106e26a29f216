import { afterAll, beforeEach, expect, test } from "vitest";
import type { GrantedJob, JobOutcome } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { cancelSong, retrySong } from "../library/change-song.ts";
import { importLink } from "../library/import-song.ts";
import { claimJob, claimNext, settleJob, sweepJobs, wakeSteps } from "./song-jobs.ts";
import { findSong } from "../catalog/songs.store.ts";
import { openUntil } from "../../testing/open-until.ts";

let videos = 0;
const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
const { sql } = openUntil(afterAll, await createTestDatabase());
beforeEach(() => sql`update songs set deleted_at = now()`.then(() => sql`delete from song_jobs`));

const MB = 1e6;
const ROOM: JobOutcome["outcome"] = {
  kind: "waits",
  reason: "There is no space left.",
  wait: { kind: "room", bytes: 100 * MB },
};
const SITE: JobOutcome["outcome"] = { kind: "waits", reason: "The site asks us to slow down.", wait: { kind: "site" } };

async function newSong(): Promise<string> {
  return (await importLink(sql, caller, `https://youtu.be/${String(++videos).padStart(11, "w")}`)).song.id;
}
const jobOf = async (songId: string) =>
  (
    await sql<{ id: string; attempt: number; waits: number; state: string }[]>`
  select id, attempt, waits, state from song_jobs where song_id = ${songId} order by created_at desc limit 1`
  )[0]!;
async function claim(songId: string): Promise<GrantedJob> {
  const reply = await claimJob(sql, { job_id: (await jobOf(songId)).id, worker: "w" });
  if (reply.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(reply)}`);
  return reply.job;
}
async function wait(songId: string, outcome: JobOutcome["outcome"]): Promise<void> {
  const job = await claim(songId);
  await settleJob(sql, { job_id: job.job_id, lease_token: job.lease_token, outcome });
}
const timePasses = () =>
  sql`update song_jobs set not_before = now() - interval '1 second' where not_before is not null`;
const wake = (freeBytes: number) => wakeSteps(sql, async () => freeBytes);
/** Returns the songs whose step can be claimed now. */
const ready = async () =>
  (
    await sql<{ song_id: string }[]>`
  select song_id from song_jobs where state = 'queued' and not_before is null order by song_id`
  ).map(({ song_id }) => song_id);
const rings = async (songId: string) =>
  (
    await sql`
  select 1 from outbox where subject = 'songs.download' and body::jsonb ->> 'job_id' = ${(await jobOf(songId)).id}`
  ).length;

test("a step without disk space waits, reports how much it needs, and continues once there is enough", async () => {
  const id = await newSong();
  const before = await rings(id);
  await wait(id, ROOM);
  expect(await findSong(sql, id)).toMatchObject({
    ...{ step: "download", analysis_status: "pending", error_message: "" },
    note: "waits until 100 MB are free on the server's disk",
  });
  expect(await claimJob(sql, { job_id: (await jobOf(id)).id, worker: "w" })).toMatchObject({ kind: "skipped" });
  await wake(1000 * MB); // its delay has not elapsed
  expect(await ready()).toEqual([]);
  await timePasses();
  await wake(99 * MB);
  expect([await ready(), await rings(id)]).toEqual([[], before]);
  await wake(100 * MB);
  expect([await ready(), await rings(id)]).toEqual([[id], before + 1]);
  expect((await claim(id)).attempt).toBe(1); // the wait does not count as an attempt
});

test("the sweep sends no wake-up message for waiting steps, and free space is queried only if a step waits for it", async () => {
  const id = await newSong();
  await wait(id, ROOM);
  await sql`update song_jobs set rung_at = now() - interval '1 hour'`;
  expect((await sweepJobs(sql, 0)).rung).toBe(0);
  expect(await claimNext(sql, { job_id: (await jobOf(id)).id, worker: "w" })).toMatchObject({ kind: "skipped" });
  let asked = 0;
  const look = async () => ++asked;
  await wakeSteps(sql, look);
  expect(asked).toBe(0);
  await timePasses();
  await wakeSteps(sql, look);
  expect(asked).toBe(1);
});

test("only as many steps continue as there is space for: oldest first, and small ones past big ones", async () => {
  const ids = [await newSong(), await newSong(), await newSong()];
  for (const id of ids) await wait(id, ROOM);
  await sql`update song_jobs set room_needed = ${500 * MB} where song_id = ${ids[1]!}`;
  await timePasses();
  await wake(150 * MB);
  expect(await ready()).toEqual([ids[0]]);
  await wake(150 * MB); // the first step has reserved its share
  expect(await ready()).toEqual([ids[0]]);
  await wake(250 * MB);
  expect(await ready()).toEqual([ids[0], ids[2]]);
});

test("a step that runs out of space again waits for more space and longer, and finally fails", async () => {
  const id = await newSong();
  const wanted: number[] = [];
  const seconds: number[] = [];
  for (let n = 0; (await jobOf(id)).state === "queued"; n++) {
    await wait(id, ROOM);
    const [row] = await sql<{ room: number; seconds: number }[]>`
      select room_needed::float8 as room, extract(epoch from not_before - now())::float8 as seconds from song_jobs where song_id = ${id}`;
    if (row?.seconds) {
      wanted.push(row.room / MB);
      seconds.push(Math.round(row.seconds));
    }
    await timePasses();
    await wake(1e12);
    expect(n).toBeLessThan(30);
  }
  expect(wanted.slice(0, 4)).toEqual([100, 200, 400, 800]);
  expect(Math.max(...wanted)).toBe(8000);
  expect([seconds[0], seconds[3], Math.max(...seconds)]).toEqual([5, 40, 600]);
  expect(await findSong(sql, id)).toMatchObject({ analysis_status: "error", error_message: "There is no space left." });
});

test("a download that the site throttles is retried after each stated delay, and fails after the last", async () => {
  const id = await newSong();
  const notes: (string | null | undefined)[] = [];
  for (let n = 0; n < 5; n++) {
    await wait(id, SITE);
    notes.push((await findSong(sql, id))?.note);
    await wake(0);
    expect(await ready()).toEqual([]);
    await timePasses();
    await wake(0);
    expect(await ready()).toEqual([id]);
  }
  expect(notes[0]).toBe("the site asks this server to slow down: tried again in 2 minutes");
  expect(notes.map((note) => /in (\d+) minutes/.exec(note ?? "")?.[1])).toEqual(["2", "5", "15", "30", "60"]);
  await wait(id, SITE);
  expect(await findSong(sql, id)).toMatchObject({
    analysis_status: "error",
    error_message: "The site asks us to slow down.",
  });
});

test("Retry starts a waiting step at once, and Cancel ends the wait", async () => {
  const id = await newSong();
  await wait(id, ROOM);
  await retrySong(sql, caller, id, "download");
  expect(await ready()).toEqual([id]);
  expect((await jobOf(id)).waits).toBe(1);
  await wait(id, SITE);
  await cancelSong(sql, caller, id);
  await timePasses();
  await wake(1e12);
  expect(await ready()).toEqual([]);
  expect(await findSong(sql, id)).toMatchObject({ analysis_status: "error", error_message: "Cancelled" });
});
