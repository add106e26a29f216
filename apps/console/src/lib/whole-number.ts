/** Parses a whole number from 0 to `most`; undefined for anything else, such as units or an empty text. */
export function wholeNumber(typed: string, most: number): number | undefined {
  const digits = typed.trim();
  if (!/^\d+$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= most ? value : undefined;
}
