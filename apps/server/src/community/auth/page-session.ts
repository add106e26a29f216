import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import { GetSessionResponseSchema } from "@followspot/contract/auth";
import type { Sql } from "../../platform/database/database.ts";
import { toUser } from "../users/user-message.ts";
import { findUser } from "../users/users.store.ts";
import { sessionTokenOf } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** Maximum delay of a page for its session, ms. After it the page requests the session itself. */
const MOST_MS = 300;

/**
 * Returns the user who opens a page, as GetSession does; undefined for visitors without a session, and if the database
 * does not respond in time. It is embedded in the page, which then draws its screen without a request.
 *
 * @param newsSince returns the ID of the last published envelope
 */
export const pageSession =
  (sql: Sql, sessions: Sessions, newsSince: () => string) =>
  async (headers: IncomingHttpHeaders): Promise<JsonValue | undefined> => {
    const token = isPageOpened(headers) ? sessionTokenOf(headers) : undefined;
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
    // If the database is unavailable, the page still loads and reports it.
    return Promise.race([read().catch(() => undefined), sleep(MOST_MS, undefined, { ref: false })]);
  };

/**
 * Whether this is a top-level navigation, also from a link on another site. No other request reads a page with the
 * cookie.
 */
const isPageOpened = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
