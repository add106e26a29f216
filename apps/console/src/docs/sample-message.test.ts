import { fromJson } from "@bufbuild/protobuf";
import { ListTalksRequestSchema, ListTalksResponseSchema, UpdateTalkRequestSchema } from "@followspot/contract/talk";
import { expect, test } from "vitest";
import { catalogue } from "./catalogue.ts";
import { sampleOf } from "./sample-message.ts";

// kept: Console | No answer of the API was shown, and requests were rows of empty strings | failed with the fault put back
test("shows an answer with one thing in each list, under the names that answers have", () => {
  expect(sampleOf(ListTalksResponseSchema, "jsonName")).toMatchObject({
    talks: [{ id: "01KQJ4E5W8M2N6P0R3T7V9X1YZ", title: "Friday night", startAt: "2026-05-01T20:00:00Z" }],
    totalSize: 1,
  });
});

test("asks a list by a filter and an order that the list has", () => {
  expect(sampleOf(ListTalksRequestSchema, "name")).toMatchObject({
    list: { page_size: 50, query: "friday", filter: "scheduled", order_by: "start_at" },
  });
});

test("changes fields of a thing, without a condition and without taking one away", () => {
  const names = Object.keys(sampleOf(UpdateTalkRequestSchema, "name"));
  expect(names).toEqual(expect.arrayContaining(["talk_id", "title", "start_at"]));
  expect(names.filter((name) => /^(if|clear)_/.test(name))).toEqual([]);
});

test("makes messages that every method reads, and could answer with", () => {
  for (const { descriptor } of catalogue.flatMap(({ methods }) => methods)) {
    const { input, output } = descriptor;
    expect(fromJson(input, sampleOf(input, "name")).$typeName).toBe(input.typeName);
    expect(fromJson(output, sampleOf(output, "jsonName")).$typeName).toBe(output.typeName);
  }
});
