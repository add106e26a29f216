import { getOption, hasOption, ScalarType, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { field as fieldRules, type FieldRules } from "../gen/buf/validate/validate_pb.js";

/** A part of a JSON Schema of 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What the contract says of something, by its full name. */
export type CommentOf = (fullName: string) => string | undefined;

/** Well-known types, whose JSON is no object of their fields. */
const WELL_KNOWN: Readonly<Record<string, Schema>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  "google.protobuf.FieldMask": { type: "string" },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array", items: {} },
  "google.protobuf.Empty": { type: "object" },
};

const INTEGER = { type: "integer", format: "int32" };
/** JSON has no numbers of 64 bits: the API writes them as text, and reads both. */
const LONG = { type: ["string", "integer"], format: "int64" };
const SCALARS: Readonly<Record<ScalarType, Schema>> = {
  [ScalarType.DOUBLE]: { type: "number", format: "double" },
  [ScalarType.FLOAT]: { type: "number", format: "float" },
  [ScalarType.BOOL]: { type: "boolean" },
  [ScalarType.STRING]: { type: "string" },
  [ScalarType.BYTES]: { type: "string", contentEncoding: "base64" },
  [ScalarType.INT32]: INTEGER,
  [ScalarType.SINT32]: INTEGER,
  [ScalarType.SFIXED32]: INTEGER,
  [ScalarType.UINT32]: { ...INTEGER, minimum: 0 },
  [ScalarType.FIXED32]: { ...INTEGER, minimum: 0 },
  [ScalarType.INT64]: LONG,
  [ScalarType.SINT64]: LONG,
  [ScalarType.SFIXED64]: LONG,
  [ScalarType.UINT64]: LONG,
  [ScalarType.FIXED64]: LONG,
};

/** Whether a message has a schema of its own, under its full name. */
export const isNamed = (message: DescMessage): boolean => !(message.typeName in WELL_KNOWN);

/** Every message and enum that these messages hold, themselves included, by full name. */
export function typesIn(messages: readonly DescMessage[]): ReadonlyMap<string, DescMessage | DescEnum> {
  const found = new Map<string, DescMessage | DescEnum>();
  const add = (type: DescMessage | DescEnum): void => {
    if (found.has(type.typeName) || (type.kind === "message" && !isNamed(type))) return;
    found.set(type.typeName, type);
    if (type.kind === "enum") return;
    for (const { message, enum: values } of type.fields) {
      if (message) add(message);
      if (values) add(values);
    }
  };
  for (const message of messages) add(message);
  return found;
}

/** A message or enum as the JSON that the API reads and writes: names of fields in camelCase, which the proto's are read for as well. */
export function schemaOf(
  type: DescMessage | DescEnum,
  commentOf: CommentOf,
  refTo: (fullName: string) => string,
): Schema {
  const description = describedBy(commentOf(type.typeName));
  if (type.kind === "enum") return { ...description, type: "string", enum: type.values.map(({ name }) => name) };
  return {
    ...description,
    type: "object",
    properties: Object.fromEntries(
      type.fields.map((field) => [
        field.jsonName,
        { ...valueSchema(field, refTo), ...describedBy(commentOf(`${type.typeName}.${field.name}`)) },
      ]),
    ),
  };
}

export const describedBy = (description: string | undefined): Schema => (description ? { description } : {});

function valueSchema(field: DescField, refTo: (fullName: string) => string): Schema {
  const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
  const ofMessage = (message: DescMessage): Schema => WELL_KNOWN[message.typeName] ?? { $ref: refTo(message.typeName) };
  switch (field.fieldKind) {
    case "scalar":
      return { ...SCALARS[field.scalar], ...limitsOf(rules) };
    case "enum":
      return { $ref: refTo(field.enum.typeName) };
    case "message":
      return ofMessage(field.message);
    case "list": {
      const items = field.message ? ofMessage(field.message) : field.enum ? { $ref: refTo(field.enum.typeName) } : SCALARS[field.scalar]; // prettier-ignore
      const list = rules?.type.case === "repeated" ? rules.type.value : undefined;
      const of = list?.items ? limitsOf(list.items) : {};
      return {
        type: "array",
        items: { ...items, ...of },
        ...(list?.minItems ? { minItems: Number(list.minItems) } : {}),
        ...(list?.maxItems ? { maxItems: Number(list.maxItems) } : {}),
      };
    }
    case "map":
      return {
        type: "object",
        additionalProperties: field.message
          ? ofMessage(field.message)
          : field.enum
            ? { $ref: refTo(field.enum.typeName) }
            : SCALARS[field.scalar],
      };
  }
}

/** The rules of a scalar that a JSON Schema can say; the server checks all of them. */
function limitsOf(rules: FieldRules | undefined): Schema {
  const type = rules?.type;
  if (type?.case === "string") {
    const { minLen, maxLen, pattern, in: values } = type.value;
    return {
      ...(minLen ? { minLength: Number(minLen) } : {}),
      ...(maxLen ? { maxLength: Number(maxLen) } : {}),
      ...(pattern ? { pattern } : {}),
      ...(values.length > 0 ? { enum: values } : {}),
    };
  }
  if (type?.case === "int32" || type?.case === "uint32" || type?.case === "double" || type?.case === "float") {
    const { greaterThan, lessThan } = type.value;
    const floor = { gte: "minimum", gt: "exclusiveMinimum" } as const;
    const roof = { lte: "maximum", lt: "exclusiveMaximum" } as const;
    return {
      ...(greaterThan.case ? { [floor[greaterThan.case]]: greaterThan.value } : {}),
      ...(lessThan.case ? { [roof[lessThan.case]]: lessThan.value } : {}),
    };
  }
  return {};
}
