import type { IncomingHttpHeaders } from "node:http";

/** The bytes of a file to send in response to a request, and the status code. */
export type ChosenBytes =
  | { readonly status: 200 | 206; readonly start: number; readonly end: number }
  | { readonly status: 304 }
  | { readonly status: 416 };

/**
 * Evaluates conditions and ranges by RFC 9110 §13 and §14. A request for several ranges, or for ranges in another unit,
 * gets the whole file, which the RFC allows.
 * @param etag with its quotes
 */
export function chooseBytes(
  headers: IncomingHttpHeaders,
  { bytes, etag, mtimeMs }: { readonly bytes: number; readonly etag: string; readonly mtimeMs: number },
): ChosenBytes {
  if (isFresh(headers, etag, mtimeMs)) return { status: 304 };
  const whole = { status: 200, start: 0, end: bytes - 1 } as const;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  const isRange = first !== undefined && last !== undefined && first + last !== "";
  if (!isRange || !isSameFile(headers["if-range"], etag, mtimeMs)) return whole;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && first !== "" && Number(last) < start) return whole; // not a range
  return start <= end ? { status: 206, start, end } : { status: 416 };
}

/** Whether the browser has this version of the file. False for a request with no-cache. */
function isFresh(headers: IncomingHttpHeaders, etag: string, mtimeMs: number): boolean {
  if (/\bno-cache\b/.test(headers["cache-control"] ?? "")) return false;
  const tags = headers["if-none-match"];
  if (tags !== undefined) return tags.split(",").some((tag) => tag.trim() === "*" || isTag(tag, etag));
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return Math.floor(mtimeMs / 1000) <= since / 1000;
}

/** Whether If-Range matches this version; true without If-Range. */
function isSameFile(ifRange: string | string[] | undefined, etag: string, mtimeMs: number): boolean {
  if (typeof ifRange !== "string") return true;
  if (ifRange.includes('"')) return isTag(ifRange, etag);
  return Math.floor(mtimeMs / 1000) <= Date.parse(ifRange) / 1000;
}

/** Compares tags weakly: proxies that compress a response mark its tag as weak. */
const isTag = (given: string, etag: string) => given.trim().replace(/^W\//, "") === etag;
