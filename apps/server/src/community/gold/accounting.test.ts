import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);

const gold = (method: string, body: object = {}, token = admin.token) =>
  server.call(`accounting.v1.AccountingService/${method}`, body, token);
const users = (method: string, userId: string) => server.call(`user.v1.UserService/${method}`, { userId }, admin.token);
/** Processes a transaction with a new idempotency key unless one is given. */
const move = (fields: object) => gold("ProcessTransaction", { idempotencyKey: randomUUID(), ...fields });
const grant = (toUserId: string, amount: number) => move({ toUserId, amount });
const balance = async (userId: string) => Number((await gold("GetBalance", { userId })).body.balance ?? 0);
const listed = async (userId: string, more: object = {}) =>
  (await gold("ListTransactions", { userId, ...more })).body.transactions ?? [];

/** Checks every invariant of the ledger against its tables. */
async function expectExact() {
  const [sums] = await server.sql`
    select (select coalesce(sum(amount), 0)::text from gold_postings) as postings,
      (select count(*)::int from gold_accounts a where balance <>
        (select coalesce(sum(amount), 0) from gold_postings where account_id = a.id)) as wrong_balances,
      (select count(*)::int from gold_transactions t where 2 <>
        (select count(*) from gold_postings p where p.transaction_id = t.id and abs(p.amount) = t.amount)) as half_posted,
      (select count(*)::int from gold_accounts where kind = 'person' and balance < 0) as negative`;
  expect(sums).toEqual({ postings: "0", wrong_balances: 0, half_posted: 0, negative: 0 });
}

test("grants, transfers, spends and refunds, and returns each transaction", async () => {
  const [bea, cy] = [await server.person("Bea"), await server.person("Cy")];
  const granted = (await move({ toUserId: bea.id, amount: 100, reason: "Prize" })).body.transaction;
  expect(granted).toMatchObject({
    kind: "TRANSACTION_KIND_GRANT",
    toUserId: bea.id,
    toName: "Bea",
    amount: "100",
    reason: "Prize",
  });
  expect(granted.fromUserId).toBeUndefined();
  await move({ fromUserId: bea.id, toUserId: cy.id, amount: 30 });
  const spent = (await move({ fromUserId: cy.id, amount: 20, kind: "TRANSACTION_KIND_SPEND" })).body.transaction;
  expect([await balance(bea.id), await balance(cy.id)]).toEqual([70, 10]);
  const refunded = (await move({ refundOf: spent.id })).body.transaction;
  expect(refunded).toMatchObject({
    kind: "TRANSACTION_KIND_REFUND",
    toUserId: cy.id,
    amount: "20",
    refundOf: spent.id,
  });
  expect(await balance(cy.id)).toBe(30);
  expect((await listed(cy.id)).map(({ kind }: Wire) => kind.slice(17))).toEqual(["REFUND", "SPEND", "TRANSFER"]);
  expect((await listed(cy.id))[1].refundedBy).toBe(refunded.id);
  await expectExact();
});

test("processes a key once, also with repeated and simultaneous requests", async () => {
  const { id } = await server.person("Di");
  await grant(id, 10);
  const spend = { fromUserId: id, amount: 10, reason: "Drink", idempotencyKey: randomUUID() };
  const answers = await Promise.all(Array.from({ length: 20 }, () => gold("ProcessTransaction", spend)));
  // The first request reduced the balance to 0; the others get its response anyway.
  expect(new Set(answers.map(({ body }) => body.transaction?.id)).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect([await balance(id), (await listed(id)).length]).toEqual([0, 2]);
});

test("rejects a key used for a different transaction, also with simultaneous requests", async () => {
  const [a, b] = [await server.person("A"), await server.person("B")];
  const key = randomUUID();
  const answers = await Promise.all(
    [a.id, b.id].map((toUserId) => gold("ProcessTransaction", { toUserId, amount: 5, idempotencyKey: key })),
  );
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["already_exists", undefined]);
  expect((await balance(a.id)) + (await balance(b.id))).toBe(5);
  for (const other of [{ amount: 6 }, { amount: 5, reason: "else" }, { amount: 5, toUserId: "", fromUserId: a.id }]) {
    const { code, body } = await gold("ProcessTransaction", { toUserId: a.id, idempotencyKey: key, ...other });
    expect([code, body.message]).toEqual(["already_exists", expect.stringContaining("make a new key")]);
  }
});

