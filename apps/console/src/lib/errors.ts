/** Returns the text of a failure for display: the name of its code in brackets, then the message. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return "Unknown error";
}

/** Returns the message without its code, for places where the code would only be noise. */
export function plainErrorText(error: unknown): string {
  return errorText(error).replace(/^\[[a-z_]+\] ?/, "");
}

/** Returns the message as a whole sentence: "The server cannot be reached." */
export function errorSentence(error: unknown): string {
  const text = plainErrorText(error);
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * Parses a refusal that begins with the refused field, as in "amount: must be at least 1"; undefined if it names no
 * field.
 */
export function refusedField(error: unknown): { readonly field: string; readonly why: string } | undefined {
  const [, field, why] = /^([a-z][A-Za-z0-9]*): (.+)$/s.exec(plainErrorText(error)) ?? [];
  return field !== undefined && why !== undefined ? { field, why } : undefined;
}

/** Message for a call without a response. The wording of browsers differs. */
export const UNREACHABLE = "the server cannot be reached";
/** Message for a call that exceeded its time limit, in the words of the RPC library. */
export const TIMED_OUT = "the operation timed out";

/** RPC errors are recognized by their code, so that the shell need not load their class. */
const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && "code" in error && error.code === code;

const CANCELLED = 1;
const TOO_LATE = 4;
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const ABORTED = 10;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

export const isUnauthenticated = (error: unknown): boolean => hasCode(error, UNAUTHENTICATED);

/** Whether the server knows the caller and denies the request. */
export const isDenied = (error: unknown): boolean => hasCode(error, PERMISSION_DENIED);

/** Whether the resource exists already, or its ID belongs to something else. */
export const isTaken = (error: unknown): boolean => hasCode(error, ALREADY_EXISTS);

/** Whether a call got no response, a late response, or one that asks to retry later. */
export const isUnanswered = (error: unknown): boolean =>
  [CANCELLED, TOO_LATE, UNAVAILABLE].some((code) => hasCode(error, code));

export const isNotFound = (error: unknown): boolean => hasCode(error, NOT_FOUND);

/** Whether a retry would fail in the same way: the caller lacks the permission, or the resource does not exist. */
export const isFinal = (error: unknown): boolean =>
  isUnauthenticated(error) ||
  isDenied(error) ||
  isNotFound(error) ||
  (error instanceof Error && error.cause !== undefined && isFinal(error.cause));

/** Whether another user saved first, so that the displayed data is stale. */
export const isOvertaken = (error: unknown): boolean => hasCode(error, ABORTED);

/** Creates the error of a call without a session, for calls made without the RPC library. */
export const unauthenticated = (): Error =>
  Object.assign(new Error("[unauthenticated] Sign in first"), { code: UNAUTHENTICATED });
