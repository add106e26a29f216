import { STREAMS, subjects, type Envelope } from "@followspot/contract";
import { setTimeout as pause } from "node:timers/promises";
import { ulid } from "ulid";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { connectBroker, ensureStreams, leaveBroker, type Broker } from "../broker/nats.ts";
import { openCable } from "../testing/cable.ts";
import { findNatsServer, startUnwatchedNats } from "../../operations/supervisor/nats.ts";
import { EventFeed } from "./event-feed.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";

type Nats = Awaited<ReturnType<typeof startUnwatchedNats>>;

let folder: string;
let nats: Nats;
let broker: Broker;
let feed: EventFeed;
let seen: Envelope[];
let gaps: number;

beforeEach(async () => {
  folder = await folderUntil(onTestFinished);
  nats = await start();
  onTestFinished(() => nats.stop());
  broker = openUntil(onTestFinished, await connectBroker(nats.url, "test"), leaveBroker);
  await ensureStreams(broker);
  seen = [];
  gaps = 0;
  feed = follow();
});
afterEach(() => feed.close());

async function start(previous?: string): Promise<Nats> {
  return startUnwatchedNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {}, previous);
}

function follow(): EventFeed {
  const made = new EventFeed(() => {});
  made.start(broker, { onEnvelope: (envelope) => seen.push(envelope), onGap: () => gaps++ });
  return made;
}

/** Publishes envelopes to the stream as the outbox relay does, and waits for each acknowledgment. */
async function say(topic: string, count: number): Promise<string[]> {
  return sayOn({ topics: [topic] }, count);
}

/** @param on topics of the message, in the new or the older format */
async function sayOn(on: { topics: string[] } | { topic: string }, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const id = ulid();
    const envelope = { id, ...on, type: "thing.changed", ts: new Date().toISOString(), payload: { i } };
    await expect
      .poll(
        () => broker.js.publish(subjects.event("thing.changed"), JSON.stringify(envelope), { msgID: id, timeout: 500 }),
        {
          timeout: 20_000,
        },
      )
      .toBeDefined();
    ids.push(id);
  }
  return ids;
}

const told = () => seen.map(({ id }) => id);

// kept: Live | After trouble with the broker, events were missing, and no client was notified | failed on the old code
test("loses, duplicates and reorders nothing when the broker crashes and restarts", async () => {
  const before = await say("songs", 50);
  await expect.poll(told).toEqual(before);
  await nats.stop();
  nats = await start(nats.url);
  const after = await say("songs", 50);
  await expect.poll(told).toEqual([...before, ...after]);
  expect(gaps).toBe(0);
});

// kept: Live | After trouble with the broker, events were missing, and no client was notified | also
test("reports lost envelopes if the stream was replaced", async () => {
  const before = await say("songs", 20);
  await expect.poll(told).toEqual(before);
  await broker.jsm.streams.delete(STREAMS.events.name);
  await ensureStreams(broker);
  const after = await say("songs", 5);
  await expect.poll(() => gaps).toBeGreaterThan(0);
  await expect.poll(told).toEqual([...before, ...after]);
  expect((await feed.replay("songs", before[0]!)).complete).toBe(false);
});

test("a starting process loads earlier envelopes without publishing them again", async () => {
  const [first, ...rest] = await say("songs", 30);
  const other = await say("lights", 3);
  await feed.close();
  seen = [];
  feed = follow();
  const replay = await feed.replay("songs", first!);
  expect([replay.complete, replay.envelopes.map(({ id }) => id)]).toEqual([true, rest]);
  expect((await feed.replay("lights", other[2]!)).envelopes).toEqual([]);
  expect((await feed.replay("songs", ulid())).complete).toBe(false);
  expect(seen).toEqual([]);
});

test("returns the newest envelope that was published", async () => {
  const ids = await say("songs", 3);
  await expect.poll(() => feed.newest).toBe(ids.at(-1));
  const [later] = await say("songs", 1);
  const since = async () => (await feed.replay("songs", ids.at(-1)!)).envelopes.map(({ id }) => id);
  await expect.poll(since).toEqual([later]);
});

test("publishes a message on all topics it names, and a message of an older release on its one topic", async () => {
  const [both] = await sayOn({ topics: ["songs", "song.1"] }, 1);
  const [old] = await sayOn({ topic: "songs" }, 1);
  await expect.poll(told).toEqual([both, both, old]);
  expect(seen.map(({ topic }) => topic)).toEqual(["songs", "song.1", "songs"]);
  expect((await feed.replay("songs", both!)).envelopes.map(({ id }) => id)).toEqual([old]);
  expect((await feed.replay("song.1", both!)).envelopes).toEqual([]);
});

// kept: Live | Each read of failures and each subscription left a consumer at the broker | also
test("leaves no consumer behind", async () => {
  await say("songs", 3);
  await Promise.all(Array.from({ length: 20 }, () => feed.replay("songs", ulid())));
  const consumers = await broker.jsm.consumers.list(STREAMS.events.name).next();
  expect(consumers.length).toBeLessThanOrEqual(1);
  await feed.close();
  await expect.poll(async () => (await broker.jsm.consumers.list(STREAMS.events.name).next()).length).toBe(0);
});

test("a process that lags behind waits for an envelope that a client received from another process", async () => {
  const cable = await openCable(nats.url);
  const lagging = await connectBroker(cable.url, "lagging");
  const other = new EventFeed(() => {});
  try {
    other.start(lagging, { onEnvelope: () => {}, onGap: () => {} });
    const [first] = await say("songs", 3);
    await expect.poll(async () => (await other.replay("songs", first!)).envelopes.length).toBe(2);
    cable.hold();
    const heardElsewhere = await say("songs", 5);
    const asked = other.replay("songs", heardElsewhere[3]!);
    await pause(300);
    cable.letGo();
    const replay = await asked;
    expect([replay.complete, replay.envelopes.map(({ id }) => id)]).toEqual([true, [heardElsewhere[4]]]);
    expect(replay.after).toBe(7);
  } finally {
    cable.letGo();
    await other.close();
    await leaveBroker(lagging);
    await cable.close();
  }
});
