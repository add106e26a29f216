import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { getOption, ScalarType, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { field as fieldRules } from "@followspot/contract/validate";
import { exhausted, invalid } from "../errors.ts";
import { EARLIEST_MS, LATEST_MS } from "../database/timestamps.ts";

/** Time for a body to arrive, ms. */
const BODY_MS = 15_000;
/** Deepest nesting of JSON. Requests of the contract need only a few levels, and later parsers are recursive. */
const MAX_DEPTH = 64;

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the whole body.
 * @throws resource_exhausted beyond `maxBytes`, deadline_exceeded if it does not arrive in time
 */
export async function readBody(stream: NodeJS.ReadableStream, maxBytes: number, timeMs = BODY_MS): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => end(() => reject(new ConnectError("The request did not arrive in time", Code.DeadlineExceeded))),
      timeMs,
    );
    const end = (settle: () => void) => {
      clearTimeout(timer);
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) end(() => reject(exhausted("The request is too large")));
    };
    const onEnd = () => end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onError = (error: Error) => end(() => reject(error));
    const onClose = () => end(() => reject(new ConnectError("The request was cut off", Code.Canceled)));
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const unpackers: Readonly<Record<string, (bytes: Buffer, maxBytes: number) => Promise<Buffer>>> = {
  gzip: (bytes, maxOutputLength) => promisify(gunzip)(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => promisify(brotliDecompress)(bytes, { maxOutputLength }),
};

/** Decompresses a body, with the same limit. */
export async function unpack(bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity") return bytes;
  const unpacker = Object.hasOwn(unpackers, encoding) ? unpackers[encoding] : undefined;
  if (!unpacker) throw new ConnectError("content-encoding must be gzip, br or identity", Code.Unimplemented);
  try {
    return await unpacker(bytes, maxBytes);
  } catch (error) {
    const isTooLarge = (error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? exhausted("The request is too large")
      : invalid("The body is not what its content-encoding says");
  }
}

/** Header by which clients generated from the contract identify themselves (Connect protocol). */
const GENERATED_HEADER = "connect-protocol-version";

/**
 * Whether unknown fields of a request are dropped instead of refused. A generated client cannot misspell a field, so an
 * unknown one comes from a newer contract, as of an app that was built with a later release (decision 120).
 */
export const dropsUnknownFields = (headers: IncomingHttpHeaders): boolean => headers[GENERATED_HEADER] !== undefined;

/**
 * Normalizes a request for the protocol: times become text, from RFC 3339 or `{seconds, nanos}`. Rejects unknown fields,
 * and values that JSON permits but our stores cannot hold or would have to guess.
 *
 * @param dropsUnknown whether unknown fields are dropped
 * @throws invalid_argument with the path of the field, as in JSON
 */
export function readyRequest(input: DescMessage, json: unknown, dropsUnknown = false): Json {
  if (!isObject(json)) throw invalid("The body must be a JSON object");
  const unknown = new UnknownFields();
  const clean = cleanMessage(input, json, "", unknown);
  if (!dropsUnknown) unknown.refuse();
  return clean;
}

/** Number of unknown fields that an error lists; the rest are counted. */
const MAX_LISTED_FIELDS = 10;
/** Length at which the name of an unknown field is cut, characters. */
const MAX_NAME_LENGTH = 100;

/** Fields of a request that its message does not have. */
class UnknownFields {
  readonly #paths: string[] = [];
  #count = 0;

  add(path: string, name: string): void {
    this.#count++;
    if (this.#paths.length < MAX_LISTED_FIELDS) this.#paths.push(`${path}${name.slice(0, MAX_NAME_LENGTH)}`);
  }

  /** @throws invalid_argument if there are any */
  refuse(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#paths.length;
    const listed = this.#paths.map((path) => `${path}: is not a field of this method`);
    throw invalid([...listed, ...(more > 0 ? [`and ${more} more`] : [])].join("; "));
  }
}

/** @throws invalid_argument for text that is not JSON, or is nested too deeply for recursive parsers */
export function parseJson(bytes: Buffer): unknown {
  if (depthOf(bytes) > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid("The body is not JSON");
  }
}

/** Returns the nesting depth of brackets, outside of strings. */
function depthOf(bytes: Buffer): number {
  let [depth, deepest] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
}

const fieldsOf = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** Returns fields by both of their spellings. */
function fieldsByName(desc: DescMessage): ReadonlyMap<string, DescField> {
  const known = fieldsOf.get(desc);
  if (known) return known;
  const fields = new Map(
    desc.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const]),
  );
  fieldsOf.set(desc, fields);
  return fields;
}

function cleanMessage(desc: DescMessage, json: Json, path: string, unknown: UnknownFields): Json {
  const fields = fieldsByName(desc);
  const clean: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(json)) {
    const field = fields.get(key);
    if (field) clean[field.jsonName] = cleanField(field, value, `${path}${field.jsonName}`, unknown);
    else unknown.add(path, key);
  }
  return clean;
}

function cleanField(field: DescField, value: unknown, at: string, unknown: UnknownFields): unknown {
  switch (field.fieldKind) {
    case "scalar":
      return cleanScalar(field.scalar, value, at);
    case "message":
      return cleanItem(field.message, value, at, unknown);
    case "list":
      // null stands for an absent field, as generated clients send it.
      if (value === null) return value;
      if (!Array.isArray(value)) throw invalid(`${at}: must be a list`);
      requireMaxItems(field, value, at);
      return value.map((item, i) => cleanOf(field, item, `${at}[${i}]`, unknown));
    case "map":
      if (value === null) return value;
      if (!isObject(value)) throw invalid(`${at}: must be an object`);
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          cleanScalar(ScalarType.STRING, key, `${at} key`),
          cleanOf(field, item, `${at}[${key}]`, unknown),
        ]),
      );
    case "enum":
      return cleanEnum(field.enum, value, at);
    default:
      return field satisfies never;
  }
}

