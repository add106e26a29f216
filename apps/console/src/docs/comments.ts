import comments from "@followspot/contract/comments.json";
import limits from "@followspot/contract/limits.json";

/** What the contract's files say of a service, method, message, field, enum or value, by its full name. */
export const commentOf = (fullName: string): string | undefined =>
  (comments as Readonly<Record<string, string>>)[fullName];

/** What a field may hold, in words, by its full name; the server refuses anything else. */
export const limitsOf = (fullName: string): string | undefined =>
  (limits as Readonly<Record<string, string>>)[fullName];
