import { chmod } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDatabasePair, type DatabasePair } from "../../testing/database-pair.ts";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { databaseFault } from "./database-fault.ts";
import { DatabaseWatch, leaveUnusableHosts } from "./database-watch.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable } from "../testing/cable.ts";
import { createTestDatabase } from "../testing/test-database.ts";

const database = openUntil(afterAll, await createTestDatabase());
const { password, username, pathname } = new URL(database.url);
const said: string[] = [];
const log = {
  info: (line: string) => said.push(line),
  warn: () => {},
  error: (line: string) => said.push(line),
} as never;

test("abandons an unresponsive host and its pending calls once another host accepts writes", async () => {
  const first = openUntil(onTestFinished, await openCable(database.url));
  const second = openUntil(onTestFinished, await openCable(database.url));
  const hosts = [first, second].map(({ url }) => new URL(url).host).join();
  second.isUp = false;
  const sql = openDatabase(`postgres://${username}:${password}@${hosts}${pathname}`, 1);
  onTestFinished(() => sql.end({ timeout: 0 }));
  const watch = new DatabaseWatch(sql, log);
  expect(await watch.look()).toBeUndefined();

  // The first host loses power, and the second is promoted.
  first.hold();
  const hanging = twoCalls(sql);
  second.isUp = true;
  expect(await watch.look()).toBe("away");
  expect(await Promise.all(hanging)).toEqual(["CONNECTION_CLOSED", "CONNECTION_CLOSED"]);
  expect([...(await sql`select 3 as there`)]).toEqual([{ there: 3 }]);
  expect(await watch.look()).toBeUndefined();
  expect(said.at(-1)).toBe("the database is back");
});

test('calls pending on the only host fail as "unavailable" once it accepts no new connections either', async () => {
  const only = openUntil(onTestFinished, await openCable(database.url));
  const sql = openDatabase(only.url, 2);
  onTestFinished(() => sql.end({ timeout: 0 }));
  await sql`select 1`;
  onTestFinished(leaveUnusableHosts(sql));

  only.hold();
  const codes = await Promise.all(twoCalls(sql));
  expect(codes.map((code) => databaseFault({ code }))).toEqual(["away", "away"]);
  only.letGo();
  expect([...(await sql`select 3 as there`)]).toEqual([{ there: 3 }]);
});

test("a busy host keeps its connections and answers its statements", async () => {
  const only = openUntil(onTestFinished, await openCable(database.url));
  const sql = openDatabase(only.url, 1);
  onTestFinished(() => sql.end({ timeout: 0 }));
  onTestFinished(leaveUnusableHosts(sql));
  expect([...(await sql`select true as done from pg_sleep(8)`)]).toEqual([{ done: true }]);
});

describe("two hosts that accept writes", () => {
  let pair: DatabasePair;
  let dataDir: string;
  beforeAll(async () => {
    const folder = await folderUntil(afterAll);
    await chmod(folder, 0o755);
    dataDir = await folderUntil(afterAll);
    pair = openUntil(afterAll, await startDatabasePair(folder));
  });

  const otherWayRound = (url: string) => url.replace(/@([^,/]+),([^,/]+)/, "@$2,$1");
  const open = (url: string, folder?: string) =>
    openUntil(onTestFinished, openDatabase(url, 1, folder), (sql) => sql.end({ timeout: 0 }));
  const portOf = async (sql: Sql) => Number((await sql`select inet_server_port() as port`)[0]!["port"]);
  const port = (host: 0 | 1) => Number(new URL(pair.urls[host]).port);

  // kept: Changes | A running server continued to write to the old primary after its standby was promoted | failed on
  // the old code
  test("a running process follows the promotion of a standby while the old primary still accepts writes", async () => {
    const sql = open(pair.url, dataDir);
    const watch = new DatabaseWatch(sql, log);
    await pair.followed();
    expect(await portOf(sql)).toBe(port(0));
    await pair.promote();
    await expect.poll(() => watch.compareHosts().then(() => portOf(sql)).catch(() => 0), { timeout: 20_000 }).toBe(port(1)); // prettier-ignore
    expect(watch.refusedHosts).toBe(1);
    expect(said.at(-1)).toMatch(/^Two hosts take changes: /);
  });

  // kept: Changes | With two primaries, a running server wrote to both, whichever answered faster | failed on the old code
  test("no connection reaches a crashed primary that returns after its standby was promoted, in either order of the hosts", async () => {
    await pair.killPrimary();
    await pair.returnPrimary();
    for (const folder of [dataDir, undefined])
      for (const url of [pair.url, otherWayRound(pair.url)]) {
        const ports = await Promise.all(Array.from({ length: 5 }, () => portOf(open(url, folder))));
        expect(new Set(ports)).toEqual(new Set([port(1)]));
      }
  });

  test("the returned primary is refused while the newer host is down, and the reason names both", async () => {
    await pair.killStandby();
    const sql = open(pair.url, dataDir);
    const watch = new DatabaseWatch(sql, log);
    await expect(sql`select 1`).rejects.toThrow(
      /^The database is refused: .* \(timeline 1\) takes changes, .* timeline 2 at /,
    );
    expect(await watch.look()).toBe("away");
    expect(watch.hostFaults).toEqual([expect.stringMatching(/^The database is refused: /)]);
  });
});

function twoCalls(sql: Sql): Promise<string>[] {
  return [sql`select 1`, sql`select 2`].map((call) =>
    call.then(
      () => "answered",
      ({ code }) => code,
    ),
  );
}
