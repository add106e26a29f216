import { ScalarType } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { CreateEventRequestSchema, ListEventsRequestSchema } from "@followspot/contract/event";
import { expect, test } from "vitest";
import { bodyOf, misfitOf, saidIn, sayIn, typedAs } from "./body-edit.ts";

const { starts_at: startsAt, title } = Object.fromEntries(
  CreateEventRequestSchema.fields.map((field) => [field.name, field]),
) as Record<"starts_at" | "title", (typeof CreateEventRequestSchema.fields)[number]>;

test("a field said anew stays in its place, and has one name however it was written", () => {
  const body = { startsAt: "2026-01-05T15:30:00Z", title: "Quiet night" };
  expect(saidIn(body, startsAt)).toBe("2026-01-05T15:30:00Z");
  expect(JSON.stringify(sayIn(body, startsAt, "2026-02-05T15:30:00Z"))).toBe(
    '{"startsAt":"2026-02-05T15:30:00Z","title":"Quiet night"}',
  );
});

test("a field is left out under both of its names, and what else was said stays", () => {
  expect(sayIn({ startsAt: "a", starts_at: "b", title: "c", own: 1 }, startsAt, undefined)).toEqual({
    title: "c",
    own: 1,
  });
  expect(sayIn({}, title, "Loud night")).toEqual({ title: "Loud night" });
});

test("of a choice only what was said last is said", () => {
  const [none, number] = ValueSchema.fields;
  expect(sayIn(sayIn({ own: 1 }, none!, "NULL_VALUE"), number!, 0.5)).toEqual({ own: 1, numberValue: 0.5 });
  expect(sayIn({ numberValue: 0.5 }, none!, undefined)).toEqual({ numberValue: 0.5 });
});

test("a number is a number once it is whole, and one of 64 bits never", () => {
  expect(["12", "-0.5", "1.", "-", "1.0", ""].map((typed) => typedAs(ScalarType.DOUBLE, typed))).toEqual([
    12,
    -0.5,
    "1.",
    "-",
    "1.0",
    "",
  ]);
  expect(typedAs(ScalarType.INT64, "9007199254740993")).toBe("9007199254740993");
  expect(typedAs(ScalarType.STRING, "12")).toBe("12");
});

test("only an object is a body", () => {
  expect(['{"a": 1}', "[]", "null", "1", "{"].map(bodyOf)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("says which field a message does not have, and which holds something else", () => {
  expect(misfitOf(ListEventsRequestSchema, { page_size: 20 })).toBeUndefined();
  expect(misfitOf(ListEventsRequestSchema, { pages: 20 })).toContain("pages");
  expect(misfitOf(ListEventsRequestSchema, { page_size: "many" })).toContain("page_size");
});
