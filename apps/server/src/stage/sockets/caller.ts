import type { IncomingHttpHeaders } from "node:http";
import { STAGE_HEADERS } from "@followspot/contract";

const MAX_NAME = 80;

/** What main-api says of who is asking; "" where it says nothing. */
export function headerOf(headers: IncomingHttpHeaders, name: keyof typeof STAGE_HEADERS): string {
  return String(headers[STAGE_HEADERS[name]] ?? "");
}

/** Their name, at most 80 characters. */
export function nameOf(headers: IncomingHttpHeaders): string {
  try {
    return decodeURIComponent(headerOf(headers, "name")).slice(0, MAX_NAME);
  } catch {
    return ""; // a broken escape is no name
  }
}
