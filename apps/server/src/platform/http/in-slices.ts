import { setImmediate as nextTurn } from "node:timers/promises";
import { toJson, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";

/** Rows processed in one turn of the event loop, a few milliseconds; other calls run in between. */
export const SLICE_ROWS = 500;

/** Maps a large number of rows without blocking other calls. */
export async function mapInSlices<Row, Item>(rows: readonly Row[], map: (row: Row) => Item): Promise<Item[]> {
  const items: Item[] = [];
  for await (const slice of slicesOf(rows)) for (const row of slice) items.push(map(row));
  return items;
}

/** Serializes a response with one possibly very long list. Equal to `toJsonString` except for the order of fields. */
export async function jsonInSlices(schema: DescMessage, message: Message): Promise<Buffer> {
  // A message of a schema has these fields by their local names.
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  const long = schema.fields.find((field) => isLong(field, fields[field.localName]));
  if (long?.fieldKind !== "list" || long.listKind !== "message")
    return Buffer.from(JSON.stringify(toJson(schema, message)));
  const rest = JSON.stringify(toJson(schema, { ...message, [long.localName]: [] })).slice(0, -1);
  const pieces = [Buffer.from(`${rest}${rest === "{" ? "" : ","}${JSON.stringify(long.jsonName)}:[`)];
  for await (const slice of slicesOf(fields[long.localName] as readonly Message[])) {
    const text = slice.map((item) => JSON.stringify(toJson(long.message, item))).join(",");
    pieces.push(Buffer.from(pieces.length > 1 ? `,${text}` : text));
  }
  return Buffer.concat([...pieces, Buffer.from("]}")]);
}

const isLong = (field: DescField, value: unknown): boolean =>
  field.fieldKind === "list" && field.listKind === "message" && Array.isArray(value) && value.length > SLICE_ROWS;

async function* slicesOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += SLICE_ROWS) {
    if (at > 0) await nextTurn();
    yield rows.slice(at, at + SLICE_ROWS);
  }
}
