// @vitest-environment jsdom
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  AccountingService,
  TransactionKind,
  TransactionSchema,
  type ProcessTransactionRequest,
  type Transaction,
} from "@followspot/contract/accounting";
import { beforeEach, expect, test } from "vitest";
import { button, eventually, press, show, Surroundings, type } from "../testing/show.tsx";
import { GoldDrawer } from "./gold-drawer.tsx";

/** A ledger that answers as ours does: a key once, never below zero. */
let asked: ProcessTransactionRequest[];
let ledger: Transaction[];
let balance: bigint;
let byKey: Map<string, Transaction>;
/** The answer of the next transaction gets lost on its way. */
let losesAnswer: boolean;

beforeEach(() => {
  asked = [];
  ledger = [];
  balance = 0n;
  byKey = new Map();
  losesAnswer = false;
});

function process(request: ProcessTransactionRequest): Transaction {
  asked.push(request);
  const known = byKey.get(request.idempotencyKey);
  if (known && known.amount !== request.amount) throw new ConnectError("another transaction", Code.AlreadyExists);
  if (known) return known;
  const first = ledger.find(({ id }) => id === request.refundOf);
  const amount = first?.amount ?? request.amount;
  const isGain = first ? first.toUserId === "" : request.toUserId !== "";
  if (!isGain && balance < amount) throw new ConnectError(`Bea has ${balance} gold`, Code.FailedPrecondition);
  balance += isGain ? amount : -amount;
  const id = `t${ledger.length}`;
  const { kind, reason, refundOf } = request;
  const made = create(TransactionSchema, {
    ...{ id, kind, amount, reason, refundOf },
    toUserId: isGain ? "bea" : "",
    fromUserId: isGain ? "" : "bea",
    createdAt: timestampFromMs(Date.now()),
  });
  ledger = [made, ...ledger.map((each) => (each.id === refundOf ? { ...each, refundedBy: id } : each))];
  byKey.set(request.idempotencyKey, made);
  if (losesAnswer) {
    losesAnswer = false;
    throw new ConnectError("the server cannot be reached", Code.Unavailable);
  }
  return made;
}

const open = (isDeleted = false, roles: readonly string[] = ["Admin"]) =>
  show(
    <Surroundings
      roles={roles}
      routes={(router) =>
        router.service(AccountingService, {
          getBalance: () => ({ balance }),
          getStats: () => ({ totalGold: balance, accountCount: 1n }),
          listTransactions: () => ({ transactions: ledger }),
          processTransaction: (request) => ({ transaction: process(request) }),
        })
      }
    >
      <GoldDrawer holder={{ id: "bea", name: "Bea", isDeleted }} onClose={() => undefined} />
    </Surroundings>,
  );

const text = () => document.body.textContent ?? "";
const field = (label: string) =>
  [...document.querySelectorAll("input")].find(
    ({ id }) => document.querySelector(`label[for="${id}"]`)?.textContent === label,
  )!;
const isHere = (claim: string) => eventually(() => expect(text()).toContain(claim));

async function grant(amount: string) {
  await eventually(() => expect(button("Grant").disabled).toBe(false));
  await press("Grant");
  await type(field("Amount *"), amount);
}

test("says what somebody has and what they will have, and grants it", async () => {
  await open();
  await isHere("No gold has been moved yet.");
  await grant("250");
  await type(field("Reason"), " For helping ");
  expect(text()).toContain("Bea will have 250 gold.");
  await press("Grant 250 gold");
  await isHere("+250");
  await isHere("1 account altogether");
  expect(asked).toMatchObject([{ kind: TransactionKind.GRANT, toUserId: "bea", amount: 250n, reason: "For helping" }]);
});

test("moves gold once when the answer gets lost and the button is pressed again", async () => {
  await open();
  losesAnswer = true;
  await grant("100");
  await press("Grant 100 gold");
  await isHere("the server cannot be reached");
  await press("Grant 100 gold");
  await eventually(() => expect(document.querySelectorAll("[role=dialog]")).toHaveLength(1));
  expect([asked.length, new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size, balance]).toEqual([
    2,
    1,
    100n,
  ]);
});

test("says that the first press went through when something else is typed for the second", async () => {
  await open();
  losesAnswer = true;
  await grant("100");
  await press("Grant 100 gold");
  await isHere("the server cannot be reached");
  await type(field("Amount *"), "90");
  await press("Grant 90 gold");
  await isHere("An earlier press of this button went through");
  expect(balance).toBe(100n);
});

test("makes a new key for a new dialog", async () => {
  await open();
  for (const wanted of [1n, 2n]) {
    await grant("1");
    await press("Grant 1 gold");
    await eventually(() => expect(balance).toBe(wanted));
    await eventually(() => expect(document.querySelectorAll("[role=dialog]")).toHaveLength(1));
  }
  expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
});

test("spends no more than there is, and asks the server for nothing then", async () => {
  balance = 20n;
  await open();
  await eventually(() => expect(button("Spend").disabled).toBe(false));
  await press("Spend");
  await type(field("Amount *"), "21");
  await press("Spend gold");
  await isHere("There are only 20 gold");
  expect(asked).toEqual([]);
  await type(field("Amount *"), "20");
  await press("Spend 20 gold");
  await eventually(() => expect(balance).toBe(0n));
  await eventually(() => expect(button("Spend").disabled).toBe(true));
});

test("takes a transaction back after asking, and once", async () => {
  await open();
  await grant("30");
  await press("Grant 30 gold");
  await isHere("+30");
  await press("Refund");
  await isHere("Take 30 gold back from somebody who was purged for the mint?");
  const confirm = [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].at(-1)!;
  confirm.click();
  await isHere("Refunded");
  await eventually(() => expect(document.querySelector("[role=alertdialog]")).toBeNull());
  expect(balance).toBe(0n);
  expect(() => button("Refund")).toThrow("there is no button");
});

test.each([
  ["whom nobody may give to because they are deleted", true, ["Admin"]],
  ["to a role that may not move gold", false, ["Director"]],
] as const)("offers nothing for somebody %s", async (_case, isDeleted, roles) => {
  balance = 5n;
  await open(isDeleted, roles);
  await isHere("5 gold");
  for (const label of ["Grant", "Spend"]) expect(() => button(label)).toThrow("there is no button");
});
