import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { EventSchema, ScanQrResponseSchema } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { answered, begun, inPages, outcomeOf, refusalOf, type Scan } from "./scans.ts";

const at = timestampFromDate(new Date(2026, 4, 1, 21, 41));
const night = create(EventSchema, {
  startsAt: timestampFromDate(new Date(2026, 4, 1, 20)),
  endsAt: timestampFromDate(new Date(2026, 4, 2, 2)),
});
const answer = (fields: object) =>
  outcomeOf(create(ScanQrResponseSchema, { userName: "Bea", checkedInAt: at, checkedInBy: "Dora", ...fields }), night);

test("shows who came in, and time and staff of the first scan on a second one", () => {
  expect(answer({ success: true })).toEqual({ state: "in", name: "Bea", detail: "at 9:41 PM by Dora" });
  expect(answer({ alreadyCheckedIn: true })).toEqual({ state: "again", name: "Bea", detail: "at 9:41 PM by Dora" });
  expect(answer({ alreadyCheckedIn: true, checkedInBy: "" }).detail).toBe("at 9:41 PM");
  expect(answer({ success: true, registration: "registered" }).detail).toBe("at 9:41 PM by Dora · Registered");
});

test.each([
  ["not_registered", "Not registered for this event."],
  ["waiting", "On the waiting list: has no place yet."],
  ["full", "The house is full: all 80 places are taken."],
  ["early", "Doors open at May 1, 2026, 6:00 PM."],
  ["late", "Doors closed at May 2, 2026, 2:00 AM."],
  ["something newer", "Not checked in"],
])(
  "says of a refusal for %s what stands against it, and that the person can be let in all the same",
  (refusal, said) => {
    const refused = answer({ refusal, places: 80 });
    expect(refused).toEqual({ state: "refused", name: "Bea", detail: said, canAdmit: true });
  },
);

test("shows check-in and door times by the event's clock", () => {
  const inTokyo = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}:00+09:00`));
  const abroad = { ...night, startsAt: inTokyo("20:00"), timeZone: "Asia/Tokyo" };
  const said = (fields: object) => outcomeOf(create(ScanQrResponseSchema, fields), abroad).detail;
  expect(said({ success: true, checkedInAt: inTokyo("21:41") })).toBe("at 9:41 PM");
  expect(said({ refusal: "early" })).toBe("Doors open at May 1, 2026, 6:00 PM.");
});

test("shows the reason of a rejection as a sentence without an error code", () => {
  const error = new ConnectError("Only a part of the code was read: scan it again", Code.InvalidArgument);
  expect(refusalOf(error)).toEqual({
    state: "refused",
    name: "",
    detail: "Only a part of the code was read: scan it again.",
  });
});

test("assigns a late response to its own scan", () => {
  let scans: readonly Scan[] = begun(begun([], 1, "A"), 2, "B");
  scans = answered(scans, 1, { state: "in", name: "Bea", detail: "" });
  expect(scans.map(({ id, state }) => [id, state])).toEqual([
    [2, "waiting"],
    [1, "in"],
  ]);
});

test("keeps the newest scans, and drops a response to an older one", () => {
  let scans: readonly Scan[] = [];
  for (let id = 1; id <= 20; id++) scans = begun(scans, id, "A");
  expect(scans.map(({ id }) => id)).toEqual([20, 19, 18, 17, 16, 15]);
  expect(answered(scans, 1, { state: "in", name: "", detail: "" })).toEqual(scans);
});

test("fills sheets with codes; only the last one may be partial, none is empty", () => {
  const of = (rows: number) => inPages(Array.from({ length: rows }), 24).map(({ length }) => length);
  expect([of(0), of(1), of(24), of(25), of(200)]).toEqual([[], [1], [24], [24, 1], [...Array(8).fill(24), 8]]);
});
