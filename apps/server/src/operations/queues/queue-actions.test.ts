import { subjects } from "@followspot/contract";
import { afterAll, beforeEach, expect, test } from "vitest";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { SongPipeline } from "../../songs/processing/song-pipeline.ts";
import { BrokerJobs } from "../../songs/processing/broker-jobs.ts";
import { SongWorker } from "../../songs/processing/song-worker.ts";
import { queuePauses } from "../../songs/processing/queue-pauses.store.ts";
import { connectBroker, leaveBroker } from "../../platform/broker/nats.ts";
import { OutboxRelay } from "../../platform/broker/outbox-relay.ts";
import { emptyStreams } from "../../testing/empty-streams.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { describePauses } from "./describe-pauses.ts";

const dataDir = await folderUntil(afterAll);
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "queue actions test"), leaveBroker);
const server = openUntil(afterAll, await startTestServer({ dataDir, broker: () => broker }));
const { token } = await server.person("Ada", ["Admin"]);
beforeEach(async () => {
  await emptyStreams(broker);
  await server.sql`delete from queue_pauses`;
});

const call = (method: string, body: object) => server.call(`queues.v1.QueuesService/${method}`, body, token);
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const audits = async () =>
  await server.sql<{ action: string; target: string; after: unknown }[]>`
    select action, target, after from audit_log where action like 'message_queue.%' order by id`;

test("no worker gets a song while songs are paused, and the next one starts soon after the resume", async () => {
  const begun: string[] = [];
  const pipeline = new SongPipeline(server.sql, broker, new SongFiles(dataDir), () => {});
  const relay = new OutboxRelay(server.sql, broker, () => {});
  const runStep = async ({ song_id }: { readonly song_id: string }) => {
    begun.push(song_id);
    return {};
  };
  const worker = new SongWorker(new BrokerJobs(broker, "worker-1"), runStep, 1, () => {});
  pipeline.start();
  relay.start();
  worker.start();
  await call("PauseQueue", { queue: "SONGS", until: soon(600) });
  const url = "https://youtu.be/ppppppppppp";
  const { song } = (await server.call("music.v1.MusicService/AddSongFromYoutube", { url }, token)).body;
  const waiting = async () => (await broker.jsm.consumers.info("SONGS", "worker")).num_ack_pending;
  await expect.poll(waiting).toBeGreaterThan(0); // it was taken and released
  expect(begun).toEqual([]);
  await call("ResumeQueue", { queue: "SONGS" });
  const resumed = performance.now();
  await expect.poll(() => begun).toContain(song.id);
  expect(performance.now() - resumed).toBeLessThan(10_000);
  await worker.close();
  await pipeline.close();
  await relay.close();
});

test("a pause is shown with its end in health and beside the queue, and ends by itself", async () => {
  const until = soon(1.5);
  expect((await call("PauseQueue", { queue: "STEMS", until })).body).toEqual({ until });
  const warning = `STEMS is paused until ${until.slice(11, 16)} UTC: stems are not written. Resume it on Workers.`;
  expect(describePauses(await queuePauses(server.sql))).toEqual([{ queue: "STEMS", until: new Date(until), warning }]);
  const told = async () => {
    const answer = await fetch(`${server.base}/api/queues/all/stats`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { streams } = (await answer.json()) as { streams: { name: string; pausedUntil: string }[] };
    return streams.filter(({ pausedUntil }) => pausedUntil !== "").map(({ name, pausedUntil }) => [name, pausedUntil]);
  };
  expect(await told()).toEqual([["STEMS", until]]);
  await expect.poll(told).toEqual([]);
  expect(await queuePauses(server.sql)).toEqual([]);
});

test("the audit log has who paused and resumed, but no calls without effect", async () => {
  await server.sql`truncate audit_log`;
  const until = soon(600);
  await call("PauseQueue", { queue: "SONGS", until });
  await call("ResumeQueue", { queue: "SONGS" });
  await call("ResumeQueue", { queue: "SONGS" });
  expect(await audits()).toEqual([
    { action: "message_queue.paused", target: "message_queue SONGS", after: { until } },
    { action: "message_queue.resumed", target: "message_queue SONGS", after: null },
  ]);
});

test("a pause must end in the future and within a day", async () => {
  for (const until of [soon(-1), soon(25 * 3600), undefined])
    expect((await call("PauseQueue", { queue: "SONGS", until })).code).toBe("invalid_argument");
});

test("required queues cannot be paused or purged", async () => {
  const until = soon(600);
  const refused = async (method: string, queue: string) => {
    const more: Record<string, object> = { PauseQueue: { until }, PurgeQueue: { confirm_name: queue } };
    const { code, body } = await call(method, { queue, ...more[method] });
    return [code, body.message];
  };
  for (const queue of ["RESPONSE_QUEUE", "EVENTS"]) {
    expect(await refused("PauseQueue", queue)).toEqual([
      "failed_precondition",
      expect.stringContaining("never paused"),
    ]);
    expect(await refused("PurgeQueue", queue)).toEqual([
      "failed_precondition",
      expect.stringContaining("never purged"),
    ]);
  }
  expect(await refused("PauseQueue", "FAILURES")).toEqual(["failed_precondition", expect.stringContaining("log")]);
  await broker.jsm.streams.add({ name: "OTHERS", subjects: ["others.>"] });
  for (const method of ["PauseQueue", "ResumeQueue", "PurgeQueue"])
    expect((await refused(method, "OTHERS"))[0]).toBe("not_found");
  await broker.jsm.streams.delete("OTHERS");
});

test("a purge needs the queue's name, returns the number of messages, and is audited", async () => {
  await server.sql`truncate audit_log`;
  for (let i = 0; i < 7; i++) await broker.js.publish(subjects.failure("download"), "{}");
  expect((await call("PurgeQueue", { queue: "FAILURES", confirm_name: "failures" })).code).toBe("invalid_argument");
  expect((await broker.jsm.streams.info("FAILURES")).state.messages).toBe(7);
  expect((await call("PurgeQueue", { queue: "FAILURES", confirm_name: "FAILURES" })).body).toEqual({ purged: 7 });
  expect((await broker.jsm.streams.info("FAILURES")).state.messages).toBe(0);
  expect((await call("ListFailureGroups", {})).body.failures).toBeUndefined();
  expect(await audits()).toEqual([
    { action: "message_queue.purged", target: "message_queue FAILURES", after: { messages: 7 } },
  ]);
});

test("waiting songs get new wake-up messages after a purge", async () => {
  const pipeline = new SongPipeline(server.sql, broker, new SongFiles(dataDir), () => {});
  const relay = new OutboxRelay(server.sql, broker, () => {});
  pipeline.start();
  relay.start();
  const url = "https://youtu.be/rrrrrrrrrrr";
  await server.call("music.v1.MusicService/AddSongFromYoutube", { url }, token);
  const messages = async () => (await broker.jsm.streams.info("SONGS")).state.messages;
  await expect.poll(messages).toBeGreaterThan(0);
  await call("PurgeQueue", { queue: "SONGS", confirm_name: "SONGS" });
  await expect.poll(messages).toBeGreaterThan(0);
  await pipeline.close();
  await relay.close();
});
