import type { BoxHolds } from "@followspot/contract";
import { asJson, type Db, type Sql } from "../../platform/database/database.ts";
import { findLampPart, setLampPart } from "../../lights/standby-role.ts";
import { transact } from "../../platform/database/transaction.ts";
import { markOfRows } from "./tonight.ts";

/** State of this venue server's sync with its office. */
export interface BoxRow {
  readonly office: string;
  readonly venue: string;
  readonly cut_since: Date | null;
  readonly says: string;
  readonly event_id: string | null;
  readonly event: string;
  readonly mark: string;
  readonly whole_at: Date | null;
  readonly songs: number;
  readonly songs_of: number;
  readonly bytes: bigint;
  readonly people: number;
  readonly rig_told: bigint | null;
}

/** Returns the state; undefined on an installation that is no venue server. */
export async function findBox(db: Db): Promise<BoxRow | undefined> {
  const [row] = await db<BoxRow[]>`
    select office, venue, cut_since, says, event_id, mark, whole_at, songs, songs_of, bytes, rig_told,
      coalesce((select title from events where id = event_id), '') as event,
      (select count(*)::int from box_codes where event_id = box.event_id) as people
    from box`;
  return row;
}

/** Marks this installation as a venue server. */
export async function becomeBox(db: Db): Promise<void> {
  await db`insert into box default values on conflict do nothing`;
}

export async function storeWelcome(db: Db, { office, venue, says }: Pick<BoxRow, "office" | "venue" | "says">) {
  await db`update box set office = ${office}, venue = ${venue}, says = ${says}, cut_since = null`;
}

export async function storeCut(db: Db): Promise<void> {
  await db`update box set cut_since = coalesce(cut_since, now())`;
}

export async function storeLack(db: Db, says: string): Promise<void> {
  await db`update box set says = ${says}`;
}

/** Switches the role: a new standby stops its output, and a former standby drives its fixtures. */
export async function storeStandby(sql: Sql, isStandby: boolean): Promise<void> {
  const own = await findLampPart(sql);
  const isOfStandby = own?.part === "follows" || own?.part === "leads";
  if (isStandby !== isOfStandby) await transact(sql, (tx) => setLampPart(tx, isStandby ? "follows" : undefined));
}

export async function storeRigTold(db: Db, revision: bigint): Promise<void> {
  await db`update box set rig_told = ${revision.toString()}`;
}

/** Returns the marks of the rows or files received from the office, by table and key. */
export async function readHeld(db: Db): Promise<Record<string, Record<string, string>>> {
  const rows = await db<{ place: string; keys: Record<string, string> }[]>`
    select place, jsonb_object_agg(key, hash) as keys from box_held group by place`;
  return Object.fromEntries(rows.map(({ place, keys }) => [place, keys]));
}

/** Returns one mark per table (and one for all files) over everything received; the office computes the same. */
export async function readMarks(db: Db): Promise<Record<string, string>> {
  const rows = await db<{ place: string; mark: string }[]>`
    select place, ${markOfRows(db)} as mark from (select place, key, hash as mark from box_held) as held group by place`;
  return Object.fromEntries(rows.map(({ place, mark }) => [place, mark]));
}

export async function noteHeld(db: Db, place: string, marks: Readonly<Record<string, string>>): Promise<void> {
  await db`
    insert into box_held (place, key, hash) select ${place}, key, value from jsonb_each_text(${asJson(db, marks)})
    on conflict (place, key, community_id) do update set hash = excluded.hash`;
}

export async function forgetHeld(db: Db, place: string, keys: readonly string[]): Promise<void> {
  await db`delete from box_held where place = ${place} and key = any(${[...keys]})`;
}

export async function holdsOf(db: Db, waiting: number): Promise<BoxHolds> {
  const row = await findBox(db);
  return {
    event: row?.event ?? "",
    event_id: row?.event_id ?? "",
    songs: row?.songs ?? 0,
    songs_of: row?.songs_of ?? 0,
    people: row?.people ?? 0,
    bytes: Number(row?.bytes ?? 0n),
    whole_at: row?.whole_at?.toISOString() ?? "",
    waiting,
    says: row?.says ?? "",
  };
}
