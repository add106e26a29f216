import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer({ connections: 10 }));
const admin = await server.person("Ada", ["Admin"]);

type Person = { readonly id: string; readonly token: string };
const gold = (method: string, body: object, token: string) =>
  server.call(`accounting.v1.AccountingService/${method}`, body, token);
const send = (from: Person, fields: object) =>
  gold("SendGold", { idempotencyKey: randomUUID(), amount: 1, ...fields }, from.token);
const balance = async ({ token }: Person) => Number((await gold("GetBalance", {}, token)).body.balance ?? 0);

async function person(name: string, amount = 0): Promise<Person> {
  const one = await server.person(name);
  const grant = { toUserId: one.id, amount, idempotencyKey: randomUUID() };
  if (amount > 0) await gold("ProcessTransaction", grant, admin.token);
  return one;
}

test("a member sends their own gold, and both users read it with its reason", async () => {
  const [bea, cy] = [await person("Bea", 10), await person("Cy")];
  const { body } = await send(bea, { toUserId: cy.id, amount: 4, reason: "Cake" });
  expect(body).toMatchObject({
    balance: "6",
    transaction: { kind: "TRANSACTION_KIND_TRANSFER", fromName: "Bea", toName: "Cy", amount: "4", reason: "Cake" },
  });
  expect([await balance(bea), await balance(cy)]).toEqual([6, 4]);
  const listed = (await gold("ListTransactions", {}, cy.token)).body.transactions;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([body.transaction.id]);
});

test("of twenty simultaneous sends with gold for three, three succeed", async () => {
  const [bea, cy] = [await person("Bea", 3), await person("Cy")];
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(bea, { toUserId: cy.id })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  const refused = answers.filter(({ code }) => code === "failed_precondition");
  expect([refused.length, refused[0]?.body.message]).toEqual([17, "amount: you have 0 gold, which is less than 1"]);
  expect([await balance(bea), await balance(cy)]).toEqual([0, 3]);
});

test("two users who send to each other simultaneously do not deadlock", async () => {
  const [bea, cy] = [await person("Bea", 20), await person("Cy", 20)];
  const both = Array.from({ length: 10 }, () => [send(bea, { toUserId: cy.id }), send(cy, { toUserId: bea.id })]);
  const answers = await Promise.all(both.flat());
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect([await balance(bea), await balance(cy)]).toEqual([20, 20]);
});

test("the same key moves gold once, also with simultaneous requests and with an empty balance", async () => {
  const [bea, cy] = [await person("Bea", 5), await person("Cy")];
  const request = { toUserId: cy.id, amount: 5, idempotencyKey: "one" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(bea, request)));
  expect(new Set(answers.map(({ body }) => body.transaction?.id)).size).toBe(1);
  expect([await balance(bea), await balance(cy)]).toEqual([0, 5]);
  const other = await send(bea, { ...request, amount: 4 });
  expect([other.code, other.body.message]).toEqual(["already_exists", expect.stringContaining("make a new key")]);
});

test("a key used by another user is free", async () => {
  const [bea, cy] = [await person("Bea", 5), await person("Cy", 5)];
  const answers = [
    await send(bea, { toUserId: cy.id, idempotencyKey: "two" }),
    await send(cy, { toUserId: bea.id, idempotencyKey: "two" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test("limits sends to twenty per user and hour, also with simultaneous requests, and allows more an hour later", async () => {
  const [bea, cy] = [await person("Bea", 100), await person("Cy")];
  const answers = await Promise.all(Array.from({ length: 30 }, () => send(bea, { toUserId: cy.id })));
  const refused = answers.filter(({ code }) => code === "resource_exhausted");
  expect([refused.length, await balance(bea)]).toEqual([10, 80]);
  expect(refused[0]!.body.message).toBe("You have sent gold 20 times within an hour. Try again in 60 minutes.");
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(3500);
  expect(refused[0]!.headers.get("ratelimit-remaining")).toBe("0");
  // Transfers that an Admin made for them do not count.
  const move = { fromUserId: bea.id, toUserId: cy.id, amount: 1, idempotencyKey: randomUUID() };
  expect((await gold("ProcessTransaction", move, admin.token)).status).toBe(200);
  await makeOlder(bea, "61 minutes");
  expect((await send(bea, { toUserId: cy.id })).status).toBe(200);
});

test("limits sends to two thousand pieces per user and day, and reports the rest", async () => {
  const [bea, cy] = [await person("Bea", 5000), await person("Cy")];
  expect((await send(bea, { toUserId: cy.id, amount: 1000 })).status).toBe(200);
  expect((await send(bea, { toUserId: cy.id, amount: 900 })).status).toBe(200);
  const { code, body } = await send(bea, { toUserId: cy.id, amount: 101 });
  expect(code).toBe("resource_exhausted");
  expect(body.message).toBe(
    "2000 gold may be sent within a day, and you have 100 of it left. Send less, or try again in 24 hours.",
  );
  expect((await send(bea, { toUserId: cy.id, amount: 100 })).status).toBe(200);
  await makeOlder(bea, "25 hours");
  expect((await send(bea, { toUserId: cy.id, amount: 1000 })).status).toBe(200);
});

/** Makes transactions older, with the trigger that makes the ledger immutable disabled. */
async function makeOlder({ id }: Person, age: string) {
  await server.sql.begin(async (tx) => {
    await tx`alter table gold_transactions disable trigger user`;
    await tx`update gold_transactions set created_at = created_at - ${age}::interval where from_account = ${id}`;
    await tx`alter table gold_transactions enable trigger user`;
  });
}

test.each([
  [{ toUserId: "ME" }, "invalid_argument"],
  [{ toUserId: "mint" }, "not_found"],
  [{ toUserId: "missing" }, "not_found"],
  [{ toUserId: "" }, "invalid_argument"],
  [{ amount: 0 }, "invalid_argument"],
  [{ amount: -1 }, "invalid_argument"],
  [{ amount: 1001 }, "invalid_argument"],
  [{ amount: 1.5 }, "invalid_argument"],
  [{ reason: "x".repeat(201) }, "invalid_argument"],
  [{ reason: "\0" }, "invalid_argument"],
  [{ idempotencyKey: "" }, "invalid_argument"],
])("refuses %j and moves nothing", async (fields, code) => {
  const [bea, cy] = [await person("Bea", 2000), await person("Cy")];
  const request = { toUserId: cy.id, ...fields };
  const answer = await send(bea, request.toUserId === "ME" ? { ...request, toUserId: bea.id } : request);
  expect([answer.code, await balance(bea), await balance(cy)]).toEqual([code, 2000, 0]);
});

test("treats a deleted recipient like an unknown one", async () => {
  const [bea, deleted] = [await person("Bea", 2), await person("Lea")];
  await server.call("user.v1.UserService/DeleteUser", { userId: deleted.id }, admin.token);
  const answers = [await send(bea, { toUserId: deleted.id }), await send(bea, { toUserId: "missing" })];
  const said = answers.map(({ code, body }) => `${code} ${body.message}`);
  expect(said).toEqual(Array(2).fill("not_found toUserId: this person is not here. Choose another one."));
  expect(await balance(bea)).toBe(2);
});
