import { AckPolicy, DeliverPolicy } from "@nats-io/jetstream";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { STREAMS, subjects, type ClaimReply, type GrantedJob, type JobOutcome } from "@followspot/contract";
import type { Caller } from "../../platform/caller.ts";
import { connectBroker, ensureStreams, leaveBroker, WORKER_CONSUMER, type Broker } from "../../platform/broker/nats.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { findNatsServer, startUnwatchedNats, type RunningNats } from "../../operations/supervisor/nats.ts";
import { importLink } from "../library/import-song.ts";
import { SongFiles } from "../catalog/song-files.ts";
import { SongPipeline } from "./song-pipeline.ts";
import { findSong } from "../catalog/songs.store.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const WAIT = { timeout: 20_000, interval: 30 };
/** Wait after which the first sweep has certainly run, ms. */
const GUARD_MS = 6000;
const admin: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let nats: RunningNats;
let broker: Broker;
let pipeline: SongPipeline;
let warnings: string[];
let videos = 0;

beforeEach(async () => {
  warnings = [];
  database = openUntil(onTestFinished, await createTestDatabase());
  folder = await folderUntil(onTestFinished);
  nats = await startUnwatchedNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {});
  openUntil(onTestFinished, nats, (nats) => nats.stop());
  broker = openUntil(onTestFinished, await connectBroker(nats.url, "test"), leaveBroker);
  await ensureStreams(broker);
  pipeline = new SongPipeline(database.sql, broker, new SongFiles(folder), (warning) => void warnings.push(warning), {
    guardMs: GUARD_MS,
  });
  openUntil(onTestFinished, pipeline);
  pipeline.start();
  await database.sql`
    create function refuse_tempo() returns trigger language plpgsql
    as 'begin if new.tempo = 666 then raise exception ''no such tempo''; end if; return new; end'`;
});

const refuseTempo = () =>
  database.sql`create trigger refuse_tempo before update on songs for each row execute function refuse_tempo()`;

async function newSong(): Promise<string> {
  const { song } = await importLink(database.sql, admin, `https://youtu.be/${String(++videos).padStart(11, "l")}`);
  return song.id;
}

/** Claims the song's next job as a worker does. */
async function claim(songId: string): Promise<GrantedJob> {
  const [job] = await database.sql<{ id: string }[]>`
    select id from song_jobs where song_id = ${songId} and state = 'queued'`;
  const message = await broker.connection.request(subjects.claim, JSON.stringify({ job_id: job?.id, worker: "w" }));
  const reply = message.json<ClaimReply>();
  if (reply.kind !== "granted") throw new Error(JSON.stringify(reply));
  return reply.job;
}
const report = ({ job_id, lease_token, step }: GrantedJob, outcome: JobOutcome["outcome"]) =>
  broker.js.publish(subjects.response(step), JSON.stringify({ job_id, lease_token, outcome }));
const done = (tempo = 120): JobOutcome["outcome"] => ({ kind: "done", result: { duration: 200, tempo } });

/** Creates a song whose analysis is running. */
async function analysing(): Promise<GrantedJob> {
  const id = await newSong();
  await report(await claim(id), done());
  await expect.poll(async () => (await findSong(database.sql, id))?.step, WAIT).toBe("analysis");
  return claim(id);
}
const expire = ({ job_id }: GrantedJob) =>
  database.sql`update song_jobs set lease_until = now() - interval '1 second' where id = ${job_id}`;
const jobState = async ({ job_id }: GrantedJob) =>
  (await database.sql`select state, attempt from song_jobs where id = ${job_id}`)[0];
const reportsLeft = async () => (await broker.jsm.streams.info(STREAMS.responses.name)).state.messages;

// kept: Songs and jobs | A step whose outcome could not be stored was repeated until it failed | also
test("an outcome that can never be stored protects its job from the sweep for a while, then the job runs again", async () => {
  await refuseTempo();
  const [poisoned, abandoned] = [await analysing(), await analysing()];
  await report(poisoned, done(666));
  await expect.poll(() => warnings.join(), WAIT).toContain("no such tempo");
  await Promise.all([expire(poisoned), expire(abandoned)]);
  // Both are swept together, except that one has a pending outcome.
  await expect.poll(() => jobState(abandoned), WAIT).toEqual({ state: "queued", attempt: 1 });
  expect(await jobState(poisoned)).toEqual({ state: "running", attempt: 1 });
  await expect.poll(() => jobState(poisoned), WAIT).toEqual({ state: "queued", attempt: 1 });

  const again = await claim(poisoned.song_id);
  await report(again, done());
  await expect.poll(() => jobState(again), WAIT).toEqual({ state: "done", attempt: 2 });
  // No job waits for the old outcome any more, so it is not redelivered forever.
  await expect.poll(reportsLeft, WAIT).toBe(0);
});

