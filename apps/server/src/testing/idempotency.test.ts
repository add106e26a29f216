import { isReading } from "@followspot/contract";
import { Access } from "@followspot/contract/access";
import { afterAll, expect, test } from "vitest";
import { accessOf } from "../platform/http/access.ts";
import { forgetOldAnswers } from "../platform/database/idempotency.store.ts";
import { SongFiles } from "../songs/catalog/song-files.ts";
import { readPlan } from "../songs/library/plan-revisions.ts";
import { METHODS, pathOf } from "./methods.ts";
import { folderUntil, openUntil } from "./open-until.ts";
import { SongsByHand } from "./songs-by-hand.ts";
import { startLiveServer } from "./live-server.ts";
import { startTestServer, type Answer } from "./test-server.ts";
import { VALID_CALLS } from "./valid-calls.ts";
import { createWorld, oneVideo } from "./world.ts";

const dataDir = await folderUntil(afterAll);
const files = new SongFiles(dataDir);
const readSongFile = (id: string, name: "lighting.json" | "hybrid.json"): Promise<unknown> =>
  name === "hybrid.json" ? files.readJson(id, name) : readPlan(server.sql, files, id);
const server = openUntil(afterAll, await startLiveServer({ dataDir, videos: oneVideo, connections: 10, readSongFile }));
const { sql } = server;
const admin = await server.person("Ada", ["Admin"]);
const caller = { userId: admin.id, name: "Ada", roles: ["Admin" as const], sessionId: "" };
const world = createWorld(server, new SongsByHand(sql, files, caller), admin);

/** Methods that end the session with which a retry would be authenticated. */
const END_SESSION = ["auth.v1.AuthService/SignOut", "user.v1.UserService/DeleteMyAccount"];
/** Methods that count messages of the broker, which has no transaction: a response that was lost is counted again. */
const OF_THE_BROKER = ["queues.v1.QueuesService/RetryFailures"];
const CHANGING = METHODS.filter((method) => !isReading(pathOf(method)) && !accessOf(method).includes(Access.PUBLIC))
  .map(pathOf)
  .filter((path) => !END_SESSION.includes(path));
const CREATE = "event.v1.EventService/CreateEvent";
const NIGHT = { title: "Night", startsAt: "2027-05-01T18:00:00Z", endsAt: "2027-05-01T23:00:00Z" };

let keys = 0;
const newKey = () => `key-${++keys}`;
const keyed = (path: string, body: object, key: string, token = admin.token) =>
  server.call(path, body, token, { "idempotency-key": key });
const told = ({ status, body, headers }: Answer) => ({ status, body, isReplay: headers.has("idempotent-replayed") });
const events = async () => (await sql`select from events`).length;
const lastEntry = async () =>
  (await sql<{ id: string }[]>`select coalesce(max(id), 0)::text as id from audit_log`)[0]!.id;

// kept: Changes | Calls that were repeated after a lost answer made everything twice | failed on the old code
test.each(CHANGING)("%s runs once for one key, also if the server was killed before the answer", async (path) => {
  const { request, by } = VALID_CALLS[path]!;
  const body = await request(world);
  const token = by === "member" ? (await server.person("Sam")).token : admin.token;
  const key = newKey();
  const first = await keyed(path, body, key, token);
  expect([first.status, first.body]).toEqual([200, expect.anything()]);
  const entry = await lastEntry();
  expect(told(await keyed(path, body, key, token))).toEqual({ status: 200, body: first.body, isReplay: true });

  // A server that is killed between commit and answer has stored its changes, and no response.
  const lost = await sql`update idempotency_keys set response = null where answer is not null returning call`;
  if (lost.length > 0 && !OF_THE_BROKER.includes(path))
    expect(told(await keyed(path, body, key, token)).body).toEqual(first.body);
  expect(await lastEntry()).toBe(entry);
  await sql`delete from idempotency_keys`;
});

test("a key counts per person and per method", async () => {
  const key = newKey();
  const other = await server.person("Bea", ["Admin"]);
  const before = await events();
  const first = await keyed(CREATE, NIGHT, key);
  const ofOther = await keyed(CREATE, NIGHT, key, other.token);
  expect(ofOther.body.event.id).not.toBe(first.body.event.id);
  const deleted = await keyed("event.v1.EventService/DeleteEvent", { eventId: ofOther.body.event.id }, key);
  expect(deleted.status).toBe(200);
  expect(await events()).toBe(before + 2);
});

