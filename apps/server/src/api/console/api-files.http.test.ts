import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Fastify from "fastify";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { ROOT } from "../../platform/settings.ts";
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
  const protos = await app.inject("/api/protos.zip");
  expect(protos.headers["content-type"]).toBe("application/zip");
  const files = unzipSync(protos.rawPayload);
  const path = "proto/followspot/music/v1/music.proto";
  expect(strFromU8(files[path]!)).toBe(await readFile(join(ROOT, "packages/contract", path), "utf8"));
  expect(Object.keys(files).every((name) => /^proto\/(buf|followspot)\//.test(name))).toBe(true);
  await app.close();
});