test("never lets a balance go below zero, also with a hundred simultaneous requests", async () => {
  const { id } = await server.person("Eve");
  await grant(id, 70);
  const answers = await Promise.all(Array.from({ length: 100 }, () => move({ fromUserId: id, amount: 1 })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(70);
  const refused = answers.filter(({ code }) => code === "failed_precondition");
  expect(refused).toHaveLength(30);
  expect(refused[0]?.body.message).toBe("amount: Eve has 0 gold, which is less than 1");
  expect(await balance(id)).toBe(0);
  await expectExact();
});

test("opens one account for a user who gets their first gold from a hundred simultaneous grants", async () => {
  const { id } = await server.person("New");
  const answers = await Promise.all(Array.from({ length: 100 }, () => grant(id, 3)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await balance(id)).toBe(300);
  await expectExact();
});

test("stays exact through a thousand random transactions, many of them repeated", async () => {
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => server.person(`P${i}`)));
  // A fixed seed makes the test repeatable.
  let state = 12345;
  const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const pick = () => people[random(people.length)]!.id;
  const known: string[] = [];
  const requests = Array.from({ length: 1000 }, () => {
    const amount = 1 + random(50);
    const kind = random(10);
    const fields =
      kind < 4 ? { toUserId: pick() } : kind < 7 ? { fromUserId: pick(), toUserId: pick() } : { fromUserId: pick() };
    return { ...fields, amount, idempotencyKey: randomUUID() };
  });
  let next = 0;
  const caller = async () => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const isRefund = known.length > 0 && random(8) === 0;
      const refund = { refundOf: known[random(known.length)], idempotencyKey: request.idempotencyKey };
      const { code, body } = await gold("ProcessTransaction", isRefund ? refund : request);
      if (body.transaction) known.push(body.transaction.id);
      else expect(["failed_precondition", "already_exists", "invalid_argument"]).toContain(code);
      if (random(5) === 0) await gold("ProcessTransaction", isRefund ? refund : request);
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  expect(known.length).toBeGreaterThan(400);
  expect(server.failures).toEqual([]);
  await expectExact();
});

describe("a refund", () => {
  test("happens once for simultaneous requests", async () => {
    const { id } = await server.person("Fay");
    const { transaction } = (await grant(id, 40)).body;
    await grant(id, 40);
    const answers = await Promise.all(Array.from({ length: 10 }, () => move({ refundOf: transaction.id })));
    expect(answers.map(({ code }) => code).toSorted()).toEqual([...Array(9).fill("already_exists"), undefined]);
    expect(await balance(id)).toBe(40);
    const { code, body } = await move({ refundOf: transaction.id });
    expect([code, body.message]).toEqual(["already_exists", "refundOf: this transaction was refunded before"]);
  });

  test("takes back no more than the balance, and never a refund", async () => {
    const { id } = await server.person("Gus");
    const granted = (await grant(id, 40)).body.transaction;
    const spent = (await move({ fromUserId: id, amount: 15 })).body.transaction;
    const { code, body } = await move({ refundOf: granted.id });
    expect([code, body.message]).toEqual(["failed_precondition", "refundOf: Gus has 25 gold, which is less than 40"]);
    const refund = (await move({ refundOf: spent.id, amount: 15 })).body.transaction;
    expect((await move({ refundOf: refund.id })).code).toBe("invalid_argument");
    expect((await move({ refundOf: "missing" })).code).toBe("not_found");
  });

  test("with the same key returns the same response after the refund", async () => {
    const { id } = await server.person("Hal");
    const { transaction } = (await grant(id, 4)).body;
    const request = { refundOf: transaction.id, idempotencyKey: "refund once" };
    const first = await gold("ProcessTransaction", request);
    expect((await gold("ProcessTransaction", request)).body).toEqual(first.body);
  });
});

describe("refuses", () => {
  test.each([
    [{}, "invalid_argument"],
    [{ toUserId: "ME" }, "invalid_argument"],
    [{ toUserId: "ME", amount: 0 }, "invalid_argument"],
    [{ toUserId: "ME", amount: -5 }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1.5 }, "invalid_argument"],
    [{ toUserId: "ME", amount: "9223372036854775808" }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1_000_000_001 }, "invalid_argument"],
    [{ toUserId: "ME", fromUserId: "ME", amount: 1 }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1, kind: "TRANSACTION_KIND_SPEND" }, "invalid_argument"],
    [{ fromUserId: "ME", amount: 1, kind: "TRANSACTION_KIND_TRANSFER" }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1, kind: 9 }, "invalid_argument"],
    [{ amount: 1, kind: "TRANSACTION_KIND_REFUND" }, "invalid_argument"],
    [{ refundOf: "x", kind: "TRANSACTION_KIND_GRANT" }, "invalid_argument"],
    [{ refundOf: "x", toUserId: "ME" }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1, reason: "x".repeat(501) }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1, reason: "\0" }, "invalid_argument"],
    [{ toUserId: "ME", amount: 1, idempotencyKey: "" }, "invalid_argument"],
    [{ toUserId: "missing", amount: 1 }, "not_found"],
    [{ toUserId: "mint", amount: 1 }, "not_found"],
    [{ fromUserId: "mint", toUserId: "ME", amount: 1 }, "not_found"],
  ])("%j", async (fields, code) => {
    const me = JSON.parse(JSON.stringify(fields).replaceAll('"ME"', `"${admin.id}"`)) as object;
    const before = await server.sql`select count(*)::int as n from gold_transactions`;
    expect((await move(me)).code).toBe(code);
    expect(await server.sql`select count(*)::int as n from gold_transactions`).toEqual(before);
  });

  test("deleted users as sender and recipient, with a reason", async () => {
    const [deleted, here] = [await server.person("Lea"), await server.person("Here")];
    const { transaction } = (await grant(deleted.id, 10)).body;
    await users("DeleteUser", deleted.id);
    const requests = [
      ["toUserId", { toUserId: deleted.id, amount: 1 }],
      ["fromUserId", { fromUserId: deleted.id, toUserId: here.id, amount: 1 }],
      ["toUserId", { fromUserId: here.id, toUserId: deleted.id, amount: 1 }],
      ["refundOf", { refundOf: transaction.id }],
    ] as const;
    await grant(here.id, 1);
    for (const [field, fields] of requests) {
      const { code, body } = await move(fields);
      expect([code, body.message]).toEqual([
        "failed_precondition",
        `${field}: Lea is deleted. Restore this person before gold is moved.`,
      ]);
    }
    expect(await balance(deleted.id)).toBe(10);
  });

  test("amounts that no account can hold", async () => {
    const { id } = await server.person("Rich");
    await grant(id, 1);
    // A transaction of that size would be rejected: the state is set by hand and reverted.
    await server.sql`update gold_accounts set balance = 9007199254740990 where id = ${id}`;
    expect((await grant(id, 1)).status).toBe(200);
    const { code, body } = await grant(id, 1);
    expect([code, body.message]).toEqual(["failed_precondition", expect.stringContaining("would pass the limit")]);
    await server.sql`update gold_accounts set balance = 2 where id = ${id}`;
    await expectExact();
  });
});

