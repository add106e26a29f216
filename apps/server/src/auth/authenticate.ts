import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../platform/caller.ts";
import type { Db } from "../platform/database.ts";
import { createSession, findCaller } from "./sessions.store.ts";
import { signToken, verifyToken } from "./tokens.ts";

export const SESSION_COOKIE = "followspot_session";

/**
 * Who sent these headers: `Authorization: Bearer`, or the session cookie of a page of this very host.
 * A request that carries an Authorization header is judged by that alone.
 */
export async function authenticate(
  db: Db,
  secret: Uint8Array,
  headers: IncomingHttpHeaders,
): Promise<Caller | undefined> {
  if (headers.authorization !== undefined) {
    const token = /^Bearer ([\w.-]+)$/i.exec(headers.authorization)?.[1];
    return token ? authenticateToken(db, secret, token) : undefined;
  }
  const token = cookieOf(headers.cookie ?? "", SESSION_COOKIE);
  if (!token || !isSameOrigin(headers)) return undefined;
  return authenticateToken(db, secret, token);
}

export async function authenticateToken(db: Db, secret: Uint8Array, token: string): Promise<Caller | undefined> {
  const claims = await verifyToken(secret, token);
  return claims && findCaller(db, claims.userId, claims.sessionId);
}

/** A signed-in token for a person; `note` says what for. */
export async function issueToken(db: Db, secret: Uint8Array, userId: string, note: string): Promise<string> {
  const sessionId = await createSession(db, userId, note);
  return signToken(secret, { userId, sessionId });
}

/** Browsers name the page that asks: by Origin, or by Sec-Fetch-Site where they leave Origin out. */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return headers["sec-fetch-site"] === "same-origin";
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function cookieOf(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}
