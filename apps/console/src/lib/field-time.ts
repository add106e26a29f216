/** A moment as a date field shows it, to the minute or, where it has any, the second. */
export function toFieldTime(at: Date | undefined): string {
  if (!at) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
  return at.getSeconds() === 0 ? minutes : `${minutes}:${two(at.getSeconds())}`;
}

/**
 * The moment a date field means. An hour that comes twice, and parts of a second, are not in a field: one that was left as it
 * was is still the moment it was filled from.
 */
export const momentOf = (typed: string, before: Date | undefined): Date =>
  before && toFieldTime(before) === typed ? before : new Date(typed);
