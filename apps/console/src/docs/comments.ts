import comments from "@followspot/contract/comments.json";
import limits from "@followspot/contract/limits.json";
import { SERVICES } from "@followspot/contract/services";

/** What the contract's files say of a service, method, message, field, enum or value, by its full name; fields as JSON names them. */
export function commentOf(fullName: string): string | undefined {
  const comment = (comments as Readonly<Record<string, string>>)[fullName];
  // A text that holds JSON itself has names of its own.
  if (comment === undefined || /\bas JSON\b/.test(comment)) return comment;
  const named = namesIn(/^followspot\.\w+\.v1\./.exec(fullName)?.[0] ?? "");
  // Filters and orders are values: they stay as they are sent.
  const parts = comment.split(/((?:Filters|Orders): [^.]*\.)/);
  return parts.map((part, at) => (at % 2 ? part : part.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, named))).join("");
}

/** How JSON names a field of a package of the contract, or what leads to a list's next page; what is no field stays. */
function namesIn(packageName: string): (word: string) => string {
  return (word) => JSON_NAMES.get(packageName + word) ?? PAGES[word] ?? word;
}

const PAGES: Readonly<Record<string, string>> = { page_token: "pageToken", next_page_token: "nextPageToken" };

const JSON_NAMES: ReadonlyMap<string, string> = new Map(
  SERVICES.flatMap(({ file }) =>
    file.messages
      .flatMap(({ fields }) => fields)
      .map(({ name, jsonName }) => [`${file.proto.package}.${name}`, jsonName] as const),
  ),
);

/** What a field may hold, in words, by its full name; the server refuses anything else. */
export const limitsOf = (fullName: string): string | undefined =>
  (limits as Readonly<Record<string, string>>)[fullName];
