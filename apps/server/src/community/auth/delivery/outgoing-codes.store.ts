import type { Db } from "../../../platform/database/database.ts";
import type { ChannelName } from "./delivery-channels.ts";

export interface OutgoingCode {
  readonly id: string;
  readonly channel: ChannelName;
  readonly target: string;
  readonly sealed: Buffer;
  /** Remaining validity, s. */
  readonly seconds_left: number;
  readonly tries: number;
}

/** Stores a code for delivery; replaces a waiting code of the same target. */
export async function putOutgoing(db: Db, code: Omit<OutgoingCode, "tries">): Promise<void> {
  await db`
    insert into outgoing_codes (id, channel, target, sealed, expires_at)
    values (
      ${code.id}, ${code.channel}, ${code.target}, ${code.sealed}, now() + make_interval(secs => ${code.seconds_left}))
    on conflict (target, community_id) do update set
      id = excluded.id, channel = excluded.channel, sealed = excluded.sealed, tries = 0,
      next_try_at = excluded.next_try_at, expires_at = excluded.expires_at`;
}

/**
 * Claims codes that are due, for longer than a delivery may take: of several processes, one sends each code. After a
 * crash, claimed codes become due again.
 */
export function takeDue(db: Db, most: number, heldSeconds: number): Promise<OutgoingCode[]> {
  return db<OutgoingCode[]>`
    update outgoing_codes set tries = tries + 1, next_try_at = now() + make_interval(secs => ${heldSeconds})
    where id in (
      select id from outgoing_codes where next_try_at <= now() and expires_at > now()
      order by next_try_at limit ${most} for update skip locked
    )
    returning id, channel, target, sealed, tries, extract(epoch from expires_at - now())::int as seconds_left`;
}

export async function tryAgainIn(db: Db, id: string, seconds: number): Promise<void> {
  await db`update outgoing_codes set next_try_at = now() + make_interval(secs => ${seconds}) where id = ${id}`;
}

export async function removeOutgoing(db: Db, id: string): Promise<void> {
  await db`delete from outgoing_codes where id = ${id}`;
}

/** Deletes expired codes. @returns number of codes that were never delivered */
export async function removeExpired(db: Db): Promise<number> {
  return (await db`delete from outgoing_codes where expires_at <= now()`).count;
}
