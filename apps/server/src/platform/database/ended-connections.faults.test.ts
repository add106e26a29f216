import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { databaseFault } from "./database-fault.ts";
import { openDatabase, type Sql } from "./database.ts";
import { openCable } from "../testing/cable.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { openTlsProxy } from "../testing/tls-proxy.ts";

const openPool = (url: string) =>
  openUntil(onTestFinished, openDatabase(url, 1), (pool) => pool.end({ timeout: 1 })); // prettier-ignore
const codeOf = (statement: PromiseLike<unknown>) =>
  Promise.resolve(statement).then(() => "answered", ({ code }: { code: string }) => code); // prettier-ignore

/** Addresses of the same database, with and without TLS. */
const WAYS: [way: string, addressOf: (url: string) => Promise<string>][] = [
  ["without TLS", async (url) => url],
  ["with TLS", async (url) => `${openUntil(onTestFinished, await openTlsProxy(url, "takes")).url}?sslmode=require`],
];

/** Opens a pool of one connection, which the database terminates during a statement. */
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
  // kept: Live | After a crash of the database, each earlier connection failed one more call with the old error |
  // failed on the old code
  test("a statement whose connection the database terminated fails with the reason, and the next one is answered", async () => {
    const database = openUntil(onTestFinished, await createTestDatabase());
    const { sql, code } = await endDuringStatement(database, await addressOf(database.url));
    expect([code, await codeOf(sql`select 1`)]).toEqual(["57P01", "answered"]);
  });

  // kept: Live | When a database had terminated a connection and accepted no new ones, a call hung, and reconnects had
  // no pause between them | failed on the old code
  test("each statement fails with the reason while the database then accepts no connections", async () => {
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

  // kept: Live | A call made at the moment of a connection reset was never answered | failed on the old code
  test("a statement sent at the moment of a connection reset uses the next connection", async () => {
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

test("sslmode decides whether TLS is used; an untrusted certificate, or a server without TLS, is refused at once", async () => {
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

test("a host that accepts connections but does not answer the TLS request, or closes them, is unavailable", async () => {
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
