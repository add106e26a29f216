import { fromJson } from "@bufbuild/protobuf";
import { ListTalksRequestSchema, ListTalksResponseSchema, UpdateTalkRequestSchema } from "@followspot/contract/talk";
import { expect, test } from "vitest";
import { catalogue } from "./catalogue.ts";
import { sampleOf } from "./sample-message.ts";

// kept: Console | No answer of the API was shown, and requests were rows of empty strings | failed with the fault put back
test("shows an answer with one thing in each list, under the names that answers have", () => {
  expect(sampleOf(ListTalksResponseSchema)).toMatchObject({
    talks: [{ id: "01KQJ4E5W8M2N6P0R3T7V9X1YZ", title: "Friday night", startAt: "2026-05-01T20:00:00Z" }],
    totalSize: 1,
  });
});

test("asks a list by a filter and an order that the list has", () => {
  expect(sampleOf(ListTalksRequestSchema)).toMatchObject({
    list: { pageSize: 50, query: "friday", filter: "scheduled", orderBy: "start_at" },
  });
});

test("changes fields of a thing, without a condition and without taking one away", () => {
  const names = Object.keys(sampleOf(UpdateTalkRequestSchema));
  expect(names).toEqual(expect.arrayContaining(["talkId", "title", "startAt"]));
  expect(names.filter((name) => /^(if|clear)[A-Z]/.test(name))).toEqual([]);
});

test("makes messages that every method reads, and could answer with", () => {
  for (const { descriptor } of catalogue.flatMap(({ methods }) => methods)) {
    const { input, output } = descriptor;
    expect(fromJson(input, sampleOf(input)).$typeName).toBe(input.typeName);
    expect(fromJson(output, sampleOf(output)).$typeName).toBe(output.typeName);
  }
});
