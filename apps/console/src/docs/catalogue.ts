import type { DescEnum, DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { accessWords } from "@followspot/contract/access-words";
import { errorsOf, type MethodError } from "@followspot/contract/method-errors";
import { SERVICES } from "@followspot/contract/services";
import { commentOf, limitsOf } from "./comments.ts";
import type { DocCategory } from "./docs-search.ts";

export interface DocField {
  /** As JSON names it. The contract's own name of a field is read as well, and stands in its files. */
  readonly name: string;
  readonly type: string;
  readonly number: number;
  /** What its type holds, where that is a message or an enum of the contract. */
  readonly of?: DescMessage | DescEnum | undefined;
  /** Name of the choice of which it is one. */
  readonly choice?: string | undefined;
  readonly comment?: string | undefined;
  /** What it may hold, in words. */
  readonly limits?: string | undefined;
}

export interface DocMethod {
  readonly name: string;
  /** The address it is posted to. */
  readonly path: string;
  readonly request: string;
  readonly response: string;
  readonly requestFields: readonly DocField[];
  readonly responseFields: readonly DocField[];
  /** Who may call it, in words. */
  readonly access: string;
  readonly errors: readonly MethodError[];
  readonly descriptor: DescMethod;
}

export interface DocService {
  readonly name: string;
  readonly typeName: string;
  readonly category: DocCategory;
  readonly methods: readonly DocMethod[];
}

const KEYWORDS: readonly (readonly [string, DocCategory])[] = [
  ["user", "Core"],
  ["auth", "Core"],
  ["event", "Content"],
  ["talk", "Content"],
  ["music", "Content"],
  ["sound", "Content"],
  ["night", "Realtime"],
  ["chat", "Social"],
  ["accounting", "Commerce"],
  ["director", "Realtime"],
];

// Numbers of google.protobuf.FieldDescriptorProto.Type.
const SCALARS: Readonly<Record<number, string>> = {
  1: "double",
  2: "float",
  3: "int64",
  4: "uint64",
  5: "int32",
  6: "fixed64",
  7: "fixed32",
  8: "bool",
  9: "string",
  12: "bytes",
  13: "uint32",
  15: "sfixed32",
  16: "sfixed64",
  17: "sint32",
  18: "sint64",
};

/** Every service of the contract, straight from its descriptors. */
export const catalogue: readonly DocService[] = SERVICES.map(describeService);

/** A package's category by the first keyword in its name. */
export function categoryOf(packageName: string): DocCategory {
  return KEYWORDS.find(([word]) => packageName.includes(word))?.[1] ?? "System";
}

/**
 * Services whose own name matches keep all methods; others keep the ones that match by name, by a field, or by
 * every word of what is said of them: people look for what a call does before they know what it is called.
 */
export function findMethods(
  services: readonly DocService[],
  query: string,
  category: DocCategory | undefined,
): readonly DocService[] {
  const wanted = query.trim().toLowerCase();
  return services.flatMap((service) => {
    if (category && service.category !== category) return [];
    if (service.typeName.toLowerCase().includes(wanted)) return [service];
    const words = wanted.split(/\s+/);
    const methods = service.methods.filter(({ name, request, response, descriptor: { input, output } }) => {
      // In JSON a field has one name and in the contract's files another: people come with either.
      const fields = [...input.fields, ...output.fields].flatMap((field) => [field.name, field.jsonName]);
      const names = [name, request, response, ...fields];
      const said = (commentOf(`${service.typeName}.${name}`) ?? "").toLowerCase();
      return names.some((text) => text.toLowerCase().includes(wanted)) || words.every((word) => said.includes(word));
    });
    return methods.length > 0 ? [{ ...service, methods }] : [];
  });
}

function describeService(service: DescService): DocService {
  return {
    name: service.name,
    typeName: service.typeName,
    category: categoryOf(service.file.proto.package),
    methods: service.methods.map(describeMethod),
  };
}

function describeMethod(method: DescMethod): DocMethod {
  return {
    name: method.name,
    path: `/${method.parent.typeName}/${method.name}`,
    request: method.input.name,
    response: method.output.name,
    requestFields: method.input.fields.map(describeField),
    responseFields: method.output.fields.map(describeField),
    access: accessWords(method).join(", "),
    errors: errorsOf(method),
    descriptor: method,
  };
}

/** Calls that only read, by their names; whatever is called otherwise may change something. */
export const isReading = (name: string): boolean => /^(?:Get|List|Count|Search|Check)[A-Z]/.test(name);

/** Fields of a message, or values of an enum with their numbers. */
export const insideOf = (type: DescMessage | DescEnum): readonly DocField[] =>
  type.kind === "message"
    ? type.fields.map(describeField)
    : type.values.map(({ name, number }) => {
        return { name, number, type: String(number), comment: commentOf(`${type.typeName}.${name}`) };
      });

function describeField(field: DescField): DocField {
  const of = field.message ?? field.enum;
  const choice = field.oneof && field.oneof.fields.length > 1 ? field.oneof.localName : undefined;
  const fullName = `${field.parent.typeName}.${field.name}`;
  const said = { comment: commentOf(fullName), limits: limitsOf(fullName) };
  return { name: field.jsonName, number: field.number, type: typeOf(field), of, choice, ...said };
}

function typeOf(field: DescField): string {
  switch (field.fieldKind) {
    case "list":
      return `${field.message?.name ?? field.enum?.name ?? scalarName(field.scalar)}[]`;
    case "map":
      return `map<${scalarName(field.mapKey)}, ${field.message?.name ?? field.enum?.name ?? scalarName(field.scalar)}>`;
    case "message":
      return field.message.name;
    case "enum":
      return field.enum.name;
    case "scalar":
      return `${field.proto.proto3Optional ? "optional " : ""}${scalarName(field.scalar)}`;
  }
}

function scalarName(scalar: number | undefined): string {
  return SCALARS[scalar ?? 0] ?? "unknown";
}
