import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthService } from "@followspot/contract/auth";
import { requireCaller, type Caller } from "../../platform/caller.ts";
import { change, done, type Entry } from "../../platform/database/change.ts";
import type { Sql } from "../../platform/database/database.ts";
import { denied, notFound } from "../../platform/errors.ts";
import { timestampOf } from "../../platform/database/timestamps.ts";
import type { Sessions } from "./sessions.ts";
import { endSession, findRunning, runningSessions, type SessionRow } from "./sessions.store.ts";

/** Returns the RPC methods that list and end sessions. An Admin may manage the sessions of all users. */
export function sessionMethods({ sql, sessions }: { readonly sql: Sql; readonly sessions: Sessions }) {
  return {
    listSessions: async ({ userId }, context) => {
      const caller = requireCaller(context);
      const rows = await runningSessions(sql, ownerOf(caller, userId));
      return { sessions: rows.map((row) => toSession(row, caller)) };
    },

    endSession: async ({ sessionId }, context) => {
      const caller = requireCaller(context);
      const ended = await change(sql, caller, async (tx) => {
        const session = await findRunning(tx, sessionId);
        // Only an Admin can distinguish another user's session from a missing one.
        if (!session || (session.user_id !== caller.userId && !isAdmin(caller))) throw notFound("Session", sessionId);
        await endSession(tx, session.user_id, session.id);
        return done(session, entry(session));
      });
      sessions.forget({ userId: ended.user_id, sessionId: ended.id });
      return { success: true };
    },

    signOutEverywhere: async ({ userId }, context) => {
      const caller = requireCaller(context);
      const owner = ownerOf(caller, userId);
      const ended = await change(sql, caller, async (tx) => {
        const others = (await runningSessions(tx, owner)).filter(({ id }) => id !== caller.sessionId);
        for (const { id } of others) await endSession(tx, owner, id);
        return done(others, ...others.map(entry));
      });
      for (const { id } of ended) sessions.forget({ userId: owner, sessionId: id });
      return { ended: ended.length };
    },
  } satisfies Partial<ServiceImpl<typeof AuthService>>;
}

const isAdmin = ({ roles }: Caller) => roles.includes("Admin");

/**
 * Returns the user whose sessions are requested. @throws permission_denied for another user, unless the caller is an
 * Admin
 */
function ownerOf(caller: Caller, userId: string): string {
  if (userId !== "" && userId !== caller.userId && !isAdmin(caller))
    throw denied("Only an Admin may see where another person is signed in");
  return userId || caller.userId;
}

/** Published to the session's own sockets only, which close with it. */
const entry = ({ id, user_id }: SessionRow): Entry => ({
  noun: "session",
  id,
  verb: "ended",
  before: { user_id },
  topics: [],
});

function toSession({ id, note, client, created_at, expires_at }: SessionRow, caller: Caller) {
  return {
    id,
    note,
    client,
    createdAt: timestampOf(created_at),
    expiresAt: timestampOf(expires_at),
    isCurrent: id === caller.sessionId,
  };
}
