import Fastify from "fastify";
import { expect, test } from "vitest";
import { registerApiFiles } from "./api-files.http.ts";

test("each description of the API is served under its name and type, the same each time", async () => {
  const app = Fastify();
  registerApiFiles(app);
  const openApi = await app.inject("/api/openapi.json");
  expect(openApi.json()).toMatchObject({ openapi: "3.1.1", info: { title: "Followspot" } });
  expect((await app.inject("/api/openapi.json")).body).toBe(openApi.body);
  expect((await app.inject("/api/asyncapi.json")).json()).toMatchObject({ asyncapi: "3.0.0" });
  const set = await app.inject("/api/followspot.binpb");
  expect(set.headers["content-type"]).toBe("application/octet-stream");
  expect(set.rawPayload.includes("followspot/music/v1/music.proto")).toBe(true);
  await app.close();
});
