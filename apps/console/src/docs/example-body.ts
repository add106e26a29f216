import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { scalarZeroValue } from "@bufbuild/protobuf/reflect";
import { textFor } from "./sample-message.ts";

/** Well-known types whose JSON is no object of their fields. */
const WELL_KNOWN: Readonly<Record<string, () => JsonValue>> = {
  "google.protobuf.Timestamp": () => "2026-05-01T20:00:00Z",
  "google.protobuf.Duration": () => "0s",
  "google.protobuf.FieldMask": () => "",
  "google.protobuf.Struct": () => ({}),
  "google.protobuf.Value": () => null,
};

/**
 * A body to begin with: texts hold something of their kind, anything else what the API takes for nothing said; of fields of
 * which one may be set it has the first. A list is asked for all it has. What may be left out for another meaning (`optional`,
 * `if_…`) is left out. A message within itself stays empty.
 */
export function exampleOf(message: DescMessage, within: readonly string[] = []): JsonObject {
  if (within.includes(message.typeName)) return {};
  const inside = [...within, message.typeName];
  const fields = message.fields.filter(
    ({ oneof, name, proto }) => !oneof && !proto.proto3Optional && !name.startsWith("if_"),
  );
  const choices = message.oneofs.flatMap(({ fields: [first] }) => (first ? [first] : []));
  return Object.fromEntries([...fields, ...choices].map((field) => [field.jsonName, valueOf(field, inside)]));
}

function valueOf(field: DescField, within: readonly string[]): JsonValue {
  switch (field.fieldKind) {
    case "list":
      return [];
    case "map":
      return {};
    case "message":
      return WELL_KNOWN[field.message.typeName]?.() ?? exampleOf(field.message, within);
    case "enum":
      return field.enum.values[0]?.name ?? "";
    case "scalar": {
      // JSON knows no 64-bit numbers and no bytes: both are strings in it.
      const none = scalarZeroValue(field.scalar, true);
      if (none === "" && !isQuestion(field)) return textFor(field.name) ?? none;
      return none instanceof Uint8Array ? "" : typeof none === "bigint" ? String(none) : none;
    }
  }
}

/** Fields in which a text would leave rows out, or be taken for a file or a page that is not there. */
const isQuestion = ({ name, parent }: DescField): boolean =>
  /^(List|Search|Count)/.test(parent.name) || /(base64|json|token)$/.test(name);
