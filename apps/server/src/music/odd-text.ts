/** Whether a text anywhere in a value is invalid: the database takes no NUL and no half characters, and no screen any other control character. */
export function hasOddText(value: unknown): boolean {
  if (typeof value === "string") return /\p{Cc}/u.test(value) || !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, part]) => hasOddText(key) || hasOddText(part));
}
