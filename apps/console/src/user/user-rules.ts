import { limited } from "../lib/text-limits.ts";

export const ROLES = ["Admin", "Director", "AI"] as const;
export type Role = (typeof ROLES)[number];

/** Maximum lengths of the text fields of a user, characters. */
export const USER_LIMITS = { name: 200, username: 100, email: 254, phone: 50, purpose: 2000, bio: 10_000 } as const;

/** Validation rules of the user form. Each returns true or the error text. */
export const userRules = {
  name: limited(USER_LIMITS.name, (name) => name.trim() !== "" || "Name is required"),
  username: limited(USER_LIMITS.username),
  email: limited(
    USER_LIMITS.email,
    (email) => email.trim() === "" || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) || "Invalid email address",
  ),
  phone: limited(
    USER_LIMITS.phone,
    (phone) => phone.trim() === "" || /^\+?[\d\s()-]+$/.test(phone.trim()) || "Invalid phone number",
  ),
  purpose: limited(USER_LIMITS.purpose),
  bio: limited(USER_LIMITS.bio),
} as const;
