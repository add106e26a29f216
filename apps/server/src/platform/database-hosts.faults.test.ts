import { afterAll, expect, onTestFinished, test } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { databaseFault } from "./database-fault.ts";
import { DatabaseWatch, leaveHostsThatFallSilent } from "./database-watch.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable } from "./testing/cable.ts";
import { createTestDatabase } from "./testing/test-database.ts";

const database = openUntil(afterAll, await createTestDatabase());
const { password, username, pathname } = new URL(database.url);
const said: string[] = [];
const log = { info: (line: string) => said.push(line), warn: () => {}, error: (line: string) => said.push(line) };

test("a host that falls silent is left for the one that took over, with the calls that hung on it", async () => {
  const first = openUntil(onTestFinished, await openCable(database.url));
  const second = openUntil(onTestFinished, await openCable(database.url));
  const hosts = [first, second].map(({ url }) => new URL(url).host).join();
  second.isUp = false;
  const sql = openDatabase(`postgres://${username}:${password}@${hosts}${pathname}`, 1);
  onTestFinished(() => sql.end({ timeout: 0 }));
  const watch = new DatabaseWatch(sql, log as never);
  expect(await watch.look()).toBeUndefined();

  // The plug of the first one is pulled, and the second is promoted.
  first.hold();
  const hanging = twoCalls(sql);
  second.isUp = true;
  expect(await watch.look()).toBe("away");
  expect(await Promise.all(hanging)).toEqual(["CONNECTION_CLOSED", "CONNECTION_CLOSED"]);
  expect([...(await sql`select 3 as there`)]).toEqual([{ there: 3 }]);
  expect(await watch.look()).toBeUndefined();
  expect(said.at(-1)).toBe("the database is back");
});

test("calls that hang on the only host fail as calls to a database that is away, once it answers no new connection either", async () => {
  const only = openUntil(onTestFinished, await openCable(database.url));
  const sql = openDatabase(only.url, 2);
  onTestFinished(() => sql.end({ timeout: 0 }));
  await sql`select 1`;
  onTestFinished(leaveHostsThatFallSilent(sql));

  only.hold();
  const codes = await Promise.all(twoCalls(sql));
  expect(codes.map((code) => databaseFault({ code }))).toEqual(["away", "away"]);
  only.letGo();
  expect([...(await sql`select 3 as there`)]).toEqual([{ there: 3 }]);
});

test("a host that is only busy keeps its connections, and what it works on is answered", async () => {
  const only = openUntil(onTestFinished, await openCable(database.url));
  const sql = openDatabase(only.url, 1);
  onTestFinished(() => sql.end({ timeout: 0 }));
  onTestFinished(leaveHostsThatFallSilent(sql));
  expect([...(await sql`select true as done from pg_sleep(8)`)]).toEqual([{ done: true }]);
});

function twoCalls(sql: Sql): Promise<string>[] {
  return [sql`select 1`, sql`select 2`].map((call) =>
    call.then(
      () => "answered",
      ({ code }) => code,
    ),
  );
}
