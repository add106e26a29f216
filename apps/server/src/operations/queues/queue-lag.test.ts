import { subjects } from "@followspot/contract";
import { afterAll, beforeEach, expect, test } from "vitest";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { emptyStreams } from "../../testing/empty-streams.ts";
import { oldestWaiting, QueueTrend, waitingOf } from "./queue-lag.ts";
import { openUntil } from "../../testing/open-until.ts";

let numberOf: Awaited<ReturnType<typeof emptyStreams>>;
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "lag test"), leaveBroker);
beforeEach(async () => {
  numberOf = await emptyStreams(broker);
});

const publish = () => broker.js.publish(subjects.job("download"), "{}");
const consumers = () => broker.jsm.consumers.list("SONGS").next();
const timeOf = async (n: number) => (await broker.jsm.streams.getMessage("SONGS", { seq: numberOf("SONGS", n) }))!.time;

test("the oldest waiting message is the first unacknowledged one, delivered or not", async () => {
  expect([waitingOf(await consumers()), await oldestWaiting(broker, "SONGS", await consumers())]).toEqual([
    0,
    undefined,
  ]);
  for (let i = 0; i < 3; i++) await publish();
  expect(await oldestWaiting(broker, "SONGS", await consumers())).toEqual(await timeOf(1));
  const consumer = await broker.js.consumers.get("SONGS", "worker");
  await (await consumer.next())!.ackAck();
  expect([waitingOf(await consumers()), await oldestWaiting(broker, "SONGS", await consumers())]).toEqual([
    2,
    await timeOf(2),
  ]);
  const inHand = await consumer.next();
  expect([waitingOf(await consumers()), await oldestWaiting(broker, "SONGS", await consumers())]).toEqual([
    2,
    await timeOf(2),
  ]);
  await inHand!.ackAck();
});

test("a trend contains the samples of the last hour, with gaps where none was taken", async () => {
  let now = 0;
  const trend = new QueueTrend(() => now);
  expect(trend.of("SONGS")).toEqual([]);
  await trend.sample(broker);
  await publish();
  now = 30_000;
  await trend.sample(broker);
  now = 60_000;
  await trend.sample(undefined);
  now = 90_000;
  expect(trend.of("SONGS")).toEqual([
    { secondsAgo: 90, waiting: 0 },
    { secondsAgo: 60, waiting: 1 },
  ]);
  now = 3_620_000;
  expect(trend.of("SONGS")).toEqual([{ secondsAgo: 3590, waiting: 1 }]);
  expect(trend.of("OTHERS")).toEqual([]);
});

test("a backlog that was cleared between two samples is still the maximum of its interval", async () => {
  let now = 0;
  const trend = new QueueTrend(() => now);
  await trend.sample(broker);
  now = 5000;
  trend.saw("SONGS", 9);
  now = 10_000;
  await trend.sample(broker);
  now = 30_000;
  await trend.sample(broker);
  expect(trend.of("SONGS")).toEqual([
    { secondsAgo: 20, waiting: 9 },
    { secondsAgo: 0, waiting: 0 },
  ]);
});
