/** A key nobody else makes, for a wish that must be granted once. Also where the page is not served by https. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
