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

const UNAUTHENTICATED = 16;

/** RPC errors are told by their code, so that the shell need not load their class. */
export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === UNAUTHENTICATED;

const ABORTED = 10;

/** Somebody else was first: what is shown is old. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === ABORTED;
