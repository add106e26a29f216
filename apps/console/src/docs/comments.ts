import comments from "@followspot/contract/comments.json";

/** What the contract's files say of a service, method, message, field, enum or value, by its full name. */
export const commentOf = (fullName: string): string | undefined =>
  (comments as Readonly<Record<string, string>>)[fullName];
