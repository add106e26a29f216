/** What a device calls itself, as one line of text. */
export function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "").trim();
}
