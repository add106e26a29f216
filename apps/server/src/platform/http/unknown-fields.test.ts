import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { CALLS_PATH, readAnswerLine } from "@followspot/contract";
import { afterAll, describe, expect, test } from "vitest";
import { METHODS, pathOf } from "../../testing/methods.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { readyRequest } from "./request-body.ts";

/** Fields from the request of a method down to one of its messages. */
type MessagePath = readonly DescField[];

const NESTED = METHODS.flatMap((method) =>
  messagesIn(method.input).map((fields) => ({
    title: `${pathOf(method)} ${fields.map(({ jsonName }) => jsonName).join(".")}`,
    ...{ method, fields },
  })),
);

function messagesIn(message: DescMessage, above: MessagePath = []): readonly MessagePath[] {
  if (above.some(({ parent }) => parent === message)) return [];
  return message.fields
    .filter((field) => field.message && field.message.typeName !== TimestampSchema.typeName)
    .flatMap((field) => [[...above, field], ...messagesIn(field.message!, [...above, field])]);
}

/** Returns a request with an unknown field in the message at the end of the path, and its path in errors. */
function unknownAt([field, ...below]: MessagePath): { readonly request: object; readonly path: string } {
  if (!field) return { request: { surplus: "red" }, path: "surplus" };
  const { request, path } = unknownAt(below);
  const { jsonName: name, fieldKind } = field;
  if (fieldKind === "list") return { request: { [name]: [{}, request] }, path: `${name}[1].${path}` };
  if (fieldKind === "map") return { request: { [name]: { a: request } }, path: `${name}[a].${path}` };
  return { request: { [name]: request }, path: `${name}.${path}` };
}

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
const GENERATED = { "connect-protocol-version": "1" };

// kept: Doors | Unknown fields were ignored, so a misspelled field was lost without an error | failed on the old code
describe("an unknown field is refused with its path", () => {
  test.each(METHODS.map((method) => [pathOf(method)]))("in %s", async (path) => {
    const { status, body } = await server.call(path, { surplus: "red" }, admin);
    expect([status, body.code, body.message]).toEqual([
      400,
      "invalid_argument",
      "surplus: is not a field of this method",
    ]);
  });

  test.each(NESTED)("in the message $title", ({ method, fields }) => {
    const { request, path } = unknownAt(fields);
    expect(() => readyRequest(method.input, request)).toThrow(`${path}: is not a field of this method`);
  });

  test.each([
    ["null", { name: "Ann", surplus: null }],
    ["a name in another case", { name: "Ann", Bio: "x" }],
    ["a key of all objects", '{"name":"Ann","__proto__":{"bio":"x"}}'],
  ])("also if it is %s, and nothing is changed", async (_what, request) => {
    const before = (await server.sql`select from users`).length;
    const { code } = await server.call("user.v1.UserService/CreateUser", request, admin);
    expect([code, (await server.sql`select from users`).length]).toEqual(["invalid_argument", before]);
  });

  test("and with at most ten paths, each of bounded length", async () => {
    const request = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x${i}`.padEnd(150, "x"), 1]));
    const { body } = await server.call("user.v1.UserService/CreateUser", request, admin);
    const parts = body.message.split("; ");
    expect([parts.length, parts.at(-1)]).toEqual([11, "and 4990 more"]);
    expect(JSON.stringify(body).length).toBeLessThan(2000);
  });
});

describe("a client generated from a newer contract", () => {
  test("has its unknown fields dropped", async () => {
    const request = { name: "Ann", surplus: "red" };
    const { status, body } = await server.call("user.v1.UserService/CreateUser", request, admin, GENERATED);
    expect([status, body.user.name]).toEqual([200, "Ann"]);
  });

  test.each([
    ["dropped", GENERATED, 200],
    ["refused without its header", {}, 400],
  ])("has those of batched reads %s", async (_what, headers, status) => {
    const answer = await fetch(server.base + CALLS_PATH, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin}`, ...headers },
      body: JSON.stringify([{ method: "user.v1.UserService/ListUsers", message: { surplus: "red" } }]),
    });
    expect(readAnswerLine((await answer.text()).trim())?.status).toBe(status);
  });
});
