import { expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { databaseFault } from "./database-fault.ts";
import { openDatabase } from "./database.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { transactOnce } from "./transaction.ts";

const open = (url: string) => openUntil(onTestFinished, openDatabase(url, 2), (sql) => sql.end({ timeout: 1 }));

// kept: Live | After a host was switched off while its API sent notifications, no other API sent any for two hours |
// failed on the old code
test("PostgreSQL probes each connection, and drops one of a switched-off host within 15 s", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const sql = open(database.url);
  const settings = ["idle", "interval", "count"].map((name) => `tcp_keepalives_${name}`);
  const rows = await sql<{ setting: string }[]>`
    select setting from pg_settings where name = any(${settings}) order by array_position(${settings}, name)`;
  const [idle, interval, count] = rows.map(({ setting }) => Number(setting));
  expect(idle! + interval! * count!).toBeLessThanOrEqual(15);
});

test("a transaction of a hung process is ended, its locks are released, and it fails as a lost connection", async () => {
  const database = openUntil(onTestFinished, await createTestDatabase());
  const [hangs, other] = [open(database.url), open(database.url)];
  const [holds, wakes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lost = transactOnce(hangs, async (tx) => {
    const [limit] =
      await tx`select setting::int as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`;
    expect(limit!.ms).toBeGreaterThan(0);
    // Shorter than in production.
    await tx`set local idle_in_transaction_session_timeout = '300ms'`;
    await tx`select pg_advisory_xact_lock(1)`;
    holds.resolve();
    await wakes.promise;
    return { answer: await tx`select 1` };
  }).catch((error: unknown) => databaseFault(error));
  await holds.promise;
  const isFree = async () => (await other`select pg_try_advisory_lock(1) as free`)[0]!.free;
  await expect.poll(isFree).toBe(true);
  wakes.resolve();
  expect(await lost).toBe("away");
});
