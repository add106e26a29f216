import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import { GetSessionResponseSchema } from "@followspot/contract/auth";
import { parseCookie } from "cookie";
import type { Sql } from "../platform/database.ts";
import { toUser } from "../user/user-message.ts";
import { findUser } from "../user/users.store.ts";
import { SESSION_COOKIE, type Sessions } from "./sessions.ts";

/** A page waits no longer than this for who opens it: without that it asks by itself. */
const MOST_MS = 300;

/**
 * Who opens a page, as GetSession answers; undefined for strangers, and while the database does not answer at once. The page
 * carries it, and so has no request to make before it can draw its screen.
 * @param newsSince id of the last envelope that was told
 */
export const pageSession =
  (sql: Sql, sessions: Sessions, newsSince: () => string) =>
  async (headers: IncomingHttpHeaders): Promise<JsonValue | undefined> => {
    const token = isPageOpened(headers) ? parseCookie(headers.cookie ?? "")[SESSION_COOKIE] : undefined;
    if (!token) return undefined;
    const read = async () => {
      const since = newsSince();
      const caller = await sessions.ofToken(token);
      const user = caller && (await findUser(sql, caller.userId));
      return (
        user &&
        toJson(GetSessionResponseSchema, create(GetSessionResponseSchema, { user: toUser(user), newsSince: since }))
      );
    };
    // A database that is away is the page's to tell, not a page that does not come.
    return Promise.race([read().catch(() => undefined), sleep(MOST_MS, undefined, { ref: false })]);
  };

/** By a person in a window of its own, also from a link elsewhere; nothing else may read a page with the cookie. */
const isPageOpened = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
