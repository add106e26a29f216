import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { Code } from "@connectrpc/connect";
import { CALLS_PATH, isReading, readAnswerLine } from "@followspot/contract";
import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { VALID_CALLS } from "../../testing/valid-calls.ts";
import { toRefusal } from "./rpc.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;

const AT = { startsAt: "2027-05-01T20:00:00Z", endsAt: "2027-05-02T02:00:00Z" };
const users = (method: string, body: unknown) => server.call(`user.v1.UserService/${method}`, body, admin);

test("without a sign-in, the answer is the same for an existing ID, an unknown one and an invalid body", async () => {
  const { id } = await server.person("Known");
  const bodies = [{ userId: id }, { userId: "missing" }, "{", { userId: "\0" }];
  const answers = await Promise.all(bodies.map((body) => server.call("user.v1.UserService/GetUser", body)));
  for (const { status, body } of answers)
    expect([status, body]).toEqual([401, { code: "unauthenticated", message: "Sign in first" }]);
});

test.each([
  ["user.v1.UserService/CreateUser", { name: "a\0b" }, "name"],
  ["user.v1.UserService/GetUser", { userId: "\0" }, "userId"],
  ["user.v1.UserService/CreateUser", '{"name":"\\ud800"}', "name"],
  ["event.v1.EventService/CreateEvent", { title: "x", lat: "NaN" }, "lat"],
  ["event.v1.EventService/UpdateEvent", { eventId: "x", lng: "-Infinity" }, "lng"],
  ["lights.v1.LightsService/CreateLight", { label: "x", groups: ["ok", "a\0"] }, "groups[1]"],
  ["lights.v1.LightsService/SetOutputs", { outputs: [{ protocol: "sacn", host: "a\0b" }] }, "outputs[0].host"],
  ["lights.v1.LightsService/GetPatternContext", { songId: "x", windowSeconds: "Infinity" }, "windowSeconds"],
  ["lights.v1.LightsService/GetNextDMXAddress", { channelCount: 0 }, "channelCount"],
  ["user.v1.UserService/UpdateUser", { userId: "x", roles: ["Owner"] }, "roles[0]"],
] as const)("refuses %s with %j and names %s", async (path, body, field) => {
  const answer = await server.call(path, body, admin);
  expect([answer.status, answer.code]).toEqual([400, "invalid_argument"]);
  expect(answer.body.message).toContain(field);
});

// kept: Doors | A name with U+202E reversed the text around it, and one of U+200B alone was an empty name | failed on
// the old code
test.each([
  ["user.v1.UserService/CreateUser", "name", {}],
  ["event.v1.EventService/CreateEvent", "title", AT],
  ["lights.v1.LightsService/CreateLight", "label", { lightType: "generic_dimmer_channel", mode: "1 channel" }],
] as const)(
  "%s removes invisible characters from its %s, and rejects one without any visible ones",
  async (path, field, more) => {
    for (const hidden of ["\u202E", "\u200B", "\u2066\u2069", "\uFEFF\u2060"]) {
      expect((await server.call(path, { ...more, [field]: ` ${hidden}` }, admin)).code).toBe("invalid_argument");
      const answer = await server.call(path, { ...more, [field]: `${hidden}Vera 👩‍👩‍👧` }, admin);
      expect(JSON.stringify(answer.body)).toContain(`"${field}":"Vera 👩‍👩‍👧"`);
    }
  },
);

test("removes invisible characters from the names in a list", async () => {
  const rows = [{ name: "\u202EMallory" }, { name: "\u200B" }];
  const { results } = (await users("ImportUsers", { rows })).body;
  expect(results.map(({ state }: { state: string }) => state)).toEqual(["created", "refused"]);
  const { user } = (await users("GetUser", { userId: results[0].userId })).body;
  expect(user.name).toBe("Mallory");
});

test.each(["", "{", "[]", "null", "7", '{"name":{}}', '{"name":7}', '"text"'])(
  "refuses the body %j as the caller's mistake",
  async (body) => {
    const answer = await users("CreateUser", body);
    expect([answer.status, answer.code]).toEqual([400, "invalid_argument"]);
  },
);

// kept: Doors | One member who requested many unpaged lists at once blocked them for everyone else | failed on the old
// code
test("rejects a caller's fifth simultaneous unpaged list, and still serves pages and other callers", async () => {
  await server.sql`
    insert into users (id, name, purpose, bio) select 'W' || i, 'Whole ' || i, '', '' from generate_series(1, 3000) i`;
  const whole = Array.from({ length: 100 }, () => users("ListUsers", {}));
  const other = await server.person("Bea", ["Admin"]);
  const wholeOfOther = server.call("user.v1.UserService/ListUsers", {}, other.token);
  const page = await users("ListUsers", { list: { pageSize: 10 } });
  expect(page.body.users).toHaveLength(10);
  const answers = await Promise.all(whole);
  const refused = answers.filter(({ code }) => code !== undefined);
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(["429 resource_exhausted"]));
  expect(refused[0]!.body.message).toMatch(/Ask for pages/);
  for (const { body } of answers.filter(({ code }) => code === undefined))
    expect(body.users.length).toBeGreaterThan(3000);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(4);
  expect((await wholeOfOther).status).toBe(200);
  // No call is waiting any more.
  expect((await users("ListUsers", {})).code).toBeUndefined();
});

