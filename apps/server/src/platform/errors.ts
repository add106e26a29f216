import { Code, ConnectError } from "@connectrpc/connect";

/** The vocabulary of refusals. Messages are for a person and hold no secret, path or stack. */
export const invalid = (message: string) => new ConnectError(message, Code.InvalidArgument);
export const outOfRange = (message: string) => new ConnectError(message, Code.OutOfRange);
export const notFound = (noun: string, id: string | number) =>
  new ConnectError(`${noun} ${id} does not exist`, Code.NotFound);
/** For things that look the same to a stranger whether they exist or not: the sentence says what to do. */
export const missing = (message: string) => new ConnectError(message, Code.NotFound);
export const alreadyExists = (message: string) => new ConnectError(message, Code.AlreadyExists);
/** The request is fine, the state of things is not. */
export const conflict = (message: string) => new ConnectError(message, Code.FailedPrecondition);
/** Another change came first: read again, then try again. */
export const overtaken = (message: string) => new ConnectError(message, Code.Aborted);
export const unauthenticated = (message = "Sign in first") => new ConnectError(message, Code.Unauthenticated);
export const denied = (message = "You may not do this") => new ConnectError(message, Code.PermissionDenied);
/** @param retrySeconds told as Retry-After, where it is known */
export const exhausted = (message: string, retrySeconds?: number) =>
  new ConnectError(message, Code.ResourceExhausted, retryAfter(retrySeconds));
/** @param retrySeconds as above */
export const unavailable = (message: string, cause?: unknown, retrySeconds?: number) =>
  new ConnectError(message, Code.Unavailable, retryAfter(retrySeconds), undefined, cause);

const retryAfter = (seconds: number | undefined) =>
  seconds === undefined ? undefined : { "retry-after": String(seconds) };

/** How long a person has to wait, for a sentence: "5 minutes", "3 hours". */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [n, unit] = minutes < 100 ? [minutes, "minute"] : [Math.ceil(minutes / 60), "hour"];
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}
