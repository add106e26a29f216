import type { Db } from "../platform/database/database.ts";

export interface LampSeenRow {
  readonly light_id: number;
  readonly is_seen: boolean;
  readonly seen_at: Date;
}

export function listLampsSeen(db: Db): Promise<readonly LampSeenRow[]> {
  return db<LampSeenRow[]>`select light_id, is_seen, seen_at from lamps_seen`;
}

export async function noteLampSeen(db: Db, lightId: number, isSeen: boolean): Promise<LampSeenRow> {
  const [row] = await db<LampSeenRow[]>`
    insert into lamps_seen (light_id, is_seen) values (${lightId}, ${isSeen})
    on conflict (light_id, community_id) do update set is_seen = excluded.is_seen, seen_at = now()
    returning light_id, is_seen, seen_at`;
  return row!; // an upsert returns its row
}

/** @returns number of deleted rows */
export async function forgetLampsSeen(db: Db): Promise<number> {
  return (await db`delete from lamps_seen`).count;
}
