import { afterAll, expect, test } from "vitest";
import type { JobOutcome } from "@followspot/contract";
import { seedsOfSong } from "@followspot/lighting";
import type { Caller } from "../../platform/caller.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { deleteSong, restoreSong, retrySong } from "../library/change-song.ts";
import { importLink } from "../library/import-song.ts";
import { claimJob, keepLease, settleJob, sweepJobs } from "./song-jobs.ts";
import { replanSong } from "../library/show-wishes.ts";
import { findWishes } from "../catalog/song-wishes.store.ts";
import { findSong } from "../catalog/songs.store.ts";
import { openUntil } from "../../testing/open-until.ts";

const ROUNDS = 200;
const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
let videos = 0;

const { sql } = openUntil(afterAll, await createTestDatabase(20));

async function newSong() {
  const { song } = await importLink(sql, caller, `https://youtu.be/${String(++videos).padStart(11, "r")}`);
  return song.id;
}

const done: JobOutcome["outcome"] = { kind: "done", result: { duration: 200, tempo: 120, key: "A minor" } };

async function claim(songId: string) {
  const [job] = await sql<{ id: string }[]>`
    select id from song_jobs where song_id = ${songId} and state = 'queued' and step <> 'stems' limit 1`;
  const reply = await claimJob(sql, { job_id: job!.id, worker: "w" });
  if (reply.kind !== "granted") throw new Error(`not granted: ${JSON.stringify(reply)}`);
  return { job_id: reply.job.job_id, lease_token: reply.job.lease_token };
}

/** Returns the code of a refusal; throws anything else, such as a deadlock. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: unknown; name?: string }) => {
      if (error.name !== "ConnectError") throw error;
      return error.code;
    },
  );

// kept: Changes | A retry, a delete and a finished step of one song deadlocked | failed on the old code
test("two deletes, a retry and a finished step of one song at the same time result in one delete, 200 times", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const id = await newSong();
    await settleJob(sql, { ...(await claim(id)), outcome: done });
    // The running step differs from the retried one, so that both the song and its job change.
    const lease = await claim(id);
    const beat = { ...lease, progress: round / ROUNDS, note: "downloading" };
    const [first, second] = await Promise.all([
      refusal(deleteSong(sql, caller, id)),
      refusal(deleteSong(sql, caller, id)),
      refusal(retrySong(sql, caller, id, "download")),
      settleJob(sql, { ...lease, outcome: done }),
      keepLease(sql, beat),
      sweepJobs(sql, undefined),
    ]);
    expect([first, second].toSorted()).toEqual([5, "done"]);
    expect(await findSong(sql, id)).toBeUndefined();
    const active = await sql`select 1 from song_jobs where song_id = ${id} and state in ('queued', 'running')`;
    expect(active).toHaveLength(0);
    const deleted = await sql`select 1 from audit_log where target = ${`song ${id}`} and action = 'song.deleted'`;
    expect(deleted).toHaveLength(1);
  }
});

// kept: Changes | A new seed was stored without a plan that uses it | failed on the old code
test("a new seed is stored with its plan, also during a running older plan", async () => {
  const id = await newSong();
  for (let step = 0; step < 2; step++) await settleJob(sql, { ...(await claim(id)), outcome: done });
  const old = await claim(id);
  await replanSong(sql, caller, id);
  expect(await settleJob(sql, { ...old, outcome: done })).toBe("stale");
  const fresh = await claim(id);
  expect(await settleJob(sql, { ...fresh, outcome: done })).toBe("applied");
  expect(await findSong(sql, id)).toMatchObject({ lighting_status: "ready" });
  const [seed] = seedsOfSong(id);
  expect((await findWishes(sql, id)).wishes.seed).toBe(seed);
  const audits =
    await sql`select before, after from audit_log where target = ${`song ${id}`} and action = 'song.replanned'`;
  expect(audits).toEqual([{ before: { seed: 0 }, after: { seed } }]);
});

// kept: Changes | A new seed was stored without a plan that uses it | also
test("a refused new seed leaves the old one unchanged", async () => {
  const id = await newSong();
  expect(await refusal(replanSong(sql, caller, id))).toBe(9);
  expect(await findWishes(sql, id)).toMatchObject({ revision: 0, wishes: { seed: 0 } });
});

// kept: Changes | Songs and talks were deleted permanently at once | failed with the fault put back
test("a deleted song is restored at its last step, unless another one has taken its place", async () => {
  const id = await newSong();
  await deleteSong(sql, caller, id);
  const back = await restoreSong(sql, caller, id);
  expect(back).toMatchObject({ id, step: "download" });
  await deleteSong(sql, caller, id);
  const again = await importLink(sql, caller, back.url);
  expect(again.isNew).toBe(true);
  expect(await refusal(restoreSong(sql, caller, id))).toBe(6);
});

// kept: Changes | A change was stored without its audit row | also
test("every song has one audit row, however often it was imported at once", async () => {
  const url = `https://youtu.be/${String(++videos).padStart(11, "r")}`;
  const added = await Promise.all(Array.from({ length: 20 }, () => importLink(sql, caller, url)));
  const { id } = added[0]!.song;
  const rows = await sql`select 1 from audit_log where target = ${`song ${id}`} and action = 'song.created'`;
  expect(rows).toHaveLength(1);
});
