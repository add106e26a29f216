import { newId } from "../platform/ids.ts";
import type { Caller, Role } from "../platform/caller.ts";
import type { Db } from "../platform/database.ts";
import { postEnvelope } from "../platform/outbox.ts";
import { TOKEN_DAYS } from "./tokens.ts";

export interface SessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly note: string;
  readonly client: string;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** @param note how the person signed in @param client what with, for a person */
export async function createSession(db: Db, userId: string, note: string, client = ""): Promise<string> {
  const id = newId();
  await db`
    insert into sessions (id, user_id, note, client, expires_at)
    values (${id}, ${userId}, ${note}, ${client}, now() + make_interval(days => ${TOKEN_DAYS}))`;
  return id;
}

/** Those that have not ended, newest first. */
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

/** Who a running session belongs to, with the roles they have now; undefined once either has ended. */
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
 * Which of these sessions still run. A person with an open connection is here: it is noted of all of them at once, but for
 * those another transaction is changing.
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

/** Ends one sign-in and tells its sockets. */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<void> {
  await db`update sessions set ended_at = now() where id = ${sessionId} and ended_at is null`;
  await postEnvelope(db, [`user.${userId}`], "session.ended", { user_id: userId, session_id: sessionId });
}

/** Ends every sign-in of a person who was deleted or lost a right. */
export async function endAllSessions(db: Db, userId: string): Promise<void> {
  await db`update sessions set ended_at = now() where user_id = ${userId} and ended_at is null`;
  await postEnvelope(db, [`user.${userId}`], "session.ended", { user_id: userId });
}
