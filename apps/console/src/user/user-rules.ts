export const ROLES = ["Admin", "Director", "AI"] as const;

/** Each rule answers true or the text under its field. */
export const userRules = {
  name: (name: string) => name.trim() !== "" || "Name is required",
  email: (email: string) =>
    email.trim() === "" || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) || "Invalid email address",
  phone: (phone: string) => phone.trim() === "" || /^\+?[\d\s()-]+$/.test(phone.trim()) || "Invalid phone number",
} as const;
