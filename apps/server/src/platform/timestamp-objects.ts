import type { DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { exhausted, invalid } from "./errors.ts";
import { EARLIEST_MS, LATEST_MS } from "./timestamps.ts";

/** Whether requests of this type may carry times. */
export function hasTimestamps(input: DescMessage): boolean {
  return timestampFields(input).length > 0;
}

/**
 * A JSON request with every time written as text. Clients of the console's own protocol send
 * `{seconds, nanos}`, Protobuf JSON wants RFC 3339: both are taken. What is not JSON stays as it is.
 * @throws invalid_argument naming the field
 */
export function spellTimestamps(input: DescMessage, body: Buffer): Buffer {
  let json: unknown;
  try {
    json = JSON.parse(body.toString());
  } catch {
    return body; // the protocol's own reader says what is wrong with it
  }
  if (typeof json !== "object" || json === null) return body;
  const fields = json as Record<string, unknown>; // any object is one
  for (const { name, jsonName } of timestampFields(input)) {
    for (const key of [name, jsonName]) {
      const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (typeof value === "object" && value !== null) fields[key] = spell(value, name);
    }
  }
  return Buffer.from(JSON.stringify(fields));
}

/** The whole body. @throws resource_exhausted past `maxBytes` */
export async function readBody(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw exhausted("The request is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function spell(value: { seconds?: unknown; nanos?: unknown }, field: string): string {
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

function timestampFields(input: DescMessage) {
  return input.fields.filter((field) => field.message?.typeName === TimestampSchema.typeName);
}
