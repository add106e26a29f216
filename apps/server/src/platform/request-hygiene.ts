import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { invalid } from "./errors.ts";

/**
 * Refuses what JSON lets through and nothing behind us can store: NUL and broken surrogate pairs
 * in strings, NaN and Infinity in numbers, wherever they are in the request.
 * @throws invalid_argument naming the field
 */
export function requireCleanMessage(desc: DescMessage, message: Message): void {
  checkMessage(reflect(desc, message), "");
}

function checkMessage(message: ReflectMessage, path: string): void {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const at = `${path}${field.name}`;
    switch (field.fieldKind) {
      case "scalar":
        checkScalar(message.get(field), at);
        break;
      case "message":
        checkMessage(message.get(field), `${at}.`);
        break;
      case "list":
        for (const [i, item] of [...message.get(field)].entries()) checkItem(field, item, `${at}[${i}]`);
        break;
      case "map":
        for (const [key, item] of message.get(field)) {
          checkScalar(key, `${at} key`);
          checkItem(field, item, `${at}[${String(key)}]`);
        }
        break;
      case "enum":
        break;
    }
  }
}

function checkItem(field: DescField & { fieldKind: "list" | "map" }, item: unknown, at: string): void {
  const kind = field.fieldKind === "list" ? field.listKind : field.mapKind;
  // Reflection hands out items of message fields as ReflectMessage; the type says unknown.
  if (kind === "message") checkMessage(item as ReflectMessage, `${at}.`);
  else checkScalar(item, at);
}

function checkScalar(value: unknown, at: string): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw invalid(`${at}: must not contain a NUL character`);
    if (!value.isWellFormed()) throw invalid(`${at}: must be valid Unicode text`);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw invalid(`${at}: must be a finite number`);
}
