import { getOption, ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { field as fieldRules } from "@followspot/contract/validate";
import { afterAll, describe, expect, test } from "vitest";
import { METHODS, pathOf } from "../../testing/methods.ts";
import { openUntil } from "../../testing/open-until.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { isPublic } from "./access.ts";
import { readyRequest } from "./request-body.ts";

/** Number of empty items that fit into a body of 1 MiB. */
const ITEMS = 300_000;

/** Fields from the request of a method down to one of its lists. */
type ListPath = readonly DescField[];

const LISTS = METHODS.flatMap((method) =>
  listsIn(method.input).map((fields) => ({
    title: `${pathOf(method)} ${fields.map(({ name }) => name).join(".")}`,
    method,
    fields,
  })),
);

function listsIn(message: DescMessage, above: ListPath = []): readonly ListPath[] {
  if (above.some(({ parent }) => parent === message)) return [];
  return message.fields.flatMap((field) => [
    ...(field.fieldKind === "list" || field.fieldKind === "map" ? [[...above, field]] : []),
    ...(field.message ? listsIn(field.message, [...above, field]) : []),
  ]);
}

/** Returns a request with the items in the list at the end of the path. */
function requestWith([field, ...below]: ListPath, items: unknown): object {
  const value = below.length === 0 ? items : requestWith(below, items);
  return { [field!.name]: below.length > 0 && field!.fieldKind === "list" ? [value] : value };
}

function emptyItemOf({ message, scalar }: DescField): object | string | number {
  if (message) return {};
  return scalar === ScalarType.STRING ? "" : 0;
}

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;

// kept: Doors | A request with 300,000 empty items blocked the API's thread for ten seconds | failed on the old code
describe("a list of 300,000 empty items", () => {
  test.each(LISTS)("has a limit in the contract: $title", ({ fields }) => {
    const { type } = getOption(fields.at(-1)!, fieldRules);
    expect(type.case === "repeated" && type.value.maxItems).toBeGreaterThan(0n);
  });

  test.each(LISTS)("is rejected before any item is read: $title", ({ method, fields }) => {
    let read = 0;
    const items = new Proxy(Array.from({ length: ITEMS }), {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) read++;
        return Reflect.get(target, key);
      },
    });
    expect(() => readyRequest(method.input, requestWith(fields, items))).toThrow(/must have at most \d+ items/);
    expect(read).toBe(0);
  });

  test.each(LISTS)("is answered with one short error: $title", async ({ method, fields }) => {
    const items = Array.from({ length: ITEMS }, () => emptyItemOf(fields.at(-1)!));
    const { status, body } = await server.call(pathOf(method), requestWith(fields, items), admin);
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
    expect(JSON.stringify(body).length).toBeLessThan(300);
  });
});

// kept: Doors | An error listed each of thousands of violations | failed on the old code
describe("a request with thousands of violations", () => {
  test.each([
    ["a list of messages", "event.v1.EventService/SettleScans", { event_id: "e", scans: repeated({}, 500) }],
    ["a list of numbers", "queues.v1.QueuesService/DismissFailures", { sequences: repeated("-1", 200) }],
    ["a list of texts", "night.v1.NightService/CheckPreflight", { playlist_ids: repeated("x".repeat(2000), 20) }],
  ])("is answered with at most ten of them: %s", async (_what, path, request) => {
    const { status, body } = await server.call(path, request, admin);
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
    expect(body.message.split("; ").length).toBeLessThanOrEqual(11);
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  test("names every violation of a form", async () => {
    const { body } = await server.call(
      "user.v1.UserService/CreateUser",
      { name: "x".repeat(3000), roles: ["a", "b"] },
      admin,
    );
    expect(body.message.split("; ").map((each: string) => each.split(":")[0])).toEqual([
      "name",
      "roles[0]",
      "roles[1]",
    ]);
  });
});

// kept: Doors | Callers without a sign-in could send bodies of 1 MiB to methods that take a code and a name | failed on
// the old code
test.each(METHODS.filter(isPublic).map((method) => [pathOf(method)]))(
  "rejects a body of more than 16 KiB without a sign-in: %s",
  async (path) => {
    const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key${i}`, 1]));
    expect((await server.call(path, unknown)).status).toBe(413);
  },
);

function repeated<T>(item: T, times: number): readonly T[] {
  return Array.from({ length: times }, () => item);
}
