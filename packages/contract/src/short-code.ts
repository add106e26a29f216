/** Digits and letters without look-alikes (0 O, 1 I L, 5 S, 8 B, 2 Z, U V) and without vowels, so that no code is a word. */
export const SHORT_CODE_ALPHABET = "23456789CDFGHJKMNPQRTVWXY";
export const SHORT_CODE_LENGTH = 6;

const SHORT_CODE = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${SHORT_CODE_LENGTH}}$`);
const LOOK_ALIKES: Readonly<Record<string, string>> = { S: "5", B: "8", Z: "2", U: "V" };

/**
 * Reads a short code as people type it: in any case, with spaces or hyphens, and with letters that look like a
 * character of the alphabet.
 * @returns undefined if the text is not a short code
 */
export function readShortCode(text: string): string | undefined {
  const code = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll(/[SBZU]/g, (letter) => LOOK_ALIKES[letter]!);
  return SHORT_CODE.test(code) ? code : undefined;
}

/** Formats a short code in two groups, which are easier to read out and to type: "K7M 2QX". */
export const groupShortCode = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;