test("answers unknown methods, other verbs and other types with Connect codes", async () => {
  const json = { "content-type": "application/json" };
  const get = async (path: string, init: RequestInit) => {
    const response = await fetch(server.base + path, init);
    return [response.status, ((await response.json()) as { code: string }).code, response.headers.get("content-type")];
  };
  const auth = { authorization: `Bearer ${admin}` };
  const list = "/followspot.user.v1.UserService/ListUsers";
  expect(await get("/followspot.user.v1.UserService/Nope", { method: "POST", headers: json, body: "{}" })).toEqual([
    404,
    "unimplemented",
    "application/json",
  ]);
  expect(await get("/followspot.nope.v1.Nope/Nope", { method: "POST", headers: json, body: "{}" })).toEqual([
    404,
    "unimplemented",
    "application/json",
  ]);
  expect(await get(list, { method: "GET", headers: auth })).toEqual([405, "unimplemented", "application/json"]);
  for (const type of [
    "text/plain",
    "application/proto",
    "application/grpc",
    "application/grpc-web+json",
    "application/connect+json",
    "multipart/form-data",
    "application/json; charset=utf-16",
  ]) {
    expect((await get(list, { method: "POST", headers: { ...auth, "content-type": type }, body: "{}" }))[0]).toBe(415);
  }
});

test("refuses a request larger than its method needs before and after unpacking", async () => {
  const big = JSON.stringify({ userId: "x".repeat(2_000_000) });
  expect((await users("GetUser", big)).code).toBe("resource_exhausted");
  expect((await users("UploadPhoto", { userId: "x", photoBase64: "A".repeat(13_000_000) })).code).toBe(
    "resource_exhausted",
  );
  const { gzipSync } = await import("node:zlib");
  const bomb = gzipSync(Buffer.alloc(100_000_000, " "));
  const response = await fetch(`${server.base}/followspot.user.v1.UserService/ListUsers`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-encoding": "gzip", authorization: `Bearer ${admin}` },
    body: bomb,
  });
  expect(((await response.json()) as { code: string }).code).toBe("resource_exhausted");
});

test("refuses two Authorization headers, also if one is valid", async () => {
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(
      `${server.base}/followspot.auth.v1.AuthService/GetSession`,
      { method: "POST" },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.setHeader("content-type", "application/json");
    request.setHeader("authorization", [`Bearer ${admin}`, "Bearer other"]);
    request.on("error", reject).end("{}");
  });
  expect(status).toBe(401);
});

test("accepts field names in snake_case and camelCase", async () => {
  const { body } = await users("CreateUser", { name: "Ann" });
  for (const request of [{ user_id: body.user.id }, { userId: body.user.id }])
    expect((await users("GetUser", request)).body.user.name).toBe("Ann");
});

test("hides internal errors from the caller and logs them", async () => {
  await server.sql`alter table talks rename to talks_away`;
  const { status, body } = await server.call("talk.v1.TalkService/ListTalks", {}, admin);
  await server.sql`alter table talks_away rename to talks`;
  expect([status, body]).toEqual([500, { code: "internal", message: "Something went wrong on our side" }]);
  expect(JSON.stringify(server.failures.splice(0)[0])).toContain("talks");
});

test("reports that the database is unreachable once its connections have ended", async () => {
  const cut = await startTestServer();
  const { token } = await cut.person("Ada", ["Admin"]);
  await cut.sql.end({ timeout: 1 });
  const { status, body } = await cut.call("user.v1.UserService/ListUsers", {}, token);
  expect([status, body.code]).toEqual([503, "unavailable"]);
  expect(body.message).toMatch(/^The database is not reachable/);
  await cut.close();
});

// kept: Doors | A missing file was reported as an unreachable database | failed on the old code
test("does not report a missing file as an unavailable database", async () => {
  const bare = await startTestServer({ readSongFile: () => readFile("/nowhere/lighting.json") as Promise<never> });
  const { token } = await bare.person("Ada", ["Admin"]);
  const { status, body } = await bare.call("lights.v1.LightsService/GetPatternHistory", { songId: "x" }, token);
  expect([status, body]).toEqual([500, { code: "internal", message: "Something went wrong on our side" }]);
  await bare.close();
});

const together = async (calls: unknown, token?: string) => {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(server.base + CALLS_PATH, { method: "POST", headers, body: JSON.stringify(calls) });
  const lines = (await answer.text()).split("\n").map(readAnswerLine);
  const known = lines.filter((line) => line !== undefined).toSorted((a, b) => a.place - b.place);
  return { status: answer.status, answers: known.map(({ status, json }) => [status, JSON.parse(json)]) };
};

