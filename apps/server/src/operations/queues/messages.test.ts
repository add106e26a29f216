import { randomBytes } from "node:crypto";
import { STREAMS, subjects } from "@followspot/contract";
import { headers } from "@nats-io/nats-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { emptyStreams } from "../../testing/empty-streams.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { HIDDEN } from "./hide-secrets.ts";

const EVENTS = STREAMS.events.name;
let numberOf: Awaited<ReturnType<typeof emptyStreams>>;
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "messages test"), leaveBroker);
const server = openUntil(afterAll, await startTestServer({ broker: () => broker }));
const { token } = await server.person("Ada", ["Admin"]);
beforeEach(async () => {
  numberOf = await emptyStreams(broker);
});

const call = (method: string, body: object) => server.call(`queues.v1.QueuesService/${method}`, body, token);
const list = async (body: object): Promise<Wire> => (await call("ListMessages", { stream: EVENTS, ...body })).body;
/** Returns the sequence of the n-th message of EVENTS in this test. */
const nth = (n: number) => numberOf(EVENTS, n);
const numbers = ({ messages = [] }: Wire): number[] => messages.map(({ sequence }: Wire) => Number(sequence) - nth(0));
const read = async (n: number, stream: string = EVENTS): Promise<Wire> =>
  (await call("GetMessage", { stream, sequence: numberOf(stream, n) })).body.message;

/** Publishes events: every tenth about a song, the others about talks. */
async function tell(count: number) {
  for (let i = 1; i <= count; i++)
    await broker.js.publish(subjects.event(i % 10 === 0 ? "song.updated" : "talk.updated"), JSON.stringify({ i }));
}

test("pages lead from the newest message to the oldest and back without duplicates", async () => {
  await tell(25);
  const first = await list({ pageSize: 10 });
  expect([numbers(first), first.newerAfter]).toEqual([[25, 24, 23, 22, 21, 20, 19, 18, 17, 16], undefined]);
  const second = await list({ pageSize: 10, before: first.olderBefore });
  const third = await list({ pageSize: 10, before: second.olderBefore });
  expect([numbers(second).at(0), numbers(third), third.olderBefore]).toEqual([15, [5, 4, 3, 2, 1], undefined]);
  const back = await list({ pageSize: 10, after: third.newerAfter });
  expect([numbers(back), back.olderBefore, back.newerAfter]).toEqual([
    numbers(second),
    String(nth(6)),
    String(nth(15)),
  ]);
});

test("finds the oldest messages, those before a number, and those until a time", async () => {
  await tell(12);
  const moment = new Date();
  await new Promise((later) => setTimeout(later, 20));
  await tell(3);
  expect(numbers(await list({ after: 0, pageSize: 3 }))).toEqual([3, 2, 1]);
  expect(numbers(await list({ before: nth(8), pageSize: 3 }))).toEqual([7, 6, 5]);
  expect(numbers(await list({ before: nth(5000), pageSize: 2 }))).toEqual([15, 14]);
  expect(numbers(await list({ until: moment.toISOString(), pageSize: 2 }))).toEqual([12, 11]);
  expect(numbers(await list({ until: "2001-01-01T00:00:00Z" }))).toEqual([]);
});

test("a subject filters the pages, also with thousands of other messages between", async () => {
  for (let i = 0; i < 3; i++) {
    await broker.js.publish(subjects.event("song.updated"), "{}");
    await Promise.all(Array.from({ length: 2500 }, () => broker.js.publish(subjects.event("talk.updated"), "{}")));
  }
  const start = performance.now();
  const page = await list({ subject: "events.song.*", pageSize: 2 });
  expect([numbers(page), page.olderBefore]).toEqual([[5003, 2502], String(nth(2502))]);
  expect(numbers(await list({ subject: "events.song.*", before: page.olderBefore }))).toEqual([1]);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(numbers(await list({ subject: "events.light.>" }))).toEqual([]);
});

test("deleted messages do not shorten a page", async () => {
  await tell(12);
  for (const seq of [3, 4, 5, 12]) await broker.jsm.streams.deleteMessage(EVENTS, nth(seq), false);
  const page = await list({ pageSize: 7 });
  expect([numbers(page), page.olderBefore]).toEqual([[11, 10, 9, 8, 7, 6, 2], String(nth(2))]);
  expect(await call("GetMessage", { stream: EVENTS, sequence: nth(4) })).toMatchObject({
    code: "not_found",
    body: { message: `Message ${nth(4)} of EVENTS is not there any more.` },
  });
});

