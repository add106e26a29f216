/** What a person reads of a failure: the code's name in brackets, then the message. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return "Unknown error";
}

/** The message alone, for places where the code would only be noise. */
export function plainErrorText(error: unknown): string {
  return errorText(error).replace(/^\[[a-z_]+\] ?/, "");
}

/** The message as a whole sentence: "The server cannot be reached." */
export function errorSentence(error: unknown): string {
  const text = plainErrorText(error);
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** A refusal that begins with the field it is about, as in "amount: must be at least 1". */
export function refusedField(error: unknown): { readonly field: string; readonly why: string } | undefined {
  const [, field, why] = /^([a-z]+(?:_[a-z]+)*): (.+)$/s.exec(plainErrorText(error)) ?? [];
  return field !== undefined && why !== undefined ? { field, why } : undefined;
}

/** No answer came; every browser says so in other words. */
export const UNREACHABLE = "the server cannot be reached";
/** Nothing came in time, in the words of the RPC library. */
export const TIMED_OUT = "the operation timed out";

/** RPC errors are told by their code, so that the shell need not load their class. */
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

/** The server knows who asks and refuses: nothing is known about what was asked for. */
export const isDenied = (error: unknown): boolean => hasCode(error, PERMISSION_DENIED);

/** What was asked for is there already, or stands for something else. */
export const isTaken = (error: unknown): boolean => hasCode(error, ALREADY_EXISTS);

/** No answer came, or not in time, or one that says to come back later. */
export const isUnanswered = (error: unknown): boolean =>
  [CANCELLED, TOO_LATE, UNAVAILABLE].some((code) => hasCode(error, code));

export const isNotFound = (error: unknown): boolean => hasCode(error, NOT_FOUND);

/** Asked again, the answer would be the same: who asks may not, or there is no such thing. */
export const isFinal = (error: unknown): boolean =>
  isUnauthenticated(error) ||
  isDenied(error) ||
  isNotFound(error) ||
  (error instanceof Error && error.cause !== undefined && isFinal(error.cause));

/** Another person saved first: what is shown is old. */
export const isOvertaken = (error: unknown): boolean => hasCode(error, ABORTED);

/** The refusal of a call without a session, for calls made without the RPC library. */
export const unauthenticated = (): Error =>
  Object.assign(new Error("[unauthenticated] Sign in first"), { code: UNAUTHENTICATED });
