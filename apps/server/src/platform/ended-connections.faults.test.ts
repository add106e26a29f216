import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { databaseFault } from "./database-fault.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable } from "./testing/cable.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { openTlsProxy } from "./testing/tls-proxy.ts";

const openPool = (url: string) =>
  openUntil(onTestFinished, openDatabase(url, 1), (pool) => pool.end({ timeout: 1 })); // prettier-ignore
const codeOf = (statement: PromiseLike<unknown>) =>
  Promise.resolve(statement).then(() => "answered", ({ code }: { code: string }) => code); // prettier-ignore

/** Addresses of the same database by their ways to it. */
const WAYS: [way: string, addressOf: (url: string) => Promise<string>][] = [
  ["without TLS", async (url) => url],
  ["with TLS", async (url) => `${openUntil(onTestFinished, await openTlsProxy(url, "takes")).url}?sslmode=require`],
];

/** A pool of one connection, which the database ends while a statement is under way on it. */
async function endDuringStatement(database: TestDatabase, url: string): Promise<{ sql: Sql; code: string }> {
  const sql = openPool(url);
  const [ours] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const sleeping = codeOf(sql`select pg_sleep(20)`);
  const isAsleep = () =>
    database.sql`select 1 from pg_stat_activity where pid = ${ours!.pid} and wait_event = 'PgSleep'`;
  await expect.poll(async () => (await isAsleep()).length).toBe(1);
  await database.sql`select pg_terminate_backend(${ours!.pid})`;
  return { sql, code: await sleeping };
}

describe.each(WAYS)("a connection %s", (_way, addressOf) => {
  // kept: Live | After a crash of the database, each connection of before refused one more call with the old error | failed on
  // the old code
  test("a statement whose connection the database ended is refused with its reason, and the next one is answered", async () => {
    const database = openUntil(onTestFinished, await createTestDatabase());
    const { sql, code } = await endDuringStatement(database, await addressOf(database.url));
    expect([code, await codeOf(sql`select 1`)]).toEqual(["57P01", "answered"]);
  });

  // kept: Live | A call waited for ever, and its connection was tried without a pause, while a database that had ended it took
  // no connections | failed on the old code
  test("a database that takes no connections after that refuses each statement with its reason", async () => {
    const database = openUntil(onTestFinished, await createTestDatabase());
    const { sql } = await endDuringStatement(database, await addressOf(database.url));
    const address = new URL(database.url);
    const name = address.pathname.slice(1);
    address.pathname = "/postgres";
    const beside = openPool(address.href);
    await beside.unsafe(`alter database ${name} with allow_connections false`);
    expect(await codeOf(sql`select 1`)).toBe("55000");
    expect(await codeOf(sql`select 1`)).toBe("55000");
    await beside.unsafe(`alter database ${name} with allow_connections true`);
    expect(await codeOf(sql`select 1`)).toBe("answered");
  });

  // kept: Live | A call in the moment in which its connection was reset was never answered | failed on the old code
  test("what is asked in the moment in which a connection is reset goes over the next one", async () => {
    const database = openUntil(onTestFinished, await createTestDatabase());
    const cable = openUntil(onTestFinished, await openCable(await addressOf(database.url)));
    const sql = openPool(cable.url);
    await sql`select 1`;
    for (let round = 0; round < 5; round++) {
      const sleeping = codeOf(sql`select pg_sleep(20)`);
      setTimeout(() => cable.cut("reset"), 50);
      expect([await sleeping, await codeOf(sql`select 1`)]).toEqual(["ECONNRESET", "answered"]);
    }
  });
});

test("sslmode decides whether a database is reached by TLS, and what is not to be trusted or takes none is refused at once", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const takes = openUntil(onTestFinished, await openTlsProxy(database.url, "takes"));
  const refuses = openUntil(onTestFinished, await openTlsProxy(database.url, "refuses"));
  const ask = async (url: string, sslmode: string) => {
    const before = takes.secured;
    const said = await openPool(`${url}?sslmode=${sslmode}`)`select 1`.then(() => "answered", (error: Error) => error.message); // prettier-ignore
    return [said, takes.secured - before];
  };
  expect(await ask(takes.url, "require")).toEqual(["answered", 1]);
  expect(await ask(takes.url, "prefer")).toEqual(["answered", 1]);
  expect(await ask(takes.url, "verify-full")).toEqual([expect.stringMatching("self-signed certificate"), 0]);
  expect(await ask(refuses.url, "prefer")).toEqual(["answered", 0]);
  expect(await ask(refuses.url, "require")).toEqual(["the database takes no TLS, which sslmode asks for", 0]);
  refuses.close();
  expect(await ask(refuses.url, "require")).toEqual([expect.stringMatching("ECONNREFUSED"), 0]);
});

test("a host that takes connections and says nothing about TLS is away, as one that closes them", async () => {
  for (const [greet, code] of [
    [() => {}, "CONNECT_TIMEOUT"],
    [(socket: Socket) => socket.once("data", () => socket.end()), "CONNECTION_CLOSED"],
  ] as const) {
    const server = createServer((socket) => void greet(socket.on("error", () => {}))).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await codeOf(openPool(`postgres://a:b@127.0.0.1:${port}/c?sslmode=require`)`select 1`)).toBe(code);
    expect(databaseFault({ code })).toBe("away");
  }
});