test("shows a message by its type: indented JSON, text, or 16 bytes per line", async () => {
  await broker.js.publish("events.test.shown", '{"a":[1,"é"]}');
  await broker.js.publish("events.test.shown", "not JSON\nat all");
  await broker.js.publish("events.test.shown", Uint8Array.from([0, 255, 72, 105, 0xc3]));
  expect(await read(1)).toMatchObject({ kind: "json", body: '{\n  "a": [\n    1,\n    "é"\n  ]\n}', bytes: 14 });
  expect(await read(2)).toMatchObject({ kind: "text", body: "not JSON\nat all" });
  const bytes = await read(3);
  expect([bytes.kind, bytes.bytes]).toEqual(["hex", 5]);
  expect(bytes.body).toMatch(/^00000000 {2}00 ff 48 69 c3 +\.\.Hi\.$/);
});

test("shows an empty body and headers", async () => {
  const own = headers();
  own.append("X-From", "a test");
  await broker.js.publish("events.test.shown", "", { msgID: "m-1", headers: own });
  const message = await read(1);
  expect([message.kind, message.body, message.bytes]).toEqual(["text", undefined, undefined]);
  expect(message.headers).toContainEqual({ name: "X-From", value: "a test" });
  expect(message.headers).toContainEqual({ name: "Nats-Msg-Id", value: "m-1" });
});

test("truncates a body after 64 KB, and marks it", async () => {
  await broker.js.publish("events.test.shown", JSON.stringify({ text: "é".repeat(60_000) }));
  await broker.js.publish("events.test.shown", "a".repeat(64 * 1024));
  await broker.js.publish("events.test.shown", Uint8Array.from([0, ...randomBytes(70_000)]));
  const [json, text, bytes] = [await read(1), await read(2), await read(3)];
  expect([json.isCut, text.isCut, bytes.isCut]).toEqual([true, undefined, true]);
  expect(Buffer.byteLength(json.body)).toBeLessThanOrEqual(64 * 1024);
  expect(bytes.body.split("\n")).toHaveLength(4096);
});

test("returns no secret of any stream in fields, headers, text or bytes", async () => {
  const secret = "hush-4f1c";
  const outcome = JSON.stringify({ job_id: "j", lease_token: secret, outcome: { kind: "released" } });
  await broker.js.publish(subjects.response("download"), outcome, { msgID: secret });
  await broker.js.publish(subjects.event("session.ended"), JSON.stringify({ payload: { session_id: secret } }));
  await broker.js.publish(
    subjects.event("message.created"),
    JSON.stringify({ payload: { message: { text: secret } } }),
  );
  await broker.js.publish(subjects.event("test.text"), `{"password": "${secret}"`);
  await broker.js.publish(
    subjects.event("test.bytes"),
    Buffer.concat([Buffer.from([0]), Buffer.from(`token=${secret}`)]),
  );
  await broker.js.publish(subjects.job("download"), JSON.stringify({ job_id: "j", code: secret }));
  const told: Wire[] = [];
  for (const { name } of Object.values(STREAMS)) {
    const page = (await call("ListMessages", { stream: name })).body;
    told.push(page);
    for (const { sequence } of page.messages ?? [])
      told.push((await call("GetMessage", { stream: name, sequence })).body);
  }
  const all = JSON.stringify(told);
  expect([all.includes(secret), all.includes(Buffer.from(secret).toString("hex").match(/../g)!.join(" "))]).toEqual([
    false,
    false,
  ]);
  expect(all.split(HIDDEN).length).toBeGreaterThan(12); // in the list, in the message, and in a header
});

test("reads only streams of Followspot, with filters that NATS accepts", async () => {
  await broker.jsm.streams.add({ name: "OTHERS", subjects: ["others.>"] });
  expect((await call("ListMessages", { stream: "OTHERS" })).code).toBe("not_found");
  expect((await call("GetMessage", { stream: "OTHERS", sequence: 1 })).code).toBe("not_found");
  await broker.jsm.streams.delete("OTHERS");
  for (const subject of ["events.>.song", "events..song", "events song", ".", "a.>>"])
    expect((await call("ListMessages", { stream: EVENTS, subject })).code, subject).toBe("invalid_argument");
});

test("reading leaves no consumer behind", async () => {
  // Consumers of another test file's server may be about to end.
  const consumers = async () => (await broker.jsm.streams.info(EVENTS)).state.consumer_count;
  const before = await consumers();
  await tell(5);
  for (let i = 0; i < 5; i++) await list({ subject: "events.song.>" });
  expect(await consumers()).toBeLessThanOrEqual(before);
});
