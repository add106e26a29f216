import { goldStrings } from "./accounting.strings.ts";

/** The most one transaction moves, as the contract has it. */
const MOST = 1_000_000_000n;
/** Characters of a reason. */
export const MOST_REASON = 500;

/** Whole pieces of gold; undefined for other text, or more than there is. @param most what can be spent */
export function parseAmount(typed: string, most = MOST): bigint | undefined {
  return amountError(typed, most) === undefined ? BigInt(typed.trim()) : undefined;
}

export function amountError(typed: string, most = MOST): string | undefined {
  const digits = typed.trim();
  if (!/^[0-9]{1,10}$/.test(digits)) return goldStrings.form.wrong;
  const amount = BigInt(digits);
  if (amount < 1n || amount > MOST) return goldStrings.form.wrong;
  return amount > most ? goldStrings.form.tooMuch(most) : undefined;
}
