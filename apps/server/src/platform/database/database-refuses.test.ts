import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { DatabaseWatch } from "./database-watch.ts";
import { openDatabase } from "./database.ts";
import { readHealth } from "../http/health.http.ts";
import { toRefusal } from "../http/rpc.ts";
import { createTestDatabase } from "../testing/test-database.ts";

const REASON = "The database refuses our connections: check user, password, database and sslmode of DATABASE_URL.";

/** Creates a database with a role that may sign in to it, and a connection for administration to another database. */
async function openOwn() {
  const outside = new URL(process.env.DATABASE_URL ?? "");
  const admin = openUntil(onTestFinished, openDatabase(outside.href, 1), (pool) => pool.end({ timeout: 5 }));
  const role = `test_${randomBytes(6).toString("hex")}`;
  await admin.unsafe(`create role ${role} login password 'right'`);
  onTestFinished(async () => void (await admin.unsafe(`drop role ${role}`)));
  const { url } = openUntil(onTestFinished, await createTestDatabase());
  const address = new URL(url);
  const name = address.pathname.slice(1);
  await admin.unsafe(`revoke connect on database ${name} from public; grant connect on database ${name} to ${role}`);
  [address.username, address.password] = [role, "right"];
  return { admin, role, name, url: address.href };
}

interface Own {
  readonly role: string;
  readonly name: string;
}
const REFUSALS: readonly [how: string, refuse: (own: Own) => string, accept: (own: Own) => string][] = [
  [
    "the password",
    ({ role }) => `alter role ${role} password 'other'`,
    ({ role }) => `alter role ${role} password 'right'`,
  ],
  ["the role", ({ role }) => `alter role ${role} nologin`, ({ role }) => `alter role ${role} login`],
  [
    "the role in this database",
    ({ role, name }) => `revoke connect on database ${name} from ${role}`,
    ({ role, name }) => `grant connect on database ${name} to ${role}`,
  ],
  [
    "any connection to this database",
    ({ name }) => `alter database ${name} allow_connections false`,
    ({ name }) => `alter database ${name} allow_connections true`,
  ],
  [
    "a database of this name",
    ({ name }) => `alter database ${name} rename to ${name}_old`,
    ({ name }) => `alter database ${name}_old rename to ${name}`,
  ],
];

// kept: Doors | A database that refused the password was reported as silent, and each call as an internal error with a stack trace | failed on the old code
test.each(REFUSALS)(
  "a database that refuses %s is named in calls, health and one log line, and used again",
  async (_how, refuse, accept) => {
    const own = await openOwn();
    const sql = openUntil(onTestFinished, openDatabase(own.url, 2), (pool) => pool.end({ timeout: 1 }));
    const lines: { msg: string; err?: unknown }[] = [];
    const watch = new DatabaseWatch(sql, pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }));
    const health = () =>
      readHealth({
        database: watch,
        broker: () => ({ isUp: true, isStoring: true }),
        freeBytes: async () => 5e9,
        warnings: async () => {
          await sql`select 1`;
          return [];
        },
      });
    const call = () =>
      sql`select 1`.then(
        () => "answered",
        (error: unknown) => toRefusal("user.v1.UserService/GetUser", error, watch.noteFailure).message,
      );
    expect([await call(), (await health()).reasons]).toEqual(["answered", []]);

    await own.admin`select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = ${own.role}`;
    await own.admin.unsafe(refuse(own));
    await expect.poll(call).toMatch("refuses this server");
    for (let i = 0; i < 3; i++)
      expect(await call()).toBe(
        "[unavailable] The database refuses this server. Its operator finds the reason in the log.",
      );
    expect(await health()).toMatchObject({ status: "degraded", database: false, reasons: [REASON] });

    await own.admin.unsafe(accept(own));
    await expect.poll(call).toBe("answered");
    expect(await health()).toMatchObject({ status: "ok", database: true, reasons: [] });
    expect(lines.filter(({ msg }) => msg.startsWith("the database refuses our connections: "))).toHaveLength(1);
    expect(lines.at(-1)?.msg).toBe("the database accepts our connections again");
    expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
  },
);
