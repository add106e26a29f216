import { afterAll, expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { change, done } from "./change.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { transact } from "./transaction.ts";
import { openUntil } from "../../testing/open-until.ts";

const caller: Caller = { userId: "01ADMIN", name: "Ada", roles: ["Admin"], sessionId: "" };

const { sql } = openUntil(afterAll, await createTestDatabase());
await sql`insert into users (id, name) values ('A', 'Ann'), ('B', 'Bob')`;

test("a change is stored, written to the audit log and published to its topics together, or not at all", async () => {
  const entry = { noun: "user", id: "A", verb: "renamed", before: { name: "Ann" }, after: { name: "Anna" } };
  await change(sql, caller, async (tx) => {
    await tx`update users set name = 'Anna' where id = 'A'`;
    return done(undefined, entry);
  });
  const audits = await sql`select user_id, action, target, before, after from audit_log`;
  expect(audits).toMatchObject([
    { user_id: "01ADMIN", action: "user.renamed", target: "user A", before: entry.before, after: entry.after },
  ]);
  const told = await sql`select subject, body::jsonb from outbox`;
  const body = { type: "user.renamed", topics: ["users", "user.A"], payload: { user_id: "A" } };
  expect(told).toMatchObject([{ subject: "events.user.renamed", body }]);

  const failing = change(sql, caller, async (tx) => {
    await tx`update users set name = 'Changed' where id = 'A'`;
    return done(undefined, { ...entry, noun: "no_such_noun" });
  });
  await expect(failing).rejects.toThrow(RangeError);
  expect(await sql`select name from users where id = 'A'`).toMatchObject([{ name: "Anna" }]);
  expect(await sql`select count(*)::int as rows from audit_log`).toMatchObject([{ rows: 1 }]);
});

// kept: Changes | A retry, a delete and a finished step of one song deadlocked | also
test("two deadlocked transactions both succeed", async () => {
  let arrived = 0;
  const bothHere = Promise.withResolvers<void>();
  const meet = () => (++arrived >= 2 ? bothHere.resolve() : undefined, bothHere.promise);
  let tries = 0;
  const inOrder = (first: string, second: string) =>
    transact(sql, async (tx) => {
      tries++;
      await tx`select 1 from users where id = ${first} for update`;
      await meet();
      await tx`select 1 from users where id = ${second} for update`;
      await tx`update users set bio = bio || ${first} where id in ('A', 'B')`;
    });
  await Promise.all([inOrder("A", "B"), inOrder("B", "A")]);
  expect(tries).toBe(3);
  const [row] = await sql<{ bio: string }[]>`select bio from users where id = 'A'`;
  expect([...row!.bio].toSorted()).toEqual(["A", "B"]);
});

test("a rejected transaction is not retried", async () => {
  let tries = 0;
  const refused = transact(sql, async () => {
    tries++;
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
  expect(tries).toBe(1);
});
