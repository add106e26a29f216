/**
 * Whether any text in a value is invalid. The database rejects NUL and lone surrogates; screens cannot show other
 * control characters.
 */
export function hasOddText(value: unknown): boolean {
  if (typeof value === "string") return /\p{Cc}/u.test(value) || !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) => hasOddText(key) || hasOddText(part));
}
