import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { DatabaseWatch } from "../database/database-watch.ts";
import { countFaults, registerHealth, type BrokerState } from "./health.http.ts";
import { createHttpServer } from "./http-server.ts";
import { Metrics } from "../process/metrics.ts";
import { openDatabase } from "../database/database.ts";
import { openCable } from "../testing/cable.ts";
import { createTestDatabase } from "../testing/test-database.ts";

let broker: BrokerState = { isUp: true, isStoring: true };
let free = 5e9;
let waits: readonly string[] = [];
let isLeaving = false;
const lines: string[] = [];
const metrics = new Metrics();

const database = openUntil(afterAll, await createTestDatabase());
const cable = openUntil(afterAll, await openCable(database.url));
const sql = openUntil(afterAll, openDatabase(cable.url), (sql) => sql.end({ timeout: 1 }));
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
const watch = new DatabaseWatch(sql, log);
const ports = {
  isLeaving: () => isLeaving,
  database: watch,
  broker: () => broker,
  freeBytes: async () => free,
  warnings: async () => waits,
  metrics,
};
const server = openUntil(afterAll, await startTestServer());
const http = await createHttpServer({
  noteFailure: () => {},
  authenticate: (headers) => server.sessions.ofHeaders(headers),
  trustProxy: [],
});
const METRICS_TOKEN = "a token of the metrics, 32 letters";
registerHealth(http, { ...ports, metricsToken: METRICS_TOKEN, more: async () => ({}) });
countFaults(metrics, ports);
const base = await http.app.listen({ port: 0, host: "127.0.0.1" });
afterAll(() => http.app.close());
metrics.gauge("fires", "Fires that burn", () => 2);
metrics.gaugePer("doors", "Doors by colour", ["colour"], async () => [[{ colour: "red" }, 1]]);

const health = async (path = "/health") => {
  const answer = await fetch(base + path);
  return [answer.status, await answer.json()];
};

const WELL = { status: "ok", database: true, broker: true, reasons: [], warnings: [], free_bytes: 5e9 };
const SILENT = "The message broker does not answer: songs wait, and news come late.";

test("health needs no sign-in and names the service that does not respond", async () => {
  expect(await health()).toEqual([200, WELL]);
  broker = { isUp: false, isStoring: true };
  expect(await health()).toEqual([200, { ...WELL, status: "degraded", broker: false, reasons: [SILENT] }]);
  broker = { isUp: false, isStoring: true, isRefusing: true };
  const refusal = "The message broker refuses the user or password of NATS_URL: songs wait, and news come late.";
  expect(await health()).toEqual([200, { ...WELL, status: "degraded", broker: false, reasons: [refusal] }]);
  const unusedBecause = "The message broker is nats-server 2.9.10: songs wait, and news come late.";
  broker = { isUp: false, isStoring: true, unusedBecause };
  expect(await health()).toEqual([200, { ...WELL, status: "degraded", broker: false, reasons: [unusedBecause] }]);
  broker = { isUp: true, isStoring: false };
  const reasons = ["The message broker stores nothing: songs wait, and news come late."];
  expect(await health()).toEqual([200, { ...WELL, status: "degraded", reasons }]);
  broker = { isUp: true, isStoring: true };
});

test("a server that is draining still responds, with status 503 for proxies", async () => {
  isLeaving = true;
  expect(await health()).toEqual([503, WELL]);
  expect(await health("/healthz")).toEqual([503, { status: "leaving" }]);
  expect(await health("/livez")).toEqual([200, { status: "ok" }]);
  isLeaving = false;
  expect(await health("/healthz")).toEqual([200, { status: "ok" }]);
});

// kept: Doors | Each probe of a proxy asked the database and waited for it | failed on the old code
test("a database that hangs delays no probe of a proxy, which gets 503 once the outage is detected", async () => {
  cable.hold();
  const looking = watch.look();
  expect(await health("/healthz")).toEqual([200, { status: "ok" }]);
  await looking;
  expect(await health("/healthz")).toEqual([503, { status: "database unavailable" }]);
  expect(await health("/livez")).toEqual([200, { status: "ok" }]);
  cable.letGo();

  await expect.poll(() => watch.look(), { timeout: 30_000 }).toBeUndefined();
  expect(await health("/healthz")).toEqual([200, { status: "ok" }]);
  lines.length = 0;
});

test("health warns of a paused queue, but its status is ok", async () => {
  waits = ["SONGS is paused until 18:05 UTC: songs wait. Resume it on Workers."];
  expect(await health()).toEqual([200, { ...WELL, warnings: waits }]);
  waits = [];
});

// kept: Doors | No warning appeared while a disk was filling up | failed on the old code
test("health warns below 1 GB of free space, and is degraded when there is too little to start", async () => {
  free = 812_400_000;
  const low = "Only 812 MB are free on the disk of the data folder. Free some soon.";
  expect(await health()).toEqual([200, { ...WELL, warnings: [low], free_bytes: free }]);
  free = 140_000_000;
  const short = "Only 140 MB are free on the disk of the data folder. Free some before nothing can be stored.";
  expect(await health()).toEqual([200, { ...WELL, status: "degraded", reasons: [short], free_bytes: free }]);
  free = 5e9;
});

// kept: Doors | Each call to an unavailable or full database logged a stack trace | also
test("health fails while the database is unavailable and recovers with it, with one log line each", async () => {
  cable.isUp = false;
  cable.cut("end");
  const reasons = ["The database does not answer."];
  for (let i = 0; i < 5; i++) {
    expect(await health()).toEqual([503, { ...WELL, status: "degraded", database: false, reasons }]);
    const error = await sql`select 1`.catch((failure: unknown) => failure);
    for (let call = 0; call < 20; call++) watch.noteFailure("user.v1.UserService/GetUser", error);
  }
  cable.isUp = true;
  await expect.poll(() => health()).toEqual([200, WELL]);
  expect(lines).toEqual([expect.stringMatching(/^the database is not reachable: /), "the database is back"]);
});

// kept: Changes | An alert could not say which part had a fault, and scraping needed a token with every right | failed on the old code
test("metrics name the part with a fault, and open for their own token, which opens nothing else", async () => {
  const ask = (path: string, bearer: string) => fetch(base + path, { headers: { authorization: `Bearer ${bearer}` } });
  broker = { isUp: false, isStoring: true };
  const text = await (await ask("/metrics", METRICS_TOKEN)).text();
  expect(text).toMatch(/fault\{part="broker"\} 1\n/);
  expect(text).toMatch(/fault\{part="database"\} 0\n/);
  broker = { isUp: true, isStoring: true };
  expect((await ask("/metrics", `${METRICS_TOKEN}x`)).status).toBe(401);
  const { code } = await server.call("user.v1.UserService/ListUsers", {}, METRICS_TOKEN);
  expect(code).toBe("unauthenticated");
});

test("metrics are for Admins, with calls by method and code", async () => {
  const { token } = await server.person("Ada", ["Admin"]);
  const member = await server.person("Mia");
  const ask = (bearer?: string) =>
    fetch(`${base}/metrics`, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  expect([(await ask()).status, (await ask(member.token)).status]).toEqual([401, 403]);
  metrics.countCall("user.v1.UserService/GetUser", "ok", 0.02);
  metrics.countCall("user.v1.UserService/GetUser", "NotFound", 0.02);
  const text = await (await ask(token)).text();
  expect(text).toMatch(/fires 2\n/);
  expect(text).toMatch(/doors\{colour="red"\} 1\n/);
  expect(text).toMatch(/_count\{method="user\.v1\.UserService\/GetUser",code="NotFound"\} 1\n/);
});
