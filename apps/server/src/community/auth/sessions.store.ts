import { newId } from "../../platform/database/ids.ts";
import type { Caller, Role } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { postEnvelope } from "../../platform/database/outbox.ts";
import { TOKEN_DAYS } from "./tokens.ts";

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly note: string;
  readonly client: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Creates a session. @param note how the user signed in @param client browser and system, as shown to the user */
export async function createSession(db: Db, userId: string, note: string, client = ""): Promise<string> {
  const id = newId();
  await db`
    insert into sessions (id, user_id, note, client, expires_at)
    values (${id}, ${userId}, ${note}, ${client}, now() + make_interval(days => ${TOKEN_DAYS}))`;
  return id;
}

/** Returns the active sessions of a user, newest first, at most 200. */
export function runningSessions(db: Db, userId: string): Promise<SessionRow[]> {
  return db<SessionRow[]>`
    select id, user_id, note, client, created_at, expires_at from sessions
    where user_id = ${userId} and ended_at is null and expires_at > now() order by id desc limit 200`;
}

export async function findRunning(db: Db, id: string): Promise<SessionRow | undefined> {
  const [row] = await db<SessionRow[]>`
    select id, user_id, note, client, created_at, expires_at from sessions
    where id = ${id} and ended_at is null and expires_at > now()`;
  return row;
}

/**
 * Returns the user of an active session with their current roles; undefined if the session has ended or the user was
 * deleted.
 */
export async function findCaller(db: Db, userId: string, sessionId: string): Promise<Caller | undefined> {
  const [row] = await db<{ name: string; roles: Role[]; seen_recently: boolean }[]>`
    select u.name, u.roles, coalesce(u.last_seen_at > now() - interval '1 minute', false) as seen_recently
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and s.user_id = ${userId}
      and s.ended_at is null and s.expires_at > now() and u.deleted_at is null`;
  if (!row) return undefined;
  if (!row.seen_recently) await db`update users set last_seen_at = now() where id = ${userId}`;
  return { userId, name: row.name, roles: row.roles, sessionId };
}

/**
 * Returns which of these sessions are active. Their users have an open connection, so `last_seen_at` is updated for all
 * of them at once, except for rows locked by other transactions.
 */
export async function stillRunning(db: Db, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    with running as (
      select s.id, s.user_id from sessions s join users u on u.id = s.user_id
      where s.id = any(${sessionIds as string[]}) and s.ended_at is null and s.expires_at > now()
        and u.deleted_at is null),
    unseen as (
      select id from users
      where id in (select user_id from running) and coalesce(last_seen_at < now() - interval '1 minute', true)
      for no key update skip locked),
    seen as (update users set last_seen_at = now() where id in (select id from unseen))
    select id from running`;
  return new Set(rows.map(({ id }) => id));
}

/** Ends one session and notifies its sockets. */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<void> {
  await db`update sessions set ended_at = now() where id = ${sessionId} and ended_at is null`;
  await postEnvelope(db, [`user.${userId}`], "session.ended", { user_id: userId, session_id: sessionId });
}

/** Ends all sessions of a user who was deleted or lost a role. */
export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db`update sessions set ended_at = now() where user_id = ${userId} and ended_at is null`;
  await postEnvelope(db, [`user.${userId}`], "session.ended", { user_id: userId });
}
