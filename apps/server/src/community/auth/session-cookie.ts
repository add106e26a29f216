import type { IncomingHttpHeaders } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";

export const SESSION_COOKIE = "followspot_session";
/** Over https a page of another host or of plain http can set no cookie of these names (RFC 6265bis, 4.1.3). */
const OF_HOST = `__Host-${SESSION_COOKIE}`;
/** As above, below a base path. */
const BELOW_PATH = `__Secure-${SESSION_COOKIE}`;

/** Returns the session token of a browser. */
export function sessionTokenOf({ cookie = "" }: IncomingHttpHeaders): string | undefined {
  const cookies = parseCookie(cookie);
  // Sign-ins of earlier releases have the plain name over https, too.
  return cookies[OF_HOST] ?? cookies[BELOW_PATH] ?? cookies[SESSION_COOKIE];
}

/**
 * Returns the values of Set-Cookie that store a token.
 *
 * @param origin of the page; browsers always send it with these calls
 * @param maxAge 0 removes the token, s
 */
export function sessionCookies(
  token: string,
  { origin, basePath, maxAge }: { readonly origin: string | null; readonly basePath: string; readonly maxAge: number },
): readonly string[] {
  const secure = origin?.startsWith("https:") ?? false;
  const attributes = { path: basePath || "/", httpOnly: true, sameSite: "strict", secure } as const;
  const plain = { ...attributes, name: SESSION_COOKIE };
  if (!secure) return [stringifySetCookie({ ...plain, value: token, maxAge })];
  const name = basePath === "" ? OF_HOST : BELOW_PATH;
  // Otherwise a sign-in of an earlier release would be used after a sign-out.
  return [
    stringifySetCookie({ ...attributes, name, value: token, maxAge }),
    stringifySetCookie({ ...plain, value: "", maxAge: 0 }),
  ];
}