describe("the tables", () => {
  test("reject postings that do not add up, and any change of stored ones", async () => {
    const { id } = await server.person("Ida");
    const { transaction } = (await grant(id, 10)).body;
    const { sql } = server;
    const other = await server.person("Jo");
    await grant(other.id, 1);
    await expect(sql`insert into gold_postings values (${transaction.id}, ${other.id}, 5)`.execute()).rejects.toThrow(
      "do not add up to 0",
    );
    await expect(sql`update gold_postings set amount = 1`.execute()).rejects.toThrow("never changed");
    await expect(sql`delete from gold_postings`.execute()).rejects.toThrow("never changed");
    await expect(sql`truncate gold_postings`.execute()).rejects.toThrow("never changed");
    await expect(sql`update gold_transactions set amount = 1`.execute()).rejects.toThrow("never changed");
    await expect(sql`delete from gold_transactions`.execute()).rejects.toThrow("never changed");
    await expect(sql`update gold_accounts set balance = -1 where id = ${id}`.execute()).rejects.toThrow(
      "gold_never_negative",
    );
    await expectExact();
  });
});

describe("a purged user", () => {
  test("leaves a balanced ledger without their reasons", async () => {
    const [kim, lou] = [await server.person("Kim"), await server.person("Lou")];
    await move({ toUserId: kim.id, amount: 50, reason: "For Kim, who sang" });
    await move({ fromUserId: kim.id, toUserId: lou.id, amount: 20, reason: "From Kim" });
    await users("DeleteUser", kim.id);
    expect((await users("PurgeUser", kim.id)).status).toBe(200);
    await expectExact();
    expect(await server.sql`select 1 from gold_transactions where reason like '%Kim%'`).toHaveLength(0);
    const [transfer] = await listed(lou.id);
    expect([transfer.fromUserId, transfer.fromName, transfer.amount]).toEqual([kim.id, undefined, "20"]);
    expect((await move({ refundOf: transfer.id })).code).toBe("not_found");
    expect(await balance(lou.id)).toBe(20);
    const { body } = await gold("GetStats");
    expect(body.ownerlessGold).toBe("30");
  });

  test("who gets gold at the same moment leaves one consistent outcome", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await server.person("Mo");
      await users("DeleteUser", id);
      const answers = await Promise.all([users("PurgeUser", id), grant(id, 5), grant(id, 5)]);
      expect(answers.map(({ code }) => code)).not.toContain("internal");
    }
    expect(server.failures).toEqual([]);
    await expectExact();
  });
});

