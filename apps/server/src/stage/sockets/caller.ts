import type { IncomingHttpHeaders } from "node:http";
import { STAGE_HEADERS } from "@followspot/contract";

const MAX_NAME = 80;

/** Returns a header in which main-api identifies the caller; "" if it is missing. */
export function headerOf(headers: IncomingHttpHeaders, name: keyof typeof STAGE_HEADERS): string {
  return String(headers[STAGE_HEADERS[name]] ?? "");
}

/** Returns the caller's name, at most 80 characters. */
export function nameOf(headers: IncomingHttpHeaders): string {
  try {
    return decodeURIComponent(headerOf(headers, "name")).slice(0, MAX_NAME);
  } catch {
    return ""; // a broken escape is not a name
  }
}
