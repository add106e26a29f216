import { fromJson, ScalarType, type DescField, type DescMessage, type JsonObject, type JsonValue } from "@bufbuild/protobuf"; // prettier-ignore

/** What a body says in a field, under either of its two names; undefined where it says nothing. */
export const saidIn = (body: JsonObject, { name, jsonName }: DescField): JsonValue | undefined =>
  body[name] ?? body[jsonName];

/** The body with a field said anew in its place, under the name that answers have, or left out; other fields of its choice go. */
export function sayIn(body: JsonObject, field: DescField, value: JsonValue | undefined): JsonObject {
  const others = value === undefined ? [] : (field.oneof?.fields ?? []).filter((other) => other !== field);
  const cleared = new Set(others.flatMap(({ name, jsonName }) => [name, jsonName]));
  const kept = Object.entries(body).filter(([key]) => !cleared.has(key));
  const isField = (key: string) => key === field.name || key === field.jsonName;
  const at = kept.findIndex(([key]) => isField(key));
  const rest = kept.filter(([key]) => !isField(key));
  if (value !== undefined) rest.splice(at < 0 ? rest.length : at, 0, [field.jsonName, value]);
  return Object.fromEntries(rest);
}

/** Scalars that are numbers in JSON; those of 64 bits are strings in it. */
const NUMBERS: ReadonlySet<ScalarType> = new Set([
  ScalarType.DOUBLE,
  ScalarType.FLOAT,
  ScalarType.INT32,
  ScalarType.UINT32,
  ScalarType.SINT32,
  ScalarType.FIXED32,
  ScalarType.SFIXED32,
]);

/** Typed text as the JSON of a scalar. A number not yet whole ("1.") stays text, so that typing can go on. */
export function typedAs(scalar: ScalarType, typed: string): JsonValue {
  return NUMBERS.has(scalar) && typed !== "" && String(Number(typed)) === typed ? Number(typed) : typed;
}

/** The body a text holds; undefined where it is no JSON or no object. */
export function bodyOf(typed: string): JsonObject | undefined {
  try {
    const parsed = JSON.parse(typed) as JsonValue;
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Why a body is invalid for a message, such as an unknown field; undefined where it is valid. */
export function misfitOf(message: DescMessage, body: JsonObject): string | undefined {
  try {
    fromJson(message, body);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
