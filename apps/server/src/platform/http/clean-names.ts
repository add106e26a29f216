import type { DescMessage } from "@bufbuild/protobuf";

/** Fields of requests that lists, screens and mails show within other text. */
const NAME_FIELDS: ReadonlySet<string> = new Set(["name", "title", "label", "username"]);
/** Invisible characters that turn the direction of the text after them, or make two equal names differ. */
const HIDDEN = /[\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
const VISIBLE = /[^\p{C}\p{Z}]/u;

/**
 * Removes invisible characters from a name. Joiners in emoji and in words stay. A name without any visible character
 * becomes a space, which is refused where a blank name is, while an empty one may mean none.
 */
export function cleanName(text: string): string {
  const name = text.replaceAll(HIDDEN, "");
  return text === "" || VISIBLE.test(name) ? name : " ";
}

/** Cleans every name and title of a request, also in its lists. */
export function cleanNames(desc: DescMessage, message: object): void {
  const values = message as Record<string, unknown>; // a message of this descriptor
  for (const field of desc.fields) {
    const value = values[field.localName];
    if (NAME_FIELDS.has(field.localName) && typeof value === "string") values[field.localName] = cleanName(value);
    else if (field.message && Array.isArray(value)) for (const each of value) cleanNames(field.message, each as object);
    else if (field.message && field.fieldKind === "message" && value) cleanNames(field.message, value);
  }
}
