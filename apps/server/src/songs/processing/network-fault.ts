/** Explains why an address was unreachable, as a clause about it: "refused the connection". */
export function networkFault(error: unknown): string {
  const { code } = (((error as Error).cause as object) ?? error) as { readonly code?: string };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "was not found: its name has no address here";
  if (code === "ECONNREFUSED") return "refused the connection";
  if (code === "UND_ERR_SOCKET" || code === "ECONNRESET") return "broke off in the middle";
  return `could not be reached${code ? ` (${code})` : ""}`;
}
