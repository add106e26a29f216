import { STREAMS, subjects } from "@followspot/contract";
import { afterAll, expect, test } from "vitest";
import { noteFailed, noteTaken } from "../backup/last-backup.ts";
import { connectBroker, ensureStreams, leaveBroker, type Broker } from "../../platform/broker/nats.ts";
import { findNatsServer, startUnwatchedNats } from "../supervisor/nats.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";
import { announcePresence } from "./presence.ts";

let broker: Broker | undefined;

const folder = await folderUntil(afterAll);
const nats = await startUnwatchedNats(folder, await findNatsServer(process.env.NATS_SERVER_BIN, () => {}), () => {});
openUntil(afterAll, nats, (nats) => nats.stop());
const known = openUntil(afterAll, await connectBroker(nats.url, "test"), leaveBroker);
await ensureStreams(known);
const server = openUntil(afterAll, await startTestServer({ dataDir: folder, broker: () => broker }));
const { trend } = server;
server.live.presence.listen(known.connection);

async function ask(path: string, role: "Admin" | "Director" = "Admin"): Promise<Wire> {
  const { token } = await server.person(role, [role]);
  const answer = await fetch(`${server.base}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, ...((await answer.json()) as object) };
}

test("names the remedy while no broker responds", async () => {
  const answer = await ask("/api/queues/songs/stats");
  expect(answer).toMatchObject({ status: 503, code: "unavailable", message: expect.stringContaining("NATS") });
});

test("lists no failures if there was never one", async () => {
  broker = known;
  expect(await ask("/api/queues/songs/failures")).toEqual({ status: 200, items: [] });
});

// kept: Live | Each read of failures and each subscription left a consumer at the broker | failed on the old code
test("shows the newest failures first, and leaves no consumer behind however often it is asked", async () => {
  for (let i = 0; i < 60; i++) await known.js.publish(subjects.failure("analysis"), JSON.stringify({ i }));
  await known.js.publish(subjects.failure("download"), "no JSON");
  const { items } = await ask("/api/queues/songs/failures?limit=3");
  expect(items).toEqual([
    { sequence: 61, subject: "failures.songs.download", data: "no JSON" },
    { sequence: 60, subject: "failures.songs.analysis", data: { i: 59 } },
    { sequence: 59, subject: "failures.songs.analysis", data: { i: 58 } },
  ]);
  for (const limit of ["0", "-1", "1e9", "abc"]) {
    expect((await ask(`/api/queues/songs/failures?limit=${limit}`)).items).toHaveLength(50);
  }
  const { streams } = await ask("/api/queues/all/stats");
  expect(streams.find(({ name }: Wire) => name === STREAMS.failures.name)).toMatchObject({
    messages: 61,
    consumers: 0,
  });
});

test("lists the same number of failures after some of the newest were dismissed", async () => {
  for (const i of [58, 59]) await known.jsm.streams.deleteMessage(STREAMS.failures.name, i + 1);
  const { items } = await ask("/api/queues/songs/failures?limit=3");
  expect(items.map(({ data }: Wire) => data)).toEqual(["no JSON", { i: 57 }, { i: 56 }]);
});

test("tells of each stream what waits, since when, and how that was", async () => {
  await trend.sample(known);
  await known.js.publish(subjects.job("download"), "{}");
  const { streams } = await ask("/api/queues/all/stats");
  const of = (name: string) => streams.find((stream: Wire) => stream.name === name);
  expect(of(STREAMS.songs.name)).toMatchObject({ waiting: 1, trend: [{ secondsAgo: 0, waiting: 0 }] });
  expect(Date.now() - Date.parse(of(STREAMS.songs.name).oldestWaitingAt)).toBeLessThan(5000);
  expect(of(STREAMS.stems.name)).toMatchObject({ waiting: 0, oldestWaitingAt: "" });
});

test("gives the dashboard the trend of waiting songs", async () => {
  const { SONGS } = await ask("/api/queues/songs/stats");
  expect(SONGS.trend).toEqual(trend.of(STREAMS.songs.name));
  expect(SONGS.trend).not.toEqual([]);
});

test("reports the last complete backup, and why a later one failed", async () => {
  const backup = async () => (await ask("/api/queues/all/stats")).backup;
  expect(await backup()).toEqual({ taken: null, failed: null });
  const taken = { folder: "/backups/one", takenAt: "2026-11-24T03:00:00.000Z", bytes: 2048 };
  await noteTaken(folder, taken);
  expect(await backup()).toEqual({ taken, failed: null });
  await noteFailed(folder, "The disk of /backups is full.");
  const failed = { at: expect.any(String), problem: "The disk of /backups is full." };
  expect(await backup()).toEqual({ taken, failed });
  await noteTaken(folder, taken);
  expect(await backup()).toEqual({ taken, failed: null });
});

test("counts workers that live, not consumers that outlive them", async () => {
  const leave = announcePresence(known.connection, () => ({ id: "w1", kind: "worker" }));
  const workers = async () => (await ask("/api/queues/songs/stats")).SONGS.consumer_count;
  await expect.poll(workers).toBe(1);
  leave();
  await expect.poll(workers).toBe(0);
});

test("is available to Admins only", async () => {
  for (const path of ["/api/queues/songs/stats", "/api/queues/songs/failures", "/api/queues/all/stats"]) {
    expect(await ask(path, "Director")).toMatchObject({ status: 403, code: "permission_denied" });
    expect((await fetch(server.base + path)).status).toBe(401);
  }
});
