import { expect, onTestFinished, test } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable } from "./testing/cable.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

const codeOf = (statement: PromiseLike<unknown>) =>
  Promise.resolve(statement).then(() => "answered", ({ code }: { code: string }) => code); // prettier-ignore

/** A pool of one connection, which the database ends while a statement is under way on it. */
async function endDuringStatement(database: TestDatabase): Promise<{ sql: Sql; code: string }> {
  const sql = openUntil(onTestFinished, openDatabase(database.url, 1), (pool) => pool.end({ timeout: 1 }));
  const [ours] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const sleeping = codeOf(sql`select pg_sleep(20)`);
  const isAsleep = () =>
    database.sql`select 1 from pg_stat_activity where pid = ${ours!.pid} and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await isAsleep()).length).toBe(1);
  await database.sql`select pg_terminate_backend(${ours!.pid})`;
  return { sql, code: await sleeping };
}

// kept: Live | After a crash of the database, each connection of before refused one more call with the old error | failed on the
// old code
test("a statement whose connection the database ended is refused with its reason, and the next one is answered", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const { sql, code } = await endDuringStatement(database);
  expect([code, await codeOf(sql`select 1`)]).toEqual(["57P01", "answered"]);
});

// kept: Live | A call waited for ever, and its connection was tried without a pause, while a database that had ended it took no
// connections | failed on the old code
test("a database that takes no connections after that refuses each statement with its reason", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const { sql } = await endDuringStatement(database);
  const address = new URL(database.url);
  const name = address.pathname.slice(1);
  address.pathname = "/postgres";
  const beside = openUntil(onTestFinished, openDatabase(address.href, 1), (pool) => pool.end({ timeout: 1 }));
  await beside.unsafe(`alter database ${name} with allow_connections false`);
  expect(await codeOf(sql`select 1`)).toBe("55000");
  expect(await codeOf(sql`select 1`)).toBe("55000");
  await beside.unsafe(`alter database ${name} with allow_connections true`);
  expect(await codeOf(sql`select 1`)).toBe("answered");
});

// kept: Live | A call in the moment in which its connection was reset was never answered | failed on the old code
test("what is asked in the moment in which a connection is reset goes over the next one", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const cable = openUntil(onTestFinished, await openCable(database.url));
  const sql = openUntil(onTestFinished, openDatabase(cable.url, 1), (pool) => pool.end({ timeout: 1 }));
  await sql`select 1`;
  for (let round = 0; round < 5; round++) {
    const sleeping = codeOf(sql`select pg_sleep(20)`);
    setTimeout(() => cable.cut("reset"), 50);
    expect([await sleeping, await codeOf(sql`select 1`)]).toEqual(["ECONNRESET", "answered"]);
  }
});
