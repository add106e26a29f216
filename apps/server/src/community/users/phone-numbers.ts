import { parsePhoneNumberFromString, type CountryCode } from "libphonenumber-js/min";

/** Country of phone numbers without a country code, as in ISO 3166; undefined if such numbers have no country. */
export type HomeCountry = CountryCode | undefined;

/** First digits of the scripts whose digits address books store. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6];
const EXTENSION = /(?<=\d[\s)]*)(?:;ext=|,|#|ext(?:ension)?\.?:?|x)\s*\d{1,7}$/i;
/** International prefixes of most countries; the others are written with a plus. */
const DIALED_ABROAD = ["00", "011", "0011"];

/**
 * Rewrites a phone number from another program in the characters of the user form. Removes `tel:`, an extension and
 * invisible characters; other punctuation and digits of other scripts become ASCII.
 */
export function plainPhone(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .replaceAll(/\p{Pd}/gu, "-")
    .trim()
    .replace(/^tel:\s*/i, "")
    .replace(EXTENSION, "")
    .replaceAll(/[\s./]+/g, " ")
    .trim();
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!; // the pattern matches one character
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? digit : String(code - zero);
}

/** Normalizes a plain phone number: "+491711234567" if its country is known, otherwise its digits as written. */
export function phoneTarget(plain: string, country: HomeCountry): string {
  return (parse(plain, country)?.number ?? plain).replaceAll(/[^0-9+]/g, "");
}

/** Returns the digits of all spellings of a number that have this target. */
export function spellingsOf(target: string, country: HomeCountry): readonly string[] {
  const number = parse(target, country);
  if (!number) return [target];
  const code = number.countryCallingCode;
  const national = new Set([number.nationalNumber, number.formatNational().replaceAll(/\D/g, "")]);
  const spellings = [...national].flatMap((digits) => [
    ...["+", ...DIALED_ABROAD].map((prefix) => `${prefix}${code}${digits}`),
    digits,
    `${code}${digits}`,
  ]);
  return [...new Set([target, ...spellings.filter((digits) => phoneTarget(digits, country) === target)])];
}

function parse(plain: string, country: HomeCountry) {
  const options = { extract: false, ...(country && { defaultCountry: country }) };
  return [plain, plain.replace(/^00/, "+")]
    .map((text) => parsePhoneNumberFromString(text, options))
    .find((number) => number?.isPossible());
}
