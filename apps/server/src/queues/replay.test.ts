import { subjects } from "@followspot/contract";
import { afterAll, beforeEach, expect, test } from "vitest";
import { newId } from "../platform/ids.ts";
import { connectBroker, leaveBroker } from "../platform/nats.ts";
import { OutboxRelay } from "../platform/outbox-relay.ts";
import { emptyStreams } from "../testing/empty-streams.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { HIDDEN } from "./hide-secrets.ts";

let numberOf: Awaited<ReturnType<typeof emptyStreams>>;
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "replay test"), leaveBroker);
const server = openUntil(afterAll, await startTestServer({ broker }));
const relay = openUntil(afterAll, new OutboxRelay(server.sql, broker, () => {}));
relay.start();
const { token } = await server.person("Ada", ["Admin"]);
beforeEach(async () => {
  numberOf = await emptyStreams(broker);
  await server.sql`truncate audit_log`;
});

const call = (method: string, body: object) => server.call(`queues.v1.QueuesService/${method}`, body, token);
/** The n-th message of a stream in this test. */
const replay = (stream: string, n: number, body: unknown, replayId = newId()) =>
  call("ReplayMessage", {
    stream,
    sequence: numberOf(stream, n),
    body: typeof body === "string" ? body : JSON.stringify(body),
    replay_id: replayId,
  });
/** The n-th message, once it has come; nothing of it is hidden. */
async function stored(stream: string, n: number): Promise<Wire> {
  const seq = numberOf(stream, n);
  await expect.poll(async () => (await broker.jsm.streams.info(stream)).state.last_seq, { timeout: 5000 }).toBe(seq);
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

test("an edited message is sent once to the same subject, however often it is asked for, and written down", async () => {
  const told = event();
  await tell(told);
  const edited = { ...told, payload: { song_id: "s2" } };
  const replayId = newId();
  expect((await replay("EVENTS", 1, edited, replayId)).body).toEqual({ subject: "events.song.updated" });
  expect(await stored("EVENTS", 2)).toEqual(edited);
  await replay("EVENTS", 1, edited, replayId);
  await expect.poll(async () => (await server.sql`select 1 from outbox`).length, { timeout: 5000 }).toBe(0);
  expect((await broker.jsm.streams.info("EVENTS")).state.last_seq).toBe(numberOf("EVENTS", 2));
  const [entry] = await server.sql`select action, target, before, after from audit_log order by id`;
  expect(entry).toEqual({
    action: "message_queue.replayed",
    target: "message_queue EVENTS",
    before: { payload: { song_id: "s1" } },
    after: { payload: { song_id: "s2" }, replayed_message: numberOf("EVENTS", 1) },
  });
});

test("a secret that stays as it is shown is sent as it was, and neither told nor written down", async () => {
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
  ["a failure without a reason", "FAILURES", { reason: "no sound" }, { reason: 7 }, "reason"],
  ["a secret put elsewhere", "EVENTS", event(), event({ payload: { song_id: HIDDEN } }), "can only stay where it was"],
])("%s is refused with the field's name, and nothing is sent", async (_what, stream, message, edited, why) => {
  const subject = { SONGS: subjects.job("download"), EVENTS: subjects.event("song.updated"), FAILURES: subjects.failure("download") }[stream]; // prettier-ignore
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

test("what people write to each other is sent again as it was, or not at all", async () => {
  const said = event({ type: "message.created", payload: { message: { id: "m1", userId: "u1", text: "nine" } } });
  await tell(said, subjects.event("message.created"));
  const shown = { ...said, payload: { message: { id: "m1", userId: "u1", text: HIDDEN } } };
  const forged = { ...said, payload: { message: { id: "m1", userId: "u1", text: "ten" } } };
  expect((await replay("EVENTS", 1, forged)).code).toBe("invalid_argument");
  expect((await replay("EVENTS", 1, shown)).status).toBe(200);
  expect((await stored("EVENTS", 2)).payload.message.text).toBe("nine");
});

test("a message that is no JSON, too long, deleted or of another service is refused in words", async () => {
  await broker.js.publish("events.test.shown", "not JSON");
  await broker.js.publish("events.test.shown", JSON.stringify({ text: "a".repeat(70_000) }));
  const refused = async (stream: string, sequence: number) => (await replay(stream, sequence, {})).body;
  expect((await refused("EVENTS", 1)).message).toContain("Only messages that are JSON");
  expect((await refused("EVENTS", 2)).message).toContain("too long");
  expect((await refused("EVENTS", 3)).message).toContain("not there any more");
  expect((await refused("OTHERS", 1)).code).toBe("not_found");
});
