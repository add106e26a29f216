import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AttendeeCodeSchema, CheckInSchema } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { attendeesOf, countsOf } from "./attendees.ts";

const NOW = new Date(2026, 4, 1, 19).getTime();
const code = (userId: string, registration: string, inAt?: number) =>
  create(AttendeeCodeSchema, {
    userId,
    userName: `Name ${userId}`,
    code: `CODE ${userId}`,
    registration,
    ...(inAt !== undefined && { checkedInAt: timestampFromMs(inAt) }),
  });
const came = (userId: string, at: number, admitted = "") =>
  create(CheckInSchema, { userId, userName: `Name ${userId}`, checkedInAt: timestampFromMs(at), admitted });
const scan = (userId: string) => ({ id: userId, code: `CODE ${userId}`, name: "", scannedAtMs: NOW, admit: false });
const loaded = (...codes: ReturnType<typeof code>[]) => ({ codes, askedAtMs: 100 });
const states = (rows: ReturnType<typeof attendeesOf>) =>
  Object.fromEntries(rows.map(({ userId, state }) => [userId, state]));

test("merges loaded codes with newer check-ins, undone check-ins and scans that are not yet synced", () => {
  const codes = loaded(
    code("a", "registered"),
    code("b", "registered"),
    code("c", "registered", NOW - 5000),
    code("d", "registered", NOW - 90_000),
    code("e", "waiting"),
  );
  // c was undone since; d is earlier than the newest check-ins, which do not reach back to it.
  const recent = {
    checkIns: [came("x", NOW, "not_registered"), came("a", NOW - 9000)],
    isWhole: false,
    askedAtMs: 200,
  };
  const rows = attendeesOf(codes, recent, [scan("b"), scan("a")]);
  expect(states(rows)).toEqual({ a: "in", b: "unsettled", c: "missing", d: "in", e: "missing", x: "in" });
  // Expected: a, b, c and d, and x who came without a place. e waits.
  expect(countsOf(rows)).toEqual({ here: 4, expected: 5 });
});

test("uses the codes alone where they are newer than the check-ins", () => {
  const recent = { checkIns: [came("a", NOW)], isWhole: true, askedAtMs: 50 };
  expect(states(attendeesOf(loaded(code("a", ""), code("b", "", NOW)), recent, []))).toEqual({ a: "missing", b: "in" });
});

test("treats a loaded check-in as undone if it is not among all check-ins", () => {
  const recent = { checkIns: [], isWhole: true, askedAtMs: 200 };
  expect(states(attendeesOf(loaded(code("a", "", NOW)), recent, []))).toEqual({ a: "missing" });
});