test("the same key with another body is rejected, and changes nothing", async () => {
  const key = newKey();
  await keyed(CREATE, NIGHT, key);
  const before = await events();
  const answer = await keyed(CREATE, { ...NIGHT, title: "Day" }, key);
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      code: "invalid_argument",
      message: "Idempotency-Key: was used with another request. Use a new key for each request.",
    },
  ]);
  expect(await events()).toBe(before);
});

test.each(["", " ", "two words", "é", "x".repeat(256)])("the key %j is rejected", async (key) => {
  const before = await events();
  const answer = await keyed(CREATE, NIGHT, encodeURI(key) === key ? key : Buffer.from(key).toString("latin1"));
  expect([answer.code, await events()]).toEqual(["invalid_argument", before]);
});

test("errors are not stored", async () => {
  const key = newKey();
  expect((await keyed(CREATE, { ...NIGHT, endsAt: NIGHT.startsAt }, key)).code).toBe("invalid_argument");
  expect((await keyed(CREATE, NIGHT, key)).status).toBe(200);
});

test("calls with one key at the same time run once, at one server and at two", async () => {
  const database = { ...server, close: async () => {} };
  const second = openUntil(afterAll, await startTestServer({ database, secret: server.secret, dataDir }));
  const before = await events();
  const key = newKey();
  const at = [server, second, server, second];
  const callUntilAnswered = async (one: (typeof at)[number]): Promise<Answer> => {
    const answer = await one.call(CREATE, NIGHT, admin.token, { "idempotency-key": key });
    if (answer.code !== "unavailable") return answer;
    expect(answer.headers.get("retry-after")).toBe("1");
    return callUntilAnswered(one);
  };
  const answers = await Promise.all(at.map(callUntilAnswered));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.event.id}`)).size).toBe(1);
  expect(await events()).toBe(before + 1);
});

test("the same key with another body is rejected also while the first call runs", async () => {
  const key = newKey();
  const before = await events();
  const { calls } = await sql.begin(async (tx) => {
    await tx`lock table events in access exclusive mode`;
    const begun = [keyed(CREATE, NIGHT, key), keyed(CREATE, { ...NIGHT, title: "Day" }, key)];
    const waits = async () =>
      (await tx`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length;
    await expect.poll(waits).toBe(1);
    return { calls: begun };
  });
  expect((await Promise.all(calls)).map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await events()).toBe(before + 1);
});

test("a call without a sign-in ignores the key: nothing is stored or repeated", async () => {
  await sql`delete from idempotency_keys`;
  const answers = [];
  for (let i = 0; i < 2; i++)
    answers.push(
      await server.call("auth.v1.AuthService/SendLoginCode", { target: `ada${i}@example.org` }, undefined, {
        "idempotency-key": "one-key",
      }),
    );
  // The second has another body, which a counted key would reject.
  expect(answers.map(told)).toEqual([
    { status: 200, body: expect.anything(), isReplay: false },
    { status: 200, body: expect.anything(), isReplay: false },
  ]);
  expect(await sql`select from idempotency_keys`).toHaveLength(0);
});

test("null for an absent field is the same body", async () => {
  const key = newKey();
  const first = await keyed(CREATE, { ...NIGHT, bannerBase64: null, doorsOpenAt: null }, key);
  expect(told(await keyed(CREATE, NIGHT, key))).toEqual({ status: 200, body: first.body, isReplay: true });
});

test("stored answers are unreadable in the database, and deleted after 24 hours", async () => {
  const key = newKey();
  const { body } = await keyed(CREATE, { ...NIGHT, title: "Secret night" }, key);
  await expect
    .poll(async () => (await sql`select from idempotency_keys where response is not null`).length)
    .toBe((await sql`select from idempotency_keys where step = 0`).length);
  const rows = await sql<{ answer: Buffer | null; response: Buffer }[]>`select answer, response from idempotency_keys`;
  for (const { answer, response } of rows) expect(`${answer} ${response}`).not.toContain("Secret night");
  await sql`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'`;
  await forgetOldAnswers(sql);
  expect((await keyed(CREATE, { ...NIGHT, title: "Secret night" }, key)).body).toEqual(body);
  await sql`update idempotency_keys set created_at = now() - interval '24 hours 1 minute'`;
  await forgetOldAnswers(sql);
  expect(await sql`select from idempotency_keys`).toHaveLength(0);
});
