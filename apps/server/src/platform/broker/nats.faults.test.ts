import { STREAMS, subjects } from "@followspot/contract";
import { AckPolicy, DeliverPolicy, RetentionPolicy } from "@nats-io/jetstream";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { findNatsServer, startUnwatchedNats } from "../../operations/supervisor/nats.ts";
import {
  connectBroker,
  countWaiting,
  ensureStreams,
  leaveBroker,
  removeDone,
  RESPONSES_CONSUMER,
  WORKER_CONSUMER,
} from "./nats.ts";
import { openCable } from "../testing/cable.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

const folder = await folderUntil(afterAll);
const start = async (previous?: string) =>
  startUnwatchedNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {}, previous);
let nats = await start();
afterAll(() => nats.stop());
const broker = openUntil(afterAll, await connectBroker(nats.url, "test"), leaveBroker);
beforeEach(async () => {
  // Purged, not deleted: a broker whose streams have no files at two checks is ended to recreate them.
  await ensureStreams(broker);
  for await (const { config } of broker.jsm.streams.list()) await broker.jsm.streams.purge(config.name);
});

const streamOf = (name: string) => broker.jsm.streams.info(name);
const fail = () => broker.js.publish(subjects.failure("download"), "{}");

test("leaves a broker whose host was switched off for another one, also with much data in transit", async () => {
  const cable = openUntil(onTestFinished, await openCable(nats.url));
  const isBack = Promise.withResolvers<void>();
  const other = await connectBroker(cable.url, "silent", { pingMs: 300, onReturn: isBack.resolve });
  openUntil(onTestFinished, other, leaveBroker);
  cable.freeze();
  for (let i = 0; i < 16; i++) other.connection.publish("nobody", new Uint8Array(2_000_000));
  await isBack.promise;
  expect((await other.jsm.streams.info(STREAMS.events.name)).config.name).toBe(STREAMS.events.name);
});

// kept: Live | A release with other stream limits never started | failed on the old code
test("a stream with another release's limits gets the current ones, and keeps its messages", async () => {
  const { config } = await streamOf(STREAMS.failures.name);
  await fail();
  await broker.jsm.streams.update(config.name, { ...config, max_msgs: 7, max_age: 1e12 });
  await ensureStreams(broker);
  const now = await streamOf(config.name);
  expect([now.config.max_msgs, now.config.max_age, now.state.messages]).toEqual([config.max_msgs, config.max_age, 1]);
});

// kept: Live | A release with other stream limits never started | also
test("a stream that cannot be updated is recreated", async () => {
  const { name, subjects: heard } = STREAMS.songs;
  await broker.jsm.streams.delete(name);
  await broker.jsm.streams.add({ name, subjects: [...heard], retention: RetentionPolicy.Limits });
  await ensureStreams(broker);
  expect((await streamOf(name)).config.retention).toBe(RetentionPolicy.Workqueue);
  expect((await broker.jsm.consumers.info(name, WORKER_CONSUMER)).config.ack_policy).toBe(AckPolicy.Explicit);
});

test("a consumer with another release's limits gets the current ones", async () => {
  const { name } = STREAMS.responses;
  const { config: today } = await broker.jsm.consumers.info(name, RESPONSES_CONSUMER);
  await broker.jsm.consumers.update(name, RESPONSES_CONSUMER, { ...today, ack_wait: 7e9, max_deliver: 9 });
  await ensureStreams(broker);
  const { config } = await broker.jsm.consumers.info(name, RESPONSES_CONSUMER);
  expect([config.ack_wait, config.max_deliver]).toEqual([today.ack_wait, today.max_deliver]);
});

test("correct streams are left unchanged by any number of simultaneous checks", async () => {
  await fail();
  const { created } = await streamOf(STREAMS.failures.name);
  await Promise.all(Array.from({ length: 10 }, () => ensureStreams(broker)));
  const now = await streamOf(STREAMS.failures.name);
  expect([now.created, now.state.messages]).toEqual([created, 1]);
});

// kept: Live | Acknowledged messages remained in the streams after a kill | failed with the fault put back
test("an acknowledged message that remains in the stream is deleted and not counted; others stay", async () => {
  const { name, subjects: heard } = STREAMS.songs;
  // The state that a killed broker leaves: the consumer is past messages that the stream still has.
  await broker.jsm.streams.delete(name);
  await broker.jsm.streams.add({ name, subjects: [...heard], retention: RetentionPolicy.Limits });
  const durable = { durable_name: WORKER_CONSUMER, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
  await broker.jsm.consumers.add(name, { ...durable, ack_wait: 1e9 });
  for (let i = 0; i < 5; i++) await broker.js.publish(subjects.job("analysis"), `{"job_id":"${i}"}`);
  const consumer = await broker.js.consumers.get(name, WORKER_CONSUMER);
  for (let i = 0; i < 3; i++) await (await consumer.next())?.ackAck();
  const atWork = await consumer.next();
  expect([(await streamOf(name)).state.messages, await countWaiting(broker, name, WORKER_CONSUMER)]).toEqual([5, 2]);
  await removeDone(broker);
  expect([(await streamOf(name)).state.messages, await countWaiting(broker, name, WORKER_CONSUMER)]).toEqual([2, 2]);
  const left = [await consumer.next(), await consumer.next({ expires: 5000 })].map((message) => message?.seq);
  expect(left).toEqual([5, atWork?.seq]); // the worker that had it did not return
});

test("detects when the server is unavailable, and when it is back", async () => {
  expect(broker.isUp()).toBe(true);
  nats.child.kill("SIGKILL");
  await expect.poll(() => broker.isUp()).toBe(false);
  nats = await start(nats.url);
  await expect.poll(() => broker.isUp()).toBe(true);
});

// kept: Doors | After the clock was set back an hour, no client reconnected to a restarted broker for an hour | failed
// on the old code
test("reconnects to a server that was unavailable while the clock was set back an hour", async () => {
  const timeOfDay = Date.now;
  try {
    nats.child.kill("SIGKILL");
    await expect.poll(() => broker.isUp()).toBe(false);
    vi.spyOn(Date, "now").mockImplementation(() => timeOfDay() - 3_600_000);
    nats = await start(nats.url);
    await expect.poll(() => broker.isUp()).toBe(true);
  } finally {
    vi.restoreAllMocks();
  }
});
