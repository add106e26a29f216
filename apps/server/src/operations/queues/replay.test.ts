import { subjects } from "@followspot/contract";
import { afterAll, beforeEach, expect, test } from "vitest";
import { importLink } from "../../songs/library/import-song.ts";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { newId } from "../../platform/database/ids.ts";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { OutboxRelay } from "../../platform/broker/outbox-relay.ts";
import { emptyStreams } from "../../testing/empty-streams.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { HIDDEN } from "./hide-secrets.ts";

let numberOf: Awaited<ReturnType<typeof emptyStreams>>;
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "replay test"), leaveBroker);
const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ broker: () => broker, dataDir }));
const relay = openUntil(afterAll, new OutboxRelay(server.sql, broker, () => {}));
relay.start();
const { id: userId, token } = await server.person("Ada", ["Admin"]);
const caller = { userId, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const songs = new SongsByHand(server.sql, new SongFiles(dataDir), caller);
beforeEach(async () => {
  numberOf = await emptyStreams(broker);
  await server.sql`truncate audit_log`;
});

const call = (method: string, body: object) => server.call(`queues.v1.QueuesService/${method}`, body, token);
/** Replays the n-th message of a stream in this test. */
const replay = (stream: string, n: number, body: unknown, replayId = newId()) =>
  call("ReplayMessage", {
    stream,
    sequence: numberOf(stream, n),
    body: typeof body === "string" ? body : JSON.stringify(body),
    replay_id: replayId,
  });
/** Waits for the n-th message and returns it with its secrets. */
async function stored(stream: string, n: number): Promise<Wire> {
  const seq = numberOf(stream, n);
  await expect.poll(async () => (await broker.jsm.streams.info(stream)).state.last_seq).toBe(seq);
  return (await broker.jsm.streams.getMessage(stream, { seq }))!.json();
}

const event = (more: object = {}) => ({
  id: newId(),
  topics: ["songs"],
  type: "song.updated",
  ts: new Date().toISOString(),
  payload: { song_id: "s1" },
  ...more,
});
async function tell(message: object, subject = subjects.event("song.updated")) {
  await broker.js.publish(subject, JSON.stringify(message));
}

test("an edited message is sent once to the same subject for repeated calls, and audited", async () => {
  const told = event();
  await tell(told);
  const edited = { ...told, payload: { song_id: "s2" } };
  const replayId = newId();
  expect((await replay("EVENTS", 1, edited, replayId)).body).toEqual({ subject: "events.song.updated" });
  expect(await stored("EVENTS", 2)).toEqual(edited);
  await replay("EVENTS", 1, edited, replayId);
  await expect.poll(async () => (await server.sql`select 1 from outbox`).length).toBe(0);
  expect((await broker.jsm.streams.info("EVENTS")).state.last_seq).toBe(numberOf("EVENTS", 2));
  const [entry] = await server.sql`select action, target, before, after from audit_log order by id`;
  expect(entry).toEqual({
    action: "message_queue.replayed",
    target: "message_queue EVENTS",
    before: { payload: { song_id: "s1" } },
    after: { payload: { song_id: "s2" }, replayed_message: numberOf("EVENTS", 1) },
  });
});

test("a hidden secret that is left unchanged is sent with its real value, but neither returned nor audited", async () => {
  const outcome = { kind: "failed", reason: "no sound", retry: true };
  await tell({ job_id: "j1", lease_token: "hush", outcome }, subjects.response("download"));
  const { message } = (await call("GetMessage", { stream: "RESPONSE_QUEUE", sequence: numberOf("RESPONSE_QUEUE", 1) }))
    .body;
  const edited = { ...JSON.parse(message.body), outcome: { ...outcome, retry: false } };
  expect(edited.lease_token).toBe(HIDDEN);
  const answer = await replay("RESPONSE_QUEUE", 1, edited);
  expect(await stored("RESPONSE_QUEUE", 2)).toEqual({ job_id: "j1", lease_token: "hush", outcome: edited.outcome });
  expect(JSON.stringify([answer.body, await server.sql`select before, after from audit_log`])).not.toContain("hush");
});

test.each([
  ["what is no JSON", "SONGS", { job_id: "j1" }, '{"job_id": ', "must be JSON"],
  ["a doorbell without a job", "SONGS", { job_id: "j1" }, { job: "j1" }, "job_id"],
  ["more than a job in a doorbell", "SONGS", { job_id: "j1" }, { job_id: "j1", step: "analysis" }, "step"],
  ["an event of another type", "EVENTS", event(), event({ type: "user.updated" }), "type: must be song.updated"],
  ["an event on no topic", "EVENTS", event(), event({ topics: ["nowhere"] }), "topics.0: is no topic"],
  ["an event without a payload", "EVENTS", event(), event({ payload: 7 }), "payload"],
  ["a secret put elsewhere", "EVENTS", event(), event({ payload: { song_id: HIDDEN } }), "can only stay where it was"],
])("%s is refused with the field's name, and nothing is sent", async (_what, stream, message, edited, why) => {
  const subject = { SONGS: subjects.job("download"), EVENTS: subjects.event("song.updated") }[stream];
  await tell(message, subject);
  const { code, body } = await replay(stream, 1, edited);
  expect([code, body.message]).toEqual(["invalid_argument", expect.stringContaining(why)]);
  expect(await server.sql`select 1 from outbox union all select 1 from audit_log`).toEqual([]);
});

test("an outcome of an unknown kind is refused", async () => {
  await tell({ job_id: "j1", lease_token: "t", outcome: { kind: "released" } }, subjects.response("download"));
  const { code } = await replay("RESPONSE_QUEUE", 1, { job_id: "j1", lease_token: HIDDEN, outcome: { kind: "lost" } });
  expect(code).toBe("invalid_argument");
});

test("the hidden text of a message between users is sent unchanged, and an edited one is refused", async () => {
  const said = event({ type: "message.created", payload: { message: { id: "m1", userId: "u1", text: "nine" } } });
  await tell(said, subjects.event("message.created"));
  const shown = { ...said, payload: { message: { id: "m1", userId: "u1", text: HIDDEN } } };
  const forged = { ...said, payload: { message: { id: "m1", userId: "u1", text: "ten" } } };
  expect((await replay("EVENTS", 1, forged)).code).toBe("invalid_argument");
  expect((await replay("EVENTS", 1, shown)).status).toBe(200);
  expect((await stored("EVENTS", 2)).payload.message.text).toBe("nine");
});

test("a message that is not JSON, too long, deleted or of another service is refused with a sentence", async () => {
  await broker.js.publish("events.test.shown", "not JSON");
  await broker.js.publish("events.test.shown", JSON.stringify({ text: "a".repeat(70_000) }));
  const refused = async (stream: string, sequence: number) => (await replay(stream, sequence, {})).body;
  expect((await refused("EVENTS", 1)).message).toContain("Only messages that are JSON");
  expect((await refused("EVENTS", 2)).message).toContain("too long");
  expect((await refused("EVENTS", 3)).message).toContain("not there any more");
  expect((await refused("OTHERS", 1)).code).toBe("not_found");
});

/** Creates the n-th failed download of a test. @returns its song, the failure, and the job to edit */
async function failedDownload(url: string, n = 1) {
  const { song } = await importLink(server.sql, caller, url);
  await songs.report(await songs.claimNext(song.id), { kind: "failed", reason: "Video unavailable", retry: false });
  await stored("FAILURES", n);
  const { message } = (await call("GetMessage", { stream: "FAILURES", sequence: numberOf("FAILURES", n) })).body;
  return { id: song.id, message, job: JSON.parse(message.job) };
}

test("a replayed failure is not published again: its edited job is queued", async () => {
  const { id, job } = await failedDownload("https://youtu.be/aaaaaaaaaaa");
  expect(job).toEqual({ song_id: id, step: "download", url: "https://www.youtube.com/watch?v=aaaaaaaaaaa" });
  const { body } = await replay("FAILURES", 1, { ...job, url: "https://youtu.be/bbbbbbbbbbb" });
  expect(body).toEqual({ subject: "songs.download" });
  expect(await songs.activeJobs(id)).toMatchObject([{ step: "download" }]);
  const url = "https://www.youtube.com/watch?v=bbbbbbbbbbb";
  const [song] = await server.sql`select url, ytid, title from songs where id = ${id}`;
  expect(song).toEqual({ url, ytid: "bbbbbbbbbbb", title: url });
  const entries = await server.sql`select before, after from audit_log where action = 'song.retried'`;
  expect(entries).toEqual([{ before: { url: job.url }, after: { step: "download", url } }]);
  await expect.poll(async () => (await server.sql`select 1 from outbox`).length).toBe(0);
  expect((await broker.jsm.streams.info("FAILURES")).state.messages).toBe(1);
});

test("a job with invalid edits is refused with the field's name, and nothing is queued", async () => {
  await failedDownload("https://youtu.be/ccccccccccc");
  const { id, message, job } = await failedDownload("https://youtu.be/ddddddddddd", 2);
  const refused = async (edited: unknown) => {
    const { code, body } = await replay("FAILURES", 2, edited);
    return [code, body.message];
  };
  const said = (text: string) => expect.stringContaining(text);
  expect(await refused(JSON.parse(message.body))).toEqual(["invalid_argument", said("body: ")]);
  expect(await refused({ ...job, song_id: "another" })).toEqual(["invalid_argument", said("song_id: must stay")]);
  expect(await refused({ ...job, step: "analysis", url: "https://youtu.be/x" })).toEqual(["invalid_argument", said("url: only a download")]); // prettier-ignore
  expect(await refused({ ...job, url: "ftp://elsewhere" })).toEqual(["invalid_argument", said("Invalid YouTube URL")]);
  expect(await refused({ ...job, url: "https://youtu.be/ccccccccccc" })).toEqual(["already_exists", said("Another song")]); // prettier-ignore
  expect(await refused({ ...job, step: "analysis" })).toEqual(["failed_precondition", said("not here yet")]);
  expect(await songs.activeJobs(id)).toEqual([]);
  expect((await server.sql`select 1 from audit_log where action = 'song.retried'`).length).toBe(0);
});

test("a failure of a deleted song is neither queued nor published again", async () => {
  await tell({ song_id: "unknown", step: "analysis", reason: "no sound" }, subjects.failure("analysis"));
  const { code, body } = await replay("FAILURES", 1, { song_id: "unknown", step: "analysis" });
  expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("names no song")]);
  expect((await broker.jsm.streams.info("FAILURES")).state.messages).toBe(1);
});