/**
 * Rejects a list by its length before any item is read: validating each item of a list of 300,000 takes seconds.
 * @throws invalid_argument naming the field and its limit
 */
function requireMaxItems(field: DescField, items: readonly unknown[], at: string): void {
  const { type } = getOption(field, fieldRules);
  const maxItems = type.case === "repeated" ? type.value.maxItems : undefined;
  if (maxItems && items.length > maxItems) throw invalid(`${at}: must have at most ${maxItems} items`);
}

function cleanOf(
  field: DescField & { fieldKind: "list" | "map" },
  item: unknown,
  at: string,
  unknown: UnknownFields,
): unknown {
  if (item === null) throw invalid(`${at}: must not be null`);
  if (field.message) return cleanItem(field.message, item, at, unknown);
  return field.scalar === undefined ? cleanEnum(field.enum, item, at) : cleanScalar(field.scalar, item, at);
}

function cleanItem(desc: DescMessage, value: unknown, at: string, unknown: UnknownFields): unknown {
  if (desc.typeName === TimestampSchema.typeName) return spellTime(value, at);
  if (value === null) return value;
  if (!isObject(value)) throw invalid(`${at}: must be an object`);
  return cleanMessage(desc, value, `${at}.`, unknown);
}

function cleanEnum(desc: DescEnum, value: unknown, at: string): unknown {
  const isKnown = desc.values.some(({ name, number }) => value === name || value === number);
  if (value !== null && !isKnown)
    throw invalid(`${at}: must be one of ${desc.values.map(({ name }) => name).join(", ")}`);
  return value;
}

const FRACTIONS = new Set([ScalarType.DOUBLE, ScalarType.FLOAT]);
const MAX_FLOAT = 3.4028234663852886e38;
const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const UINT32 = [0n, 2n ** 32n - 1n] as const;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const UINT64 = [0n, 2n ** 64n - 1n] as const;
const RANGES: ReadonlyMap<ScalarType, readonly [bigint, bigint]> = new Map([
  ...[ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32].map((type) => [type, INT32] as const),
  ...[ScalarType.UINT32, ScalarType.FIXED32].map((type) => [type, UINT32] as const),
  ...[ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64].map((type) => [type, INT64] as const),
  ...[ScalarType.UINT64, ScalarType.FIXED64].map((type) => [type, UINT64] as const),
]);

/** Checks the kind and range of a value here, because the protocol's own errors name no path. */
function cleanScalar(type: ScalarType, value: unknown, at: string): unknown {
  if (value === null) return value;
  if (type === ScalarType.BOOL) {
    if (typeof value !== "boolean") throw invalid(`${at}: must be true or false`);
  } else if (type === ScalarType.STRING || type === ScalarType.BYTES) {
    if (typeof value !== "string") throw invalid(`${at}: must be text`);
    if (value.includes("\0")) throw invalid(`${at}: must not contain a NUL character`);
    if (!value.isWellFormed()) throw invalid(`${at}: must be valid Unicode text`);
  } else if (FRACTIONS.has(type)) {
    // The protocol also accepts numbers as text, including "0x10", "1e3" and "NaN".
    const isNumber = typeof value === "number" || (typeof value === "string" && FRACTION.test(value));
    const most = type === ScalarType.FLOAT ? MAX_FLOAT : Number.MAX_VALUE;
    if (!isNumber || !(Math.abs(Number(value)) <= most)) throw invalid(`${at}: must be a finite number`);
  } else {
    const isWhole =
      typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && WHOLE.test(value);
    if (!isWhole) throw invalid(`${at}: must be a whole number`);
    const [least, most] = RANGES.get(type)!; // of all whole numbers
    if (BigInt(value as number | string) < least || BigInt(value as number | string) > most)
      throw invalid(`${at}: must be ${least} to ${most}`);
  }
  return value;
}

const FRACTION = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const WHOLE = /^-?\d{1,20}$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Formats a time as RFC 3339, as required by Protobuf JSON. */
function spellTime(value: unknown, field: string): unknown {
  if (value === null) return value;
  if (typeof value === "string" && RFC_3339.test(value)) {
    const ms = Date.parse(value);
    if (!Number.isNaN(ms)) {
      if (!(ms >= EARLIEST_MS && ms < LATEST_MS)) throw invalid(`${field}: must lie in the years 1900 to 9999`);
      return value;
    }
  }
  if (!isObject(value)) throw invalid(`${field}: must be a time such as 2026-05-01T20:00:00Z (RFC 3339)`);
  const { seconds = 0, nanos = 0 } = value;
  const isWhole = typeof seconds === "string" ? /^-?\d{1,19}$/.test(seconds) : Number.isInteger(seconds);
  if (!isWhole) throw invalid(`${field}: seconds must be a whole number`);
  if (!Number.isInteger(nanos) || Number(nanos) < 0 || Number(nanos) > 999_999_999) {
    throw invalid(`${field}: nanos must be 0 to 999999999`);
  }
  const ms = Number(seconds) * 1000;
  if (!(ms >= EARLIEST_MS && ms < LATEST_MS)) throw invalid(`${field}: must lie in the years 1900 to 9999`);
  const text = new Date(ms).toISOString().slice(0, 19);
  return `${text}.${String(nanos).padStart(9, "0")}Z`;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
