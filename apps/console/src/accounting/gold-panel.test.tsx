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
import { UserService } from "@followspot/contract/user";
import { act } from "react";
import { beforeEach, expect, test } from "vitest";
import { button, eventually, press, show, type } from "../testing/show.tsx";
import { GoldPanel } from "./gold-panel.tsx";

/** A ledger that answers as ours does: a key once, never below zero. */
let asked: ProcessTransactionRequest[];
let ledger: Transaction[];
let balance: bigint;
let byKey: Map<string, Transaction>;
/** The answer of the next transaction gets lost on its way. */
let losesAnswer: boolean;
/** The balance cannot be read. */
let hidesBalance: boolean;

beforeEach(() => {
  asked = [];
  ledger = [];
  balance = 0n;
  byKey = new Map();
  losesAnswer = false;
  hidesBalance = false;
});

function process(request: ProcessTransactionRequest): Transaction {
  asked.push(request);
  const known = byKey.get(request.idempotencyKey);
  if (known && known.amount !== request.amount) throw new ConnectError("another transaction", Code.AlreadyExists);
  if (known) return known;
  const first = ledger.find(({ id }) => id === request.refundOf);
  const amount = first?.amount ?? request.amount;
  const isGain = first ? first.toUserId !== "bea" : request.toUserId === "bea";
  if (request.toUserId === "deleted")
    throw new ConnectError("toUserId: Beth Old is deleted. Restore this person first.", Code.FailedPrecondition);
  if (!isGain && balance < amount) throw new ConnectError(`amount: Bea has ${balance} gold`, Code.FailedPrecondition);
  balance += isGain ? amount : -amount;
  const id = `t${ledger.length}`;
  const { kind, reason, refundOf } = request;
  const made = create(TransactionSchema, {
    ...{ id, kind, amount, reason, refundOf },
    toUserId: isGain ? "bea" : first ? first.fromUserId : request.toUserId,
    fromUserId: isGain ? (first ? first.toUserId : request.fromUserId) : "bea",
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

const PEOPLE = [
  { id: "bea", name: "Bea" },
  { id: "cy", name: "Beau Cy", email: "cy@example.org" },
  { id: "deleted", name: "Beth Old" },
];

const open = (isDeleted = false, roles: readonly string[] = ["Admin"]) =>
  show(<GoldPanel holder={{ id: "bea", name: "Bea", isDeleted }} />, {
    roles,
    routes: (router) => {
      router.service(UserService, {
        listUsers: ({ list }) => ({ users: PEOPLE.filter(({ name }) => name.includes(list?.query ?? "")) }),
      });
      router.service(AccountingService, {
        getBalance: () => {
          if (hidesBalance) throw new ConnectError("the database is not reachable", Code.Unavailable);
          return { balance };
        },
        getStats: () => ({ totalGold: balance, accountCount: 1n }),
        listTransactions: () => ({ transactions: ledger }),
        processTransaction: (request) => ({ transaction: process(request) }),
      });
    },
  });

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

test("says what a person has and what they will have, and grants it", async () => {
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

test("moves nothing while the balance is not known, and reads it when asked again", async () => {
  balance = 7n;
  hidesBalance = true;
  await open();
  await isHere("The balance could not be read. The database is not reachable.");
  for (const label of ["Grant", "Spend", "Transfer"]) expect(button(label).disabled).toBe(true);
  hidesBalance = false;
  await press("Read balance");
  await eventually(() => expect(button("Grant").disabled).toBe(false));
  expect(text()).not.toContain("could not be read");
});

test("moves gold once when the answer gets lost and the button is pressed again", async () => {
  await open();
  losesAnswer = true;
  await grant("100");
  await press("Grant 100 gold");
  await isHere("the server cannot be reached");
  await press("Grant 100 gold");
  await eventually(() => expect(document.querySelector("[role=dialog]")).toBeNull());
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
    await eventually(() => expect(document.querySelector("[role=dialog]")).toBeNull());
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

/** Opens the transfer and looks for people; chooses the one of this name, if it is given. */
async function transfer(amount: string, name?: string) {
  await eventually(() => expect(button("Transfer").disabled).toBe(false));
  await press("Transfer");
  await type(document.querySelector<HTMLInputElement>("input[type=search]")!, "Be");
  if (name) await choosePerson(name);
  await type(field("Amount *"), amount);
}
async function choosePerson(name: string) {
  const found = () =>
    [...document.querySelectorAll<HTMLElement>("li button")].find((each) => each.textContent?.includes(name));
  await eventually(() => expect(found()).toBeDefined());
  await act(async () => found()!.click());
}

test("transfers gold to a person chosen by name, after saying who will have what", async () => {
  balance = 100n;
  await open();
  await transfer("30", "Beau Cy");
  await type(field("Reason"), "For the fog");
  expect(text()).toContain("cy@example.org");
  expect(text()).toContain("Bea gives 30 gold to Beau Cy and will have 70 gold.");
  await press("Transfer 30 gold");
  await eventually(() => expect(balance).toBe(70n));
  expect(asked).toMatchObject([
    { kind: TransactionKind.TRANSFER, fromUserId: "bea", toUserId: "cy", amount: 30n, reason: "For the fog" },
  ]);
  await isHere("−30");
});

test("transfers nothing without a receiver, and offers no person their own gold", async () => {
  balance = 100n;
  await open();
  await transfer("30");
  await isHere("Beau Cy");
  const offered = [...document.querySelectorAll("li button")].map(({ textContent }) => textContent);
  expect(offered).toEqual(["Beau Cycy@example.org", "Beth Old"]);
  await press("Transfer 30 gold");
  await isHere("Choose who gets the gold");
  expect(asked).toEqual([]);
});

test("transfers once when the answer gets lost and the button is pressed again", async () => {
  balance = 100n;
  await open();
  losesAnswer = true;
  await transfer("30", "Beau Cy");
  await press("Transfer 30 gold");
  await isHere("the server cannot be reached");
  await press("Transfer 30 gold");
  await eventually(() => expect(document.querySelector("[role=dialog]")).toBeNull());
  expect([asked.length, new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size, balance]).toEqual([2, 1, 70n]);
});

test("shows what the server refuses under the field it is about, and takes another choice", async () => {
  balance = 100n;
  await open();
  await transfer("30", "Beth Old");
  await press("Transfer 30 gold");
  await isHere("Beth Old is deleted. Restore this person first.");
  expect(text()).not.toContain("to_user_id");
  await press("Change");
  await type(document.querySelector<HTMLInputElement>("input[type=search]")!, "Be");
  await choosePerson("Beau Cy");
  expect(text()).not.toContain("Beth Old is deleted");
  balance = 10n; // spent elsewhere meanwhile
  await press("Transfer 30 gold");
  await isHere("Bea has 10 gold");
  expect(field("Amount *").getAttribute("aria-invalid")).toBe("true");
  await type(field("Amount *"), "5");
  expect(text()).not.toContain("Bea has 10 gold");
  await press("Transfer 5 gold");
  await eventually(() => expect(balance).toBe(5n));
});

test("takes a transaction back after asking, and once", async () => {
  await open();
  await grant("30");
  await press("Grant 30 gold");
  await isHere("+30");
  await press("Refund");
  await isHere("Take 30 gold back from a purged person for the mint?");
  const confirm = [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].at(-1)!;
  confirm.click();
  await isHere("Refunded");
  await eventually(() => expect(document.querySelector("[role=alertdialog]")).toBeNull());
  expect(balance).toBe(0n);
  expect(() => button("Refund")).toThrow("there is no button");
});

test.each([
  ["whom no one may give to because they are deleted", true, ["Admin"]],
  ["to a role that may not move gold", false, ["Director"]],
] as const)("offers nothing for a person %s", async (_case, isDeleted, roles) => {
  balance = 5n;
  await open(isDeleted, roles);
  await isHere("5 gold");
  for (const label of ["Grant", "Spend", "Transfer"]) expect(() => button(label)).toThrow("there is no button");
});
