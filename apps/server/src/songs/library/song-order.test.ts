import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { GrantedJob, StepResult } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import type { Sql } from "../../platform/database/database.ts";
import { countRows } from "../../platform/database/lists.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { retrySong } from "./change-song.ts";
import { importLink } from "./import-song.ts";
import { claimNext, settleJob } from "../processing/song-jobs.ts";
import { SONG_LIST, songsOf } from "../catalog/songs.store.ts";
import { openUntil } from "../../testing/open-until.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

let sql: Sql;
let read = 0;
/** Job IDs of messages that no worker has taken, in the order they were sent. */
let messages: string[] = [];
beforeEach(async () => {
  ({ sql } = openUntil(onTestFinished, await createTestDatabase(30)));
  read = 0;
  messages = [];
});

async function addSongs(count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) {
    ids.push((await importLink(sql, caller, `https://youtu.be/${String(n).padStart(11, "v")}`)).song.id);
  }
  return ids;
}

async function nextMessage(subject = "songs.%"): Promise<string | undefined> {
  const sent = await sql<{ seq: number; job: string }[]>`
    select seq::int, body::jsonb->>'job_id' as job from outbox where seq > ${read} and subject like ${subject}
    order by seq`;
  read = sent.at(-1)?.seq ?? read;
  messages.push(...sent.map(({ job }) => job));
  return messages.shift();
}

async function claim(job_id: string): Promise<GrantedJob | undefined> {
  const reply = await claimNext(sql, { job_id, worker: "w" });
  return reply.kind === "granted" ? reply.job : undefined;
}

const finish = ({ job_id, lease_token }: GrantedJob, more: Partial<StepResult> = {}) =>
  settleJob(sql, { job_id, lease_token, outcome: { kind: "done", result: { duration: 60, ...more } } });

/** Works as one worker until no message is left. @returns the finished steps as "song step" */
async function workOff(ids: readonly string[], whenDone = async (_done: string) => {}): Promise<string[]> {
  const done: string[] = [];
  for (let message = await nextMessage(); message !== undefined; message = await nextMessage()) {
    const job = await claim(message);
    if (!job) continue;
    await finish(job);
    done.push(`${ids.indexOf(job.song_id)} ${job.step}`);
    await whenDone(done.at(-1)!);
  }
  return done;
}

const wholeSong = (n: number) => [`${n} download`, `${n} analysis`, `${n} lighting`];

test("the first song of many gets its light show before the second is downloaded", async () => {
  const ids = await addSongs(4);
  expect(await workOff(ids)).toEqual([0, 1, 2, 3].flatMap(wholeSong));
});

test("a queued job of a deleted song is skipped and blocks no worker", async () => {
  const ids = await addSongs(2);
  await sql`update songs set deleted_at = now() where id = ${ids[0]!}`;
  expect(await workOff(ids)).toEqual(wholeSong(1));
});

test("a plan that a user requested runs before songs that were added earlier", async () => {
  const ids = await addSongs(3);
  const done = await workOff(ids, async (last) => {
    if (last === "1 download") await retrySong(sql, caller, ids[0]!, "lighting");
  });
  expect(done).toEqual([...wholeSong(0), "1 download", "0 lighting", "1 analysis", "1 lighting", ...wholeSong(2)]);
});

test("each job is granted once, however many workers claim at the same time", async () => {
  await addSongs(10);
  const asked = [];
  for (let message = await nextMessage(); message !== undefined; message = await nextMessage()) asked.push(message);
  const granted = await Promise.all([...asked, ...asked].map(claim));
  const jobs = granted.filter((job) => job !== undefined).map(({ job_id }) => job_id);
  expect(jobs.toSorted()).toEqual(asked.toSorted());
});

test("a message of a deleted song grants another queued job", async () => {
  const ids = await addSongs(2);
  const [first, second] = [await nextMessage(), await nextMessage()];
  await sql`update song_jobs set state = 'cancelled' where id = ${first!}`;
  expect((await claim(first!))?.song_id).toBe(ids[1]);
  expect(await claim(second!)).toBeUndefined();
});

test("a message for stems grants no other step", async () => {
  const [id] = await addSongs(1);
  await finish((await claim((await nextMessage())!))!);
  await finish((await claim((await nextMessage())!))!, { wants_stems: true });
  const stems = await nextMessage("stems");
  expect(await claim(stems!)).toMatchObject({ song_id: id, step: "stems" });
  expect(await claim(stems!)).toBeUndefined();
});

test("each song is in exactly one of the list's counts at every step", async () => {
  const seen: Record<string, number>[] = [];
  const count = async () => {
    const counts = await countRows(sql, SONG_LIST, "", songsOf(sql, false));
    seen.push(Object.fromEntries(counts.map(({ filter, count }) => [filter || "all", count])));
  };
  const ids = await addSongs(3);
  await count();
  await workOff(ids, count);
  const none = { ready: 0, processing: 0, downloading: 0, error: 0 };
  expect(seen[0]).toEqual({ ...none, all: 3, downloading: 3 });
  expect(seen.at(-1)).toEqual({ ...none, all: 3, ready: 3 });
  for (const { all, ...parts } of seen) expect(Object.values(parts).reduce((a, b) => a + b)).toBe(all);
});
