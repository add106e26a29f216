/** Reads a typed whole number from 0 to `most`; undefined for anything else, units and empty texts included. */
export function wholeNumber(typed: string, most: number): number | undefined {
  const digits = typed.trim();
  if (!/^\d+$/.test(digits)) return undefined;
  const value = Number(digits);
  return value <= most ? value : undefined;
}
