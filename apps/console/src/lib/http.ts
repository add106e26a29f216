import { Code, ConnectError } from "@connectrpc/connect";
import { serverPath } from "./base-path.ts";
import { TIMED_OUT, UNREACHABLE } from "./errors.ts";

/** Time limit of a call, ms. Uploads and downloads of files have no limit. */
export const CALL_LIMIT_MS = 30_000;

interface JsonRequest extends RequestInit {
  readonly limitMs?: number;
}

/** Calls a plain HTTP route of our server and parses the JSON response. Refusals become a ConnectError. */
export async function requestJson<Answer>(
  path: string,
  { limitMs = CALL_LIMIT_MS, signal, ...init }: JsonRequest = {},
): Promise<Answer> {
  const limit = AbortSignal.timeout(limitMs);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  try {
    const response = await fetch(serverPath(path), { credentials: "same-origin", ...init, signal: either });
    const body = await response.text();
    if (!response.ok) throw refusal(response.status, body);
    return (body ? JSON.parse(body) : {}) as Answer;
  } catch (error) {
    if (error instanceof ConnectError || error instanceof SyntaxError) throw error;
    if (signal?.aborted) throw new ConnectError("the request was cancelled", Code.Canceled);
    if (limit.aborted) throw new ConnectError(TIMED_OUT, Code.DeadlineExceeded);
    throw unreachable(error);
  }
}

/** Creates the error of a call without a response. The wording of browsers differs. */
export const unreachable = (cause: unknown): ConnectError =>
  new ConnectError(UNREACHABLE, Code.Unavailable, undefined, undefined, cause);

/** Returns the RPC code for a plain HTTP status, for bodies that name none. */
export function codeOfStatus(status: number): Code {
  switch (status) {
    case 400:
      return Code.Internal;
    case 401:
      return Code.Unauthenticated;
    case 403:
      return Code.PermissionDenied;
    case 404:
      return Code.Unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return Code.Unavailable;
    default:
      return Code.Unknown;
  }
}

/** Creates the error for an HTTP response: from a Connect error body if there is one, otherwise from the status. */
export function refusal(status: number, body: string): ConnectError {
  try {
    const { code, message } = JSON.parse(body) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof message === "string") return new ConnectError(message, codeByName(code) ?? codeOfStatus(status));
  } catch {
    // The body is not JSON, such as the error page of a proxy.
  }
  return new ConnectError(`HTTP ${status}`, codeOfStatus(status));
}

function codeByName(name: unknown): Code | undefined {
  if (typeof name !== "string") return undefined;
  const pascal = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const code = (Code as unknown as Record<string, Code | undefined>)[pascal];
  return typeof code === "number" ? code : undefined;
}
