import { AccessSchema } from "@followspot/contract/access";
import { expect, test } from "vitest";
import { catalogue, categoryOf, findMethods, insideOf } from "./catalogue.ts";
import { commentOf } from "./comments.ts";

test("derives a category from the package name, System by default", () => {
  expect(
    [
      "followspot.auth.v1",
      "followspot.talk.v1",
      "followspot.chat.v1",
      "followspot.accounting.v1",
      "followspot.director.v1",
      "followspot.lights.v1",
    ].map(categoryOf),
  ).toEqual(["Core", "Content", "Social", "Commerce", "Realtime", "System"]);
});

test("knows path, messages, fields and access of every method", () => {
  const [service] = findMethods(catalogue, "GetSongLightingRequest", undefined);
  expect(service?.methods).toMatchObject([
    {
      path: "/followspot.music.v1.MusicService/GetSongLighting",
      request: "GetSongLightingRequest",
      response: "GetSongLightingResponse",
      requestFields: [
        { name: "songId", type: "string" },
        { name: "forceRegenerate", type: "bool" },
      ],
      access: "Admin, AI",
    },
  ]);
});

test("says of methods, fields and values what the contract's files say of them", () => {
  const said = (name: string) => commentOf(`followspot.event.v1.${name}`);
  expect(said("EventService.CreateEvent")).toBe("Creates an event; endsAt must be later than startsAt.");
  expect(said("ListEventsRequest.query")).toBe("Matches title, location or address.");
  expect(insideOf(AccessSchema).find(({ name }) => name === "ACCESS_ADMIN")?.comment).toBe("The console.");
});

// kept: Console | Docs began a body with empty texts, and named fields otherwise than the JSON that comes | failed on the old code
test("names fields in words as JSON does, and values as they are sent", () => {
  const said = (name: string) => commentOf(`followspot.${name}`);
  expect(said("list.v1.ListQuery.page_token")).toMatch(/^nextPageToken of the page before/);
  expect(said("talk.v1.ListTalksRequest.list")).toContain("Orders: start_at (its own");
  expect(said("event.v1.SettledScan.state")).toBe("checked_in, already or refused.");
  expect(said("queues.v1.Message.job")).toContain("song_id, step");
});

test("says of every method what it does", () => {
  const paths = catalogue.flatMap(({ methods }) => methods).map(({ path }) => path);
  expect(paths.filter((path) => commentOf(path.slice(1).replace("/", ".")) === undefined)).toEqual([]);
});

test("leaves no method without access", () => {
  expect(catalogue.flatMap(({ methods }) => methods).filter((method) => method.access === "")).toEqual([]);
});

test("says what a field may hold, in lists and nested fields as well", () => {
  const limitsIn = (request: string, field: string) =>
    catalogue
      .flatMap(({ methods }) => methods)
      .find((method) => method.request === request)
      ?.requestFields.find(({ name }) => name === field)?.limits;
  expect(limitsIn("CreateUserRequest", "email")).toBe("at most 254 characters");
  expect(limitsIn("CreateUserRequest", "roles")).toBe("at most 3 items, no two alike, each one of Admin, Director, AI");
  expect(limitsIn("SetSoundRequest", "level")).toBe("-30 to -8");
});

test("finds a method by what it does and by what it is given", () => {
  const found = (query: string) =>
    findMethods(catalogue, query, undefined).flatMap(({ methods }) => methods.map(({ name }) => name));
  expect(found("paused")).toContain("ResumeMusic");
  expect(found("rehearse evening")).toEqual([]);
  expect(found("force_regenerate")).toEqual(["GetSongLighting"]);
  expect(found("forceRegenerate")).toEqual(["GetSongLighting"]);
  expect(found("totalSize")).toEqual(found("total_size"));
});