describe("a member", () => {
  test("sees their own gold only, and cannot probe others", async () => {
    const [nia, other] = [await server.person("Nia"), await server.person("Other")];
    await grant(nia.id, 12);
    expect((await gold("GetBalance", {}, nia.token)).body.balance).toBe("12");
    expect((await gold("GetBalance", { userId: nia.id }, nia.token)).body.balance).toBe("12");
    expect((await gold("ListTransactions", {}, nia.token)).body.transactions).toHaveLength(1);
    for (const userId of [other.id, "missing"]) {
      for (const method of ["GetBalance", "ListTransactions"]) {
        const { code, body } = await gold(method, { userId }, nia.token);
        expect([code, body.message]).toEqual(["permission_denied", "You may only look at your own gold"]);
      }
    }
    expect((await gold("GetBalance", { userId: "missing" })).code).toBe("not_found");
  });

  test("receives their transactions with the new balance, and Admins receive all", async () => {
    const [ola, pia] = [await server.person("Ola"), await server.person("Pia")];
    await grant(ola.id, 9);
    const { transaction } = (await move({ fromUserId: ola.id, toUserId: pia.id, amount: 4 })).body;
    const told = await server.sql<{ body: Wire }[]>`
      select body::jsonb from outbox where body::jsonb->'payload'->>'gold_transaction_id' = ${transaction.id}
      order by seq`;
    expect(told.map(({ body }) => body.topics)).toEqual([["gold"], [`user.${ola.id}`], [`user.${pia.id}`]]);
    expect(told.map(({ body }) => [body.type, body.payload.balance])).toEqual([
      ["gold_transaction.transferred", undefined],
      ["gold_transaction.transferred", "5"],
      ["gold_transaction.transferred", "4"],
    ]);
    const [audit] = await server.sql`select * from audit_log where target = ${`gold_transaction ${transaction.id}`}`;
    expect(audit).toMatchObject({ user_id: admin.id, after: { amount: 4, from_user_id: ola.id, to_user_id: pia.id } });
  });
});

test("lists a user's transactions newest first, in pages, by kind and by reason", async () => {
  const { id } = await server.person("Quin");
  for (let i = 1; i <= 7; i++) await move({ toUserId: id, amount: i, reason: `Round ${i}` });
  await move({ fromUserId: id, amount: 1, reason: "Drink" });
  const seen: string[] = [];
  let pageToken = "";
  do {
    const { body } = await gold("ListTransactions", { userId: id, pageSize: 3, pageToken });
    seen.push(...body.transactions.map(({ reason }: Wire) => reason));
    pageToken = body.nextPageToken ?? "";
  } while (pageToken);
  expect(seen).toEqual(["Drink", ...[7, 6, 5, 4, 3, 2, 1].map((i) => `Round ${i}`)]);
  expect(await listed(id, { list: { filter: "spend" } })).toHaveLength(1);
  expect(await listed(id, { list: { query: "round 4" } })).toHaveLength(1);
  expect((await gold("ListTransactions", { pageToken: "bm9wZQ" })).code).toBe("invalid_argument");
});

test("sums what was granted, transferred, spent and refunded", async () => {
  const before = (await gold("GetStats")).body;
  const [ria, sam] = [await server.person("Ria"), await server.person("Sam")];
  await grant(ria.id, 100);
  const spent = (await move({ fromUserId: ria.id, amount: 30 })).body.transaction;
  await move({ fromUserId: ria.id, toUserId: sam.id, amount: 10 });
  await move({ refundOf: spent.id });
  const after = (await gold("GetStats")).body;
  const grew = (name: string) => Number(after[name] ?? 0) - Number(before[name] ?? 0);
  expect(
    ["totalGold", "transactionCount", "accountCount", "granted", "transferred", "spent", "refunded"].map(grew),
  ).toEqual([100, 4, 2, 100, 10, 30, 30]);
});
