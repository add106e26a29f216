import { fromJson } from "@bufbuild/protobuf";
import {
  CreateEventRequestSchema,
  ListEventsRequestSchema,
  UpdateEventRequestSchema,
} from "@followspot/contract/event";
import { expect, test } from "vitest";
import { catalogue, isReading } from "./catalogue.ts";
import { exampleOf } from "./example-body.ts";

const methods = catalogue.flatMap((service) => service.methods);

test("names the fields of a list's question, with nothing said in any", () => {
  expect(exampleOf(ListEventsRequestSchema)).toMatchObject({
    pageSize: 0,
    list: { query: "", filter: "", orderBy: "", pageToken: "" },
  });
});

// kept: Console | Docs began a body with empty texts, and named fields otherwise than the JSON that comes | also
test("begins with texts of their kind and moments as the API takes them, and leaves conditions and files out", () => {
  expect(exampleOf(CreateEventRequestSchema)).toMatchObject({
    title: "Friday night",
    startsAt: "2026-05-01T20:00:00Z",
    lat: 0,
  });
  expect(exampleOf(UpdateEventRequestSchema)).not.toHaveProperty("ifUpdatedAt");
});

test.each(methods.map((method) => [method.path, method] as const))("%s reads its own example", (_path, method) => {
  const { input } = method.descriptor;
  expect(fromJson(input, exampleOf(input)).$typeName).toBe(input.typeName);
});

test("what is not plainly a reading may change something", () => {
  const asked = methods.filter(({ name }) => !isReading(name)).map(({ name }) => name);
  expect(asked).toEqual(expect.arrayContaining(["DeleteUser", "ScanQr", "FindNodes", "PlayPlaylist", "ExportMyData"]));
  expect(methods.filter(({ name }) => isReading(name)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(["ListUsers", "GetSong", "CountEvents", "CheckPreflight"]),
  );
});
