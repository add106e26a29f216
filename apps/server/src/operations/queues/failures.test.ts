import { STREAMS, subjects } from "@followspot/contract";
import { afterAll, beforeEach, expect, test } from "vitest";
import { SongFiles } from "../../songs/catalog/song-files.ts";
import { connectBroker, ensureStreams, leaveBroker } from "../../platform/broker/nats.ts";
import { emptyStreams } from "../../testing/empty-streams.ts";
import { SongsByHand } from "../../testing/songs-by-hand.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const dataDir = await folderUntil(afterAll);
const broker = openUntil(afterAll, await connectBroker(process.env.NATS_URL ?? "", "failures test"), leaveBroker);
const server = openUntil(afterAll, await startTestServer({ dataDir, broker: () => broker }));
const admin = await server.person("Ada", ["Admin"]);
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const songs = new SongsByHand(server.sql, new SongFiles(dataDir), caller);
beforeEach(async () => {
  await emptyStreams(broker);
});

const ask = async (method: string, body: object): Promise<Wire> =>
  (await server.call(`queues.v1.QueuesService/${method}`, body, admin.token)).body;

async function fail(count: number, of: (i: number) => object, step: "download" | "analysis" = "download") {
  for (let i = 0; i < count; i++) await broker.js.publish(subjects.failure(step), JSON.stringify(of(i)));
}
let videos = 0;
/** Creates a song whose download has failed. */
async function failedSong(): Promise<string> {
  const url = `https://youtu.be/${String(++videos).padStart(11, "f")}`;
  const { song } = (await server.call("music.v1.MusicService/AddSongFromYoutube", { url }, admin.token)).body;
  await songs.report(await songs.claimNext(song.id), { kind: "failed", reason: "no sound", retry: false });
  return song.id;
}

const unavailable = (i: number) => ({ song_id: `s${i}`, reason: `[youtube] video${i}abcdef: Video unavailable` });

test("two thousand failures with one cause are one group, within seconds", async () => {
  await fail(2000, unavailable);
  const start = performance.now();
  const { groups, failures } = await ask("ListFailureGroups", {});
  expect(performance.now() - start).toBeLessThan(5000);
  expect(failures).toBe(2000);
  expect(groups).toEqual([
    expect.objectContaining({ count: 2000, retryable: 2000, subject: subjects.failure("download") }),
  ]);
  const again = performance.now();
  await ask("ListFailureGroups", { query: "video unavailable" });
  expect(performance.now() - again).toBeLessThan(500);
});

test("the same reason in another queue is another group, and the newest cause comes first", async () => {
  await fail(2, () => ({ reason: "out of memory" }));
  await fail(1, () => ({ reason: "out of memory" }), "analysis");
  await fail(1, () => ({ reason: "no sound" }));
  const { groups } = await ask("ListFailureGroups", {});
  expect(groups.map(({ subject, reason, count }: Wire) => [subject, reason, count])).toEqual([
    [subjects.failure("download"), "no sound", 1],
    [subjects.failure("analysis"), "out of memory", 1],
    [subjects.failure("download"), "out of memory", 2],
  ]);
});

test("a group has the times of its first and last failure", async () => {
  await fail(3, unavailable);
  const { groups } = await ask("ListFailureGroups", {});
  const { failures } = await ask("ListFailures", { key: groups[0].key });
  expect([groups[0].firstAt, groups[0].lastAt]).toEqual([failures[2].at, failures[0].at]);
});

test("a search covers reason, queue, subject and payload, and counts only matches", async () => {
  await fail(3, (i) => ({ song_id: `s${i}`, title: i === 1 ? "Blue Monday" : "Atlas", reason: "no sound" }));
  await fail(1, () => ({ reason: "out of memory" }), "analysis");
  const found = async (query: string) => (await ask("ListFailureGroups", { query })).failures ?? 0;
  expect(await Promise.all(["BLUE monday", "no sound", "songs.analysis", "s2", "nothing such"].map(found))).toEqual([
    1, 3, 1, 1, 0,
  ]);
  const { groups } = await ask("ListFailureGroups", { query: "monday" });
  const { failures } = await ask("ListFailures", { key: groups[0].key, query: "monday" });
  expect(failures.map(({ songId }: Wire) => songId)).toEqual(["s1"]);
});

test("failures and groups are paged without duplicates while more failures arrive", async () => {
  await fail(5, unavailable);
  const { groups } = await ask("ListFailureGroups", {});
  const first = await ask("ListFailures", { key: groups[0].key, pageSize: 3 });
  await fail(1, unavailable);
  const rest = await ask("ListFailures", { key: groups[0].key, pageSize: 3, before: first.nextBefore });
  expect([...first.failures, ...rest.failures].map(({ songId }: Wire) => songId)).toEqual([
    "s4",
    "s3",
    "s2",
    "s1",
    "s0",
  ]);
  expect(rest.nextBefore).toBeUndefined();

  for (const word of ["one", "two", "three"]) await fail(1, () => ({ reason: `cause ${word}` }));
  const page = await ask("ListFailureGroups", { pageSize: 2 });
  const next = await ask("ListFailureGroups", { pageSize: 2, pageToken: page.nextPageToken });
  expect([...page.groups, ...next.groups].map(({ reason }: Wire) => reason.split(" ").at(-1))).toEqual([
    "three",
    "two",
    "one",
    "unavailable",
  ]);
  expect(next.nextPageToken).toBeUndefined();
});

