/** Removes control characters from a device's name. */
export function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "").trim();
}
