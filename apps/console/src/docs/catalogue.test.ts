import { expect, test } from "vitest";
import { catalogue, categoryOf, findMethods } from "./catalogue.ts";

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
        { name: "song_id", type: "string" },
        { name: "force_regenerate", type: "bool" },
      ],
      access: "Admin, AI",
    },
  ]);
});

test("leaves no method without access", () => {
  expect(catalogue.flatMap(({ methods }) => methods).filter((method) => method.access === "")).toEqual([]);
});
