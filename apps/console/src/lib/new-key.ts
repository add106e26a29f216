/** A random key that marks one request, so that it is carried out once. Unlike crypto.randomUUID it exists on plain http too. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
