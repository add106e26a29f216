import { Code, ConnectError } from "@connectrpc/connect";

/** What a person reads of a failure: the code's name in brackets, then the message. */
export function errorText(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return "Unknown error";
}

/** The message alone, for places where the code would only be noise. */
export function plainErrorText(error: unknown): string {
  return error instanceof ConnectError ? error.rawMessage : errorText(error);
}

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.Unauthenticated;

/** RPC code of a plain HTTP status, where the body does not name one. */
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

/** The refusal in an HTTP answer: a Connect error body if there is one, else what its status says. */
export function refusal(status: number, body: string): ConnectError {
  try {
    const { code, message } = JSON.parse(body) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof message === "string") return new ConnectError(message, codeByName(code) ?? codeOfStatus(status));
  } catch {
    // not JSON: a proxy's own page
  }
  return new ConnectError(`HTTP ${status}`, codeOfStatus(status));
}

function codeByName(name: unknown): Code | undefined {
  if (typeof name !== "string") return undefined;
  const pascal = name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const code = (Code as unknown as Record<string, Code | undefined>)[pascal];
  return typeof code === "number" ? code : undefined;
}
