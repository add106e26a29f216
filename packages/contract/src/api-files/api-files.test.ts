import asyncApi30 from "@asyncapi/specs/schemas/3.0.0.json" with { type: "json" };
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import comments from "../gen/comments.json" with { type: "json" };
import { SERVICES } from "../services.ts";
import { API_FILES } from "./api-files.ts";

const commentOf = (name: string) => (comments as Readonly<Record<string, string>>)[name];
const bytesOf = (name: string) => API_FILES[name]!.write(commentOf);
// oxlint-disable-next-line typescript/no-explicit-any -- a test looks at what it expects
const documentOf = (name: string): any => JSON.parse(new TextDecoder().decode(bytesOf(name)));

const openApi = documentOf("openapi.json");
const asyncApi = documentOf("asyncapi.json");

test("the OpenAPI document is one of OpenAPI 3.1", async () => {
  expect(await new Validator().validate(openApi)).toEqual({ valid: true });
});

test("the AsyncAPI document is one of AsyncAPI 3", () => {
  // The specification's own schema holds the meta-schema of draft 7, which may be known once only.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const isValid = ajv.compile(asyncApi30);
  expect(isValid(asyncApi) || isValid.errors).toBe(true);
});

test("every reference of both documents leads to something", () => {
  for (const document of [openApi, asyncApi]) {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    const lost = refs.filter((path) => path.split("/").reduce((at, key) => at?.[key], document) === undefined);
    expect(refs.length).toBeGreaterThan(10);
    expect(lost).toEqual([]);
  }
});

test("OpenAPI says of a call where it is posted, what it takes and what it answers", () => {
  const { post } = openApi.paths["/followspot.music.v1.MusicService/RetrySong"];
  expect(post.requestBody.content["application/json"].schema.$ref).toBe(
    "#/components/schemas/followspot.music.v1.RetrySongRequest",
  );
  expect(post.security).toEqual([{ bearer: [] }, { session: [] }]);
  expect(post.description).toContain("Access: Admin.");
  expect(post.responses["404"].description).toContain("not_found: ");
  const { properties } = openApi.components.schemas["followspot.music.v1.RetrySongRequest"];
  expect(properties.songId).toMatchObject({ type: "string" });
});

test("AsyncAPI refuses what the server's own socket refuses", () => {
  const ajv = new Ajv({ strict: false });
  const isHello = ajv.compile(asyncApi.components.messages.eventsFromClient.payload);
  expect(isHello({ type: "ClientHello", payload: { token: "", subscriptions: ["songs"] } })).toBe(true);
  expect(isHello({ type: "ClientHello", payload: { token: 7 } })).toBe(false);
});

test("AsyncAPI says how each socket below /lights/ is told whose it is", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const hello = { type: "hello", token: "a.b.c" };
  for (const name of ["playback", "desk", "sound", "lamps"]) {
    const isSent = ajv.compile(asyncApi.components.messages[`${name}FromClient`].payload);
    expect([name, isSent(hello), isSent({ type: "hello" })]).toEqual([name, true, false]);
  }
  expect(asyncApi.info.description).toContain("within 10 seconds");
});

test("the descriptor set holds every method, and what each file needs before it", () => {
  const set = fromBinary(FileDescriptorSetSchema, bytesOf("followspot.binpb"));
  const registry = createFileRegistry(set);
  const found = SERVICES.map(({ typeName }) => registry.getService(typeName)?.methods.length);
  expect(found).toEqual(SERVICES.map(({ methods }) => methods.length));
  const before = new Set<string>();
  for (const { name, dependency } of set.file) {
    expect(dependency.filter((needed) => !before.has(needed))).toEqual([]);
    before.add(name);
  }
});