test("after the broker lost its folder there are no failures, and new ones are read", async () => {
  await fail(3, unavailable);
  expect((await ask("ListFailureGroups", {})).failures).toBe(3);
  await broker.jsm.streams.delete(STREAMS.failures.name);
  await ensureStreams(broker);
  expect((await ask("ListFailureGroups", {})).failures).toBeUndefined();
  await fail(1, unavailable);
  expect((await ask("ListFailureGroups", {})).failures).toBe(1);
});

test("secrets in a failure are neither returned nor searchable", async () => {
  await fail(1, () => ({ reason: "refused", lease_token: "hush-hush", link: "https://x.example/?key=hush-hush" }));
  const answer = await ask("ListFailureGroups", {});
  expect(JSON.stringify(answer)).not.toContain("hush");
  expect((await ask("ListFailureGroups", { query: "hush-hush" })).failures).toBeUndefined();
});

test("retrying a cause starts each song that failed for it once, and no others", async () => {
  const [failed, deleted, well] = [await failedSong(), await failedSong(), await songs.analysed()];
  await server.call("music.v1.MusicService/DeleteSong", { song_id: deleted }, admin.token);
  for (const song_id of [failed, failed, well, deleted]) await fail(1, () => ({ song_id, reason: "no sound" }));
  const { groups } = await ask("ListFailureGroups", {});
  expect(await ask("RetryFailures", { key: groups[0].key })).toEqual({ retried: 1, recovered: 2, deleted: 1 });
  const queued = await server.sql`select song_id from song_jobs where state = 'queued' and step = 'download'`;
  expect(queued.map(({ song_id }) => song_id)).toEqual([failed]);
  // The second call finds them running.
  expect(await ask("RetryFailures", { key: groups[0].key })).toEqual({ recovered: 3, deleted: 1 });
});

test("one call retries at most a hundred failures of a cause", async () => {
  await fail(150, unavailable);
  const { groups } = await ask("ListFailureGroups", {});
  const first = await ask("RetryFailures", { key: groups[0].key });
  expect([
    first.deleted,
    (await ask("RetryFailures", { key: groups[0].key, before: first.nextBefore })).deleted,
  ]).toEqual([100, 50]);
});

test("a dismissed failure is in no group and no list, and the audit log has reasons and counts", async () => {
  await fail(4, unavailable);
  await fail(2, () => ({ reason: "no sound" }));
  const [quiet, away] = (await ask("ListFailureGroups", {})).groups;
  expect(await ask("DismissFailures", { sequences: [quiet.newest.sequence] })).toEqual({ dismissed: 1 });
  expect((await ask("ListFailureGroups", {})).failures).toBe(5);
  await fail(1, unavailable);
  expect(await ask("DismissFailures", { causes: [{ key: away.key, upTo: away.newest.sequence }] })).toEqual({
    dismissed: 4,
  });
  const { groups } = await ask("ListFailureGroups", {});
  expect(groups.map(({ reason, count }: Wire) => [reason, count])).toEqual([
    [unavailable(0).reason, 1],
    ["no sound", 1],
  ]);
  const entries = await server.sql<{ after: object }[]>`
    select after from audit_log where action = 'message_queue.failures_dismissed' order by id`;
  expect(entries.map(({ after }) => after)).toMatchObject([{ failures: 1, reasons: ["no sound"] }, { failures: 4 }]);
});

test("dismissing a searched cause keeps the other failures, and a second dismissal changes nothing", async () => {
  await fail(3, unavailable);
  const { groups } = await ask("ListFailureGroups", { query: "s1" });
  const causes = [{ key: groups[0].key, upTo: groups[0].newest.sequence }];
  expect(await ask("DismissFailures", { causes, query: "s1" })).toEqual({ dismissed: 1 });
  expect(await ask("DismissFailures", { causes, query: "s1" })).toEqual({});
  expect((await ask("ListFailureGroups", {})).failures).toBe(2);
});

test("a dismissal without failures is refused", async () => {
  const { code } = await server.call("queues.v1.QueuesService/DismissFailures", {}, admin.token);
  expect(code).toBe("invalid_argument");
});

test("without a broker every call names the remedy", async () => {
  const lonely = await startTestServer();
  const { token } = await lonely.person("Ada", ["Admin"]);
  const { status, body } = await lonely.call("queues.v1.QueuesService/ListFailureGroups", {}, token);
  expect([status, body.message]).toEqual([503, expect.stringContaining("NATS")]);
  await lonely.close();
});
