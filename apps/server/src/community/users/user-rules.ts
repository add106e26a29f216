import { invalid } from "../../platform/errors.ts";
import { phoneTarget, plainPhone, type HomeCountry } from "./phone-numbers.ts";

/** @throws invalid_argument for an empty name */
export function requireName(name: string): string {
  if (name.trim() === "") throw invalid("Name is required");
  return name;
}

/**
 * Trims and checks an email; empty without one. Characters that mail programs read as lists or names are rejected, so
 * that an address is one mailbox: `a,b@example.org` and `<b@example.org>` reach b.
 *
 * @throws invalid_argument
 */
export function requireEmail(email: string): string {
  const trimmed = email.trim();
  if (trimmed === "") return "";
  if (!EMAIL.test(trimmed)) throw invalid("Invalid email address");
  return trimmed;
}

const EMAIL = /^[^\s@\p{C},;:<>()[\]"\\]{1,64}@[^\s@.\p{C},;:<>()[\]"\\]{1,63}(\.[^\s@.\p{C},;:<>()[\]"\\]{1,63})+$/u;

/**
 * Trims and checks a phone number: an optional plus, digits, spaces, hyphens and parentheses; empty without one.
 * @throws invalid_argument
 */
export function requirePhone(phone: string): string {
  const trimmed = phone.trim();
  if (trimmed === "") return "";
  if (!/^\+?[0-9 ()-]+$/.test(trimmed) || !/[0-9]/.test(trimmed)) throw invalid("Invalid phone number");
  return trimmed;
}

/**
 * Normalizes an address for sign-in codes: a lower-case email, or the plus and digits of a number. All spellings of one
 * number have one target.
 *
 * @throws invalid_argument
 */
export function loginTarget(text: string, country?: HomeCountry): string {
  if (text.includes("@")) return requireEmail(text).toLowerCase();
  return phoneTarget(requirePhone(plainPhone(text)), country);
}
