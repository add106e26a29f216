import { create, equals, fromJson, type DescField, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { METHODS, pathOf } from "../../testing/methods.ts";
import { readyRequest } from "./request-body.ts";

/** Values of every kind of JSON; most are bad for most fields. */
const VALUES = [
  null,
  true,
  7,
  1.5,
  -1,
  2 ** 40,
  1e300,
  2 ** 70,
  "",
  "text",
  "7",
  "1e999",
  "2026-02-31T20:00:00Z",
  "2026-05-01",
];
const SHAPES = [...VALUES, ...VALUES.map((value) => [value]), {}, [[]], [{}], { seconds: {} }];

/** A field of a request, and those that lead to it. */
type FieldPath = readonly DescField[];

function fieldsIn(message: DescMessage, above: FieldPath = []): readonly FieldPath[] {
  if (message.typeName.startsWith("google.") || above.some(({ parent }) => parent === message)) return [];
  return message.fields.flatMap((field) => [
    [...above, field],
    ...(field.message ? fieldsIn(field.message, [...above, field]) : []),
  ]);
}

/** Returns a request with the value in the field at the end of the path. */
function requestWith([field, ...below]: FieldPath, value: unknown): object {
  const inner = below.length === 0 ? value : requestWith(below, value);
  return { [field!.jsonName]: below.length > 0 && field!.fieldKind === "list" ? [inner] : inner };
}

const jsonPath = (fields: FieldPath): string =>
  fields
    .map(({ jsonName, fieldKind }, i) => (fieldKind === "list" && i < fields.length - 1 ? `${jsonName}[0]` : jsonName))
    .join(".");

const NAMED = METHODS.map((method) => [pathOf(method), method.input] as const);

// kept: Doors | A value of a wrong kind was refused in the words of the protocol library, without the field | failed on
// the old code
describe("a value of a wrong kind or range is refused with the path of its field, as in JSON", () => {
  test.each(NAMED)("in %s", (_path, input) => {
    for (const fields of fieldsIn(input))
      for (const value of SHAPES) {
        let request;
        try {
          request = readyRequest(input, requestWith(fields, value));
        } catch (error) {
          const begin = (error as Error).message.replace("[invalid_argument] ", "").slice(0, jsonPath(fields).length);
          expect([begin, value]).toEqual([jsonPath(fields), value]);
          continue;
        }
        // What passes is understood by the protocol, which throws an error without a path otherwise.
        expect(() => fromJson(input, request as JsonValue)).not.toThrow();
      }
  });
});

// Code generators send null for what is absent.
test.each(NAMED)("null in every field of %s equals its absence", (_path, input) => {
  const absent = create(input);
  const read = (request: object) => fromJson(input, readyRequest(input, request) as JsonValue);
  for (const { jsonName, name } of input.fields)
    for (const spelling of [jsonName, name]) expect(equals(input, read({ [spelling]: null }), absent)).toBe(true);
  const all = Object.fromEntries(input.fields.map(({ jsonName }) => [jsonName, null]));
  expect(equals(input, read(all), absent)).toBe(true);
  for (const { jsonName, fieldKind, message } of input.fields) {
    if (fieldKind !== "message" || !message || message.typeName.startsWith("google.")) continue;
    const nulls = Object.fromEntries(message.fields.map((field) => [field.jsonName, null]));
    expect(equals(input, read({ [jsonName]: nulls }), read({ [jsonName]: {} }))).toBe(true);
  }
});