test("answers batched reads like single ones", async () => {
  const { token, id } = await server.person("Mara", ["Director"]);
  const calls = [
    { method: "event.v1.EventService/ListEvents", message: { list: { pageSize: 5 } } },
    { method: "event.v1.EventService/ListEvents", message: {} },
    { method: "event.v1.EventService/GetEvent", message: { eventId: "missing" } },
    { method: "user.v1.UserService/ListUsers", message: {} },
    { method: "event.v1.EventService/ListEvents", message: { list: { pageSize: -1 } } },
    { method: "event.v1.EventService/GetEvent", message: { eventId: "a\0b" } },
    { method: "event.v1.EventService/ListNothings", message: {} },
  ];
  const { status, answers } = await together(calls, token);
  const alone = await Promise.all(calls.map(({ method, message }) => server.call(method, message, token)));
  expect(status).toBe(200);
  expect(answers).toEqual(alone.map((each) => [each.status, each.body]));
  expect(alone.map((each) => each.status)).toEqual([200, 200, 404, 403, 400, 400, 404]);
  await server.sql`delete from users where id = ${id}`;
});

test("a page that disconnects before its calls are answered causes no error", async () => {
  const before = server.failures.length;
  const leaving = new AbortController();
  const headers = { "content-type": "application/json", authorization: `Bearer ${admin}` };
  const body = JSON.stringify([{ method: "event.v1.EventService/ListEvents", message: {} }]);
  await server.sql.begin(async (tx) => {
    await tx`lock table events in access exclusive mode`;
    const asked = fetch(server.base + CALLS_PATH, { method: "POST", headers, body, signal: leaving.signal });
    const waits = async () =>
      (await tx`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length;
    await expect.poll(waits).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
  });
  // The next response follows the effects of the previous call.
  expect((await together([{ method: "event.v1.EventService/ListEvents", message: {} }], admin)).status).toBe(200);
  expect(server.failures.slice(before)).toEqual([]);
});

// kept: Changes | A client that disconnected was logged as a failure of the server, with a stack | failed on the old
// code
test.each(["/followspot.user.v1.UserService/ListUsers", CALLS_PATH])(
  "calls of %s whose client disconnects while they wait are not failures",
  async (path) => {
    const before = server.failures.length;
    const asked = path === CALLS_PATH ? [{ method: "user.v1.UserService/ListUsers", message: {} }] : {};
    const headers = { "content-type": "application/json", authorization: `Bearer ${admin}` };
    const leaving = new AbortController();
    const calls = Array.from({ length: 10 }, () =>
      fetch(server.base + path, { method: "POST", headers, body: JSON.stringify(asked), signal: leaving.signal }),
    );
    const ended = Promise.allSettled(calls);
    // The first response shows that the others are queued.
    await Promise.any(calls);
    leaving.abort();
    await ended;
    // Once the server has noticed the disconnect, the queued calls are dropped, and the caller can make others.
    await expect.poll(async () => (await users("ListUsers", {})).status).toBe(200);
    expect(server.failures.slice(before)).toEqual([]);
  },
);

test("refuses batches without a sign-in, with a change, or with too many calls", async () => {
  const reading = { method: "event.v1.EventService/ListEvents", message: {} };
  const change = { method: "event.v1.EventService/CreateEvent", message: { title: "Gala" } };
  expect((await together([reading])).status).toBe(401);
  for (const calls of [[reading, change], [], Array(33).fill(reading), [{ method: reading.method }], reading])
    expect((await together(calls, admin)).status).toBe(400);
});

test("allows only methods without side effects in a batch", () => {
  const readings = Object.entries(VALID_CALLS).filter(([method]) => isReading(method));
  expect(readings.length).toBeGreaterThan(80);
  // A short code is drawn when it is first read; later reads return the same one.
  const effects = (tables: readonly string[]) => tables.filter((table) => table !== "short_codes");
  for (const [method, { tables, audits, tells }] of readings)
    expect([method, effects(tables), audits, tells]).toEqual([method, [], undefined, undefined]);
});

// kept: Changes | While the database's disk was full, a rejected read said that nothing was stored | failed on the old code
test.each([
  ["followspot.user.v1.UserService/GetUser", false, "Free some, then try again."],
  ["/followspot.user.v1.UserService/ListUsers", false, "Free some, then try again."],
  ["user.v1.UserService/CountUsers", false, "Free some, then try again."],
  ["/proxy/songs/:id/:name", true, "Free some, then try again."],
  ["followspot.user.v1.UserService/CreateUser", false, "Free some; nothing was stored."],
  ["followspot.event.v1.EventService/CheckIn", false, "Free some; nothing was stored."],
  ["/api/songs/upload", false, "Free some; nothing was stored."],
])("%s on a full disk says what the caller has to know", (method, isRead, advice) => {
  const full = Object.assign(new Error("could not extend file"), { code: "53100" });
  const { code, rawMessage } = toRefusal(method, full, () => undefined, "", isRead);
  expect([code, rawMessage]).toEqual([
    Code.ResourceExhausted,
    `There is no space left on the database's disk. ${advice}`,
  ]);
});
