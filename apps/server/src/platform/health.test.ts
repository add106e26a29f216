import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { registerHealth } from "./health.http.ts";
import { Metrics } from "./metrics.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable, type Cable } from "./testing/cable.ts";
import { createTestDatabase } from "./testing/test-database.ts";

let server: TestServer;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let line: Cable;
let sql: Sql;
let isBrokerUp = true;
const metrics = new Metrics();

beforeAll(async () => {
  database = await createTestDatabase();
  line = await openCable(database.url);
  sql = openDatabase(line.url);
  const more = async () => ({});
  server = await startTestServer({}, (http) =>
    registerHealth(http, { sql, isBrokerUp: () => isBrokerUp, metrics, more }),
  );
  metrics.gauge("fires", "Fires that burn", () => 2);
  metrics.gaugePer("doors", "Doors by colour", "colour", async () => new Map([["red", 1]]));
});
afterAll(async () => {
  await server.close();
  await sql.end({ timeout: 1 });
  await line.close();
  await database.drop();
});

const health = async (path = "/health") => {
  const answer = await fetch(server.base + path);
  return [answer.status, await answer.json()];
};

test("health is for everybody and says which part does not answer", async () => {
  expect(await health()).toEqual([200, { status: "ok", database: true, broker: true }]);
  expect(await health("/healthz")).toEqual(await health());
  isBrokerUp = false;
  expect(await health()).toEqual([200, { status: "degraded", database: true, broker: false }]);
  isBrokerUp = true;
});

test("without its database the process is not healthy, and is again when it is back", async () => {
  line.isUp = false;
  line.cut("end");
  expect(await health()).toEqual([503, { status: "degraded", database: false, broker: true }]);
  line.isUp = true;
  await expect.poll(() => health(), { timeout: 10_000 }).toEqual([200, { status: "ok", database: true, broker: true }]);
});

test("figures are for Admins, with calls by method and code", async () => {
  const { token } = await server.person("Ada", ["Admin"]);
  const member = await server.person("Mia");
  const ask = (bearer?: string) =>
    fetch(`${server.base}/metrics`, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });
  expect([(await ask()).status, (await ask(member.token)).status]).toEqual([401, 403]);
  metrics.countCall("user.v1.UserService/GetUser", "ok", 0.02);
  metrics.countCall("user.v1.UserService/GetUser", "NotFound", 0.02);
  const text = await (await ask(token)).text();
  expect(text).toMatch(/fires 2\n/);
  expect(text).toMatch(/doors\{colour="red"\} 1\n/);
  expect(text).toMatch(/_count\{method="user\.v1\.UserService\/GetUser",code="NotFound"\} 1\n/);
});
