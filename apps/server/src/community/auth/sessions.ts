import type { IncomingHttpHeaders } from "node:http";
import type { Caller } from "../../platform/caller.ts";
import type { Db, Sql, Tx } from "../../platform/database/database.ts";
import { sessionTokenOf } from "./session-cookie.ts";
import { createSession, endAllSessions, findCaller, stillRunning } from "./sessions.store.ts";
import { signToken, verifyToken } from "./tokens.ts";

/**
 * Cache lifetime of a session, ms. An ended session is rejected after this at the latest, also if the notification did
 * not reach this process.
 */
const KNOWN_MS = 1000;
const MAX_KNOWN = 10_000;

/**
 * Authenticates requests. Each token is looked up in the database at most once a second. A session that ends in this
 * process, or whose end arrives on the feed, is evicted immediately.
 */
export class Sessions {
  readonly #sql: Sql;
  readonly #secret: Uint8Array;
  readonly #known = new Map<string, { readonly caller: Caller; readonly until: number }>();
  /** Number of evictions. The result of a lookup that began before an eviction is not cached. */
  #forgotten = 0;

  /** @param secret signs tokens; at least 32 bytes */
  constructor(sql: Sql, secret: Uint8Array) {
    this.#sql = sql;
    this.#secret = secret;
  }

  /**
   * Returns the sender of a request: `Authorization: Bearer`, or the session cookie of a page of this host. A request
   * with an Authorization header is judged by that header only.
   */
  async ofHeaders(headers: IncomingHttpHeaders): Promise<Caller | undefined> {
    if (headers.authorization !== undefined) {
      const token = /^Bearer ([\w.-]+)$/i.exec(headers.authorization)?.[1];
      return token ? this.ofToken(token) : undefined;
    }
    const token = sessionTokenOf(headers);
    return token && isSameOrigin(headers) ? this.ofToken(token) : undefined;
  }

  async ofToken(token: string): Promise<Caller | undefined> {
    const known = this.#known.get(token);
    if (known && known.until > performance.now()) return known.caller;
    this.#known.delete(token);
    const forgotten = this.#forgotten;
    const claims = await verifyToken(this.#secret, token);
    const caller = claims && (await findCaller(this.#sql, claims.userId, claims.sessionId));
    if (caller && forgotten === this.#forgotten) this.#keep(token, caller);
    return caller;
  }

  /** Returns the caller with current roles; undefined if their session has ended. Queries the database. */
  async again({ userId, sessionId }: Caller): Promise<Caller | undefined> {
    return findCaller(this.#sql, userId, sessionId);
  }

  /** Returns the IDs of the active sessions among these callers, in one query for thousands of open connections. */
  async running(callers: readonly Caller[]): Promise<ReadonlySet<string>> {
    const ids = callers.map(({ sessionId }) => sessionId);
    return stillRunning(this.#sql, ids);
  }

  /** Ends all sessions of a user who was deleted or lost a role; call {@link forget} after the commit. */
  async endAll(tx: Tx, userId: string): Promise<void> {
    await endAllSessions(tx, userId);
  }

  /** Evicts a session that ended or whose roles changed. Without `sessionId`: all sessions of the user. */
  forget({ userId, sessionId }: { readonly userId: string; readonly sessionId?: string | undefined }): void {
    this.#forgotten++;
    for (const [token, { caller }] of this.#known) {
      if (caller.userId === userId && (sessionId === undefined || caller.sessionId === sessionId))
        this.#known.delete(token);
    }
  }

  #keep(token: string, caller: Caller): void {
    const oldest = this.#known.keys().next().value;
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(token, { caller, until: performance.now() + KNOWN_MS });
  }
}

/** Returns a token of a new session; `note` describes its purpose. */
export async function issueToken(db: Db, secret: Uint8Array, userId: string, note: string): Promise<string> {
  const sessionId = await createSession(db, userId, note);
  return signToken(secret, { userId, sessionId });
}

/**
 * Whether a socket may be opened. Scripts send no Origin; browsers always do. @param origins other origins that are
 * allowed
 */
export const mayOpenSocket = (headers: IncomingHttpHeaders, origins: readonly string[]): boolean =>
  headers.origin === undefined || origins.includes(headers.origin) || isSameOrigin(headers);

/**
 * Whether a request comes from a page of this host. Browsers leave Origin out of same-origin GETs, and send Sec-Fetch-Site
 * to https and loopback only. Without both headers SameSite=Strict alone keeps the cookie from other sites.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (origin === undefined) return site === undefined || site === "same-origin";
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
