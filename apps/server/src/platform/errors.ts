import { Code, ConnectError } from "@connectrpc/connect";

/** Errors for callers. Messages are readable for users and contain no secrets, paths or stacks. */
export const invalid = (message: string) => new ConnectError(message, Code.InvalidArgument);
export const outOfRange = (message: string) => new ConnectError(message, Code.OutOfRange);
export const notFound = (noun: string, id: string | number) =>
  new ConnectError(`${noun} ${id} does not exist`, Code.NotFound);
/** For resources whose existence must not be revealed; the message explains what to do. */
export const missing = (message: string) => new ConnectError(message, Code.NotFound);
export const alreadyExists = (message: string) => new ConnectError(message, Code.AlreadyExists);
/** For a valid request that conflicts with the current state. */
export const conflict = (message: string) => new ConnectError(message, Code.FailedPrecondition);
/** For a concurrent change: read again, then retry. */
export const overtaken = (message: string) => new ConnectError(message, Code.Aborted);
export const unauthenticated = (message = "Sign in first") => new ConnectError(message, Code.Unauthenticated);
export const denied = (message = "You may not do this") => new ConnectError(message, Code.PermissionDenied);
/** @param retrySeconds sent as Retry-After, if known */
export const exhausted = (message: string, retrySeconds?: number) =>
  new ConnectError(message, Code.ResourceExhausted, retryAfter(retrySeconds));
/** For a count of calls beyond its limit. @param secondsLeft until the count is reset */
export const overLimit = (message: string, limit: number, secondsLeft: number) =>
  new ConnectError(message, Code.ResourceExhausted, {
    "retry-after": String(secondsLeft),
    ...rateLimitHeaders(limit, 0, secondsLeft),
  });
/** Headers of a counted call, after draft-ietf-httpapi-ratelimit-headers-03. */
export const rateLimitHeaders = (limit: number, remaining: number, secondsLeft: number) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(secondsLeft),
});
/** @param retrySeconds sent as Retry-After, if known */
export const unavailable = (message: string, cause?: unknown, retrySeconds?: number) =>
  new ConnectError(message, Code.Unavailable, retryAfter(retrySeconds), undefined, cause);

const retryAfter = (seconds: number | undefined) =>
  seconds === undefined ? undefined : { "retry-after": String(seconds) };

/** Formats a waiting time for a sentence: "5 minutes", "3 hours". */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [n, unit] = minutes < 100 ? [minutes, "minute"] : [Math.ceil(minutes / 60), "hour"];
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
