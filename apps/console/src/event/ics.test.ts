import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventSchema, type Event } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { icsOf, type IcsTalk } from "./ics.ts";

const at = (time: string) => timestampFromDate(new Date(time));
const event = (fields: Partial<Event> = {}) =>
  create(EventSchema, {
    id: "01J",
    title: "Night",
    startsAt: at("2026-05-01T20:00:00Z"),
    endsAt: at("2026-05-02T02:00:00Z"),
    createdAt: at("2026-04-01T08:00:00Z"),
    updatedAt: at("2026-04-02T09:30:15.250Z"),
    ...(fields as object),
  });
const noTalks = (): readonly IcsTalk[] => [];

/** Minimal reader of iCalendar files, written from RFC 5545 and independent of the tested code. */
function read(file: string): readonly Readonly<Record<string, string>>[] {
  const rows = file.split("\r\n");
  if (rows.pop() !== "") throw new Error("the last line has no end");
  const lines: string[] = [];
  for (const row of rows) {
    if (/[\r\n]/.test(row)) throw new Error(`a bare line break in ${JSON.stringify(row)}`);
    if (Buffer.byteLength(row) > 75) throw new Error(`${Buffer.byteLength(row)} octets in ${row}`);
    if (/^[ \t]/.test(row)) lines[lines.length - 1] += row.slice(1);
    else lines.push(row);
  }
  if (lines.shift() !== "BEGIN:VCALENDAR" || lines.pop() !== "END:VCALENDAR") throw new Error("no calendar");
  const found: Record<string, string>[] = [];
  let open: Record<string, string> | undefined;
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1)];
    if (line === "BEGIN:VEVENT") open = {};
    else if (line === "END:VEVENT" && open) found.push(open);
    else if (open && name in open) throw new Error(`${name} twice`);
    else if (open) open[name] = value;
  }
  return found;
}
const plain = (value = "") => value.replaceAll(/\\(.)/gs, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign));

test("writes title, times in UTC, location and status", () => {
  const place = { location: "The Wharf", address: "Quay 1; Harbour", lat: 52.5, lng: -13.4 };
  const [only] = read(icsOf([event(place)], noTalks));
  expect(only).toEqual({
    UID: "01J@followspot",
    DTSTAMP: "20260402T093015Z",
    CREATED: "20260401T080000Z",
    "LAST-MODIFIED": "20260402T093015Z",
    DTSTART: "20260501T200000Z",
    DTEND: "20260502T020000Z",
    SUMMARY: "Night",
    LOCATION: String.raw`The Wharf\, Quay 1\; Harbour`,
    GEO: "52.500000;-13.400000",
    STATUS: "CONFIRMED",
  });
});

test.each([
  "x".repeat(300),
  "🎛️👩‍🚀".repeat(60),
  "é".repeat(149),
  String.raw`a;b,c\d\n e`,
  "first\nsecond",
  " begins and ends with a space ",
  "ends with a backslash\\",
  "Ночь · 夜 · ليلة",
])("preserves a title: %j", (title) => {
  const [only] = read(icsOf([event({ title })], noTalks));
  expect(plain(only!["SUMMARY"])).toBe(title);
});

test("folds at 75 octets and not before", () => {
  const rows = icsOf([event({ title: "x".repeat(200) })], noTalks).split("\r\n");
  const first = rows.findIndex((row) => row.startsWith("SUMMARY"));
  expect(rows.slice(first, first + 3).map((row) => row.length)).toEqual([75, 75, 8 + 200 + 2 - 150]);
});

test("treats every kind of line break as one, and drops control characters", () => {
  const [only] = read(icsOf([event({ title: "a\r\nb\rc\u2028d\u0000e\u0007" })], noTalks));
  expect(plain(only!["SUMMARY"])).toBe("a\nb\nc\nde");
});

test("lists the talks with time and speaker, and omits missing values", () => {
  const talks = [
    { time: "8:30 PM", title: "Opening; with cake, and more", speaker: "Grace" },
    { time: "", title: "Some time", speaker: "" },
  ];
  const [only] = read(icsOf([event()], () => talks));
  expect(plain(only!["DESCRIPTION"])).toBe("8:30 PM Opening; with cake, and more – Grace\nSome time");
});

test("marks a deleted event as canceled under the same UID", () => {
  const [, cancelled] = read(icsOf([event({ id: "02" }), event({ deletedAt: at("2026-04-20T10:00:00Z") })], noTalks));
  expect([cancelled!["UID"], cancelled!["STATUS"], cancelled!["DTSTAMP"]]).toEqual([
    "01J@followspot",
    "CANCELLED",
    "20260420T100000Z",
  ]);
});

test("writes an empty calendar for no events", () => {
  expect(read(icsOf([], noTalks))).toEqual([]);
});