// kept: Songs and jobs | A step whose outcome could not be stored was repeated until it failed | failed on the old code
test("an outcome that can be stored later is stored despite its expired lease, and the work is not repeated", async () => {
  await refuseTempo();
  const [job, abandoned] = [await analysing(), await analysing()];
  await report(job, done(666));
  await expect.poll(() => warnings.join(), WAIT).toContain("no such tempo");
  await Promise.all([expire(job), expire(abandoned)]);
  await expect.poll(() => jobState(abandoned), WAIT).toEqual({ state: "queued", attempt: 1 });
  await database.sql`drop trigger refuse_tempo on songs`;
  await expect.poll(() => jobState(job), WAIT).toEqual({ state: "done", attempt: 1 });
  expect(await findSong(database.sql, job.song_id)).toMatchObject({ tempo: 666, analysis_status: "ready" });
});

// kept: Songs and jobs | An outcome that cannot be parsed was redelivered forever | failed on the old code
test("an outcome that cannot be parsed is dropped, and later ones are stored", async () => {
  const job = await analysing();
  const subject = subjects.response("analysis");
  for (const text of ["", "no json", "null", "{}", '{"job_id":7,"outcome":{"kind":"done"}}', '{"job_id":"x"}']) {
    await broker.js.publish(subject, text);
  }
  await broker.js.publish(subject, JSON.stringify({ job_id: "missing", lease_token: "x", outcome: done() }));
  await report(job, done());
  await expect.poll(() => jobState(job), WAIT).toMatchObject({ state: "done" });
  await expect.poll(reportsLeft, WAIT).toBe(0);
});

test("an invalid claim or heartbeat gets no lease", async () => {
  const ask = async (subject: string, body: object) =>
    (await broker.connection.request(subject, JSON.stringify(body), { timeout: 5000 })).json<{ kind: string }>();
  const job = await analysing();
  expect(await ask(subjects.claim, { job_id: "missing", worker: "w" })).toMatchObject({ kind: "skipped" });
  expect(await ask(subjects.claim, { job_id: job.job_id, worker: "another" })).toMatchObject({ kind: "busy" });
  const beat = { job_id: job.job_id, progress: 0.5, note: "" };
  expect(await ask(subjects.heartbeat, { ...beat, lease_token: "not mine" })).toEqual({ kind: "lost" });
  expect(await ask(subjects.heartbeat, { ...beat, lease_token: job.lease_token })).toEqual({ kind: "kept" });
});

// kept: Live | A job whose wake-up message was lost waited forever while the streams still contained acknowledged
// messages | failed on the old code
test("a job whose wake-up message was lost gets a new one although the broker retains acknowledged messages", async () => {
  const id = await newSong();
  const { name, subjects: heard } = STREAMS.songs;
  await broker.jsm.streams.delete(name);
  await broker.jsm.streams.add({ name, subjects: [...heard] });
  const durable = { durable_name: WORKER_CONSUMER, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
  await broker.jsm.consumers.add(name, durable);
  const consumer = await broker.js.consumers.get(name, WORKER_CONSUMER);
  for (let i = 0; i < 3; i++) {
    await broker.js.publish(subjects.job("analysis"), '{"job_id":"done"}');
    await (await consumer.next())?.ackAck();
  }
  await database.sql`delete from outbox`;
  await database.sql`update song_jobs set rung_at = now() - interval '1 minute' where song_id = ${id}`;
  const rung = async () => (await database.sql`select subject from outbox where subject like 'songs.%'`).length;
  await expect.poll(rung, WAIT).toBe(1);
});

test("sweeps leases while the broker is unavailable", async () => {
  const job = await analysing();
  nats.child.kill("SIGKILL");
  await expire(job);
  await expect.poll(() => jobState(job), WAIT).toEqual({ state: "queued", attempt: 1 });
});
