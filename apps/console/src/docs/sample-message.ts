import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { commentOf } from "./comments.ts";

/**
 * A message in which every field holds something, to be read and not to be sent: what may be left out is there as well, but for
 * conditions (`if_…`) and what takes a field away (`clear_…`). Of fields of which one may be set it has the first. A message
 * within itself stays empty.
 */
export function sampleOf(message: DescMessage, within: readonly string[] = []): JsonObject {
  if (within.includes(message.typeName)) return {};
  const inside = [...within, message.typeName];
  const fields = message.fields.filter(({ oneof, name }) => !oneof && !/^(if|clear)_/.test(name));
  const choices = message.oneofs.flatMap(({ fields: [first] }) => (first ? [first] : []));
  return Object.fromEntries([...fields, ...choices].map((field) => [field.jsonName, valueOf(field, inside)]));
}

function valueOf(field: DescField, within: readonly string[]): JsonValue {
  switch (field.fieldKind) {
    case "list":
      return [single(field, within)];
    case "map":
      return { key: single(field, within) };
    default:
      return single(field, within);
  }
}

/** One value of a field, of its list or of its map. */
function single(field: DescField, within: readonly string[]): JsonValue {
  if (field.message?.typeName === LIST_QUERY) return questionOf(field, within);
  if (field.message) return WELL_KNOWN[field.message.typeName] ?? sampleOf(field.message, within);
  if (field.enum) return (field.enum.values[1] ?? field.enum.values[0])?.name ?? "";
  return scalarOf(field);
}

const LIST_QUERY = "followspot.list.v1.ListQuery";

/** A question that the list understands: with the first of its filters and orders that its comment names. */
function questionOf(field: DescField, within: readonly string[]): JsonObject {
  const comment = commentOf(`${field.parent.typeName}.${field.name}`) ?? "";
  const [, filter] = /Filters: (\w+)/.exec(comment) ?? [];
  const [, order] = /Orders: (\w+)/.exec(comment) ?? [];
  const known = new Map<string, JsonValue | undefined>([
    ["page_size", 50],
    ["page_token", undefined],
    ["query", "friday"],
    ["filter", filter],
    ["order_by", order],
  ]);
  const said = (field.message?.fields ?? []).map(
    (each) => [each.jsonName, known.has(each.name) ? known.get(each.name) : valueOf(each, within)] as const,
  );
  return Object.fromEntries(said.filter((each): each is [string, JsonValue] => each[1] !== undefined));
}

const WELL_KNOWN: Readonly<Record<string, JsonValue>> = {
  "google.protobuf.Timestamp": "2026-05-01T20:00:00Z",
  "google.protobuf.Duration": "90s",
  "google.protobuf.FieldMask": "title",
  "google.protobuf.Struct": { key: "value" },
  "google.protobuf.Value": "value",
};

/** By what their names end with; the first that fits. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)ids?$/, "01KQJ4E5W8M2N6P0R3T7V9X1YZ"],
  [/email$/, "ada@example.org"],
  [/phone$/, "+49 30 1234567"],
  [/(url|link)$/, "https://example.org/friday"],
  [/base64$/, "aGVsbG8="],
  [/token$/, "eyJhZnRlciI6IjUwIn0"],
  [/time_zone$/, "Europe/Berlin"],
  [/mime_type$/, "image/png"],
  [/file_?name$/, "friday.png"],
  [/(colors?|hex)$/, "#ff8800"],
  [/status$/, "ready"],
  [/json$/, "{}"],
  [/(title|label)$/, "Friday night"],
  [/name$/, "Ada Quast"],
  [/(address|location)$/, "Main hall"],
  [/(message|body|text|bio|reason|comment|description)$/, "Doors open at eight."],
];
const NUMBERS: readonly (readonly [RegExp, number])[] = [
  [/^lat$/, 52.52],
  [/^lng$/, 13.405],
  [/duration$/, 183],
  [/percent$/, 70],
  [/(bpm|tempo)$/, 128],
];

/** A text that fits a field of this name; undefined where the name tells nothing. */
export const textFor = (name: string): string | undefined => TEXTS.find(([words]) => words.test(name))?.[1];

function scalarOf({ name, scalar }: DescField): JsonValue {
  const of = <Value>(table: readonly (readonly [RegExp, Value])[]) => table.find(([words]) => words.test(name))?.[1];
  switch (scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.STRING:
      return textFor(name) ?? name.replaceAll("_", " ");
    case ScalarType.BYTES:
      return "aGVsbG8=";
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return of(NUMBERS) ?? 0.5;
    // JSON knows no 64-bit numbers: they are strings in it.
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
    case ScalarType.SINT64:
      return "1";
    default:
      return Math.round(of(NUMBERS) ?? 1);
  }
}
