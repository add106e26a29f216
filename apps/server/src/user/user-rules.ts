import { invalid } from "../platform/errors.ts";

/** @throws invalid_argument for an empty name */
export function requireName(name: string): string {
  if (name.trim() === "") throw invalid("Name is required");
  return name;
}

/**
 * The text of an email field; empty for none. Characters that mail programs read as lists or names are refused, so that an
 * address is one mailbox: `a,b@example.org` and `<b@example.org>` reach b.
 */
export function requireEmail(email: string): string {
  const trimmed = email.trim();
  if (trimmed === "") return "";
  if (!EMAIL.test(trimmed)) throw invalid("Invalid email address");
  return trimmed;
}

const EMAIL = /^[^\s@\p{C},;:<>()[\]"\\]{1,64}@[^\s@.\p{C},;:<>()[\]"\\]{1,63}(\.[^\s@.\p{C},;:<>()[\]"\\]{1,63})+$/u;

/** The text of a phone field: an optional plus, digits, spaces, hyphens and parentheses; empty for none. */
export function requirePhone(phone: string): string {
  const trimmed = phone.trim();
  if (trimmed === "") return "";
  if (!/^\+?[0-9 ()-]+$/.test(trimmed) || !/[0-9]/.test(trimmed)) throw invalid("Invalid phone number");
  return trimmed;
}

/** Where a sign-in code goes, written one way: a lower-case email or the digits of a number. */
export function loginTarget(text: string): string {
  if (text.includes("@")) return requireEmail(text).toLowerCase();
  return requirePhone(text).replaceAll(/[^0-9+]/g, "");
}
