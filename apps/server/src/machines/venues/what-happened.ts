import { MOST_SETTLED, type Happened, type Settled } from "@followspot/contract";
import { silentSeconds } from "../../songs/queue/played-songs.store.ts";
import type { Db } from "../../platform/database/database.ts";
import { noteHeld } from "./box.store.ts";

/** Local change that the office has not acknowledged, and what is stored on acknowledgment. */
export interface Untold {
  readonly happened: Happened;
  readonly place: "check_ins" | "played_songs";
  readonly key: string;
  /** Empty for an undone check-in, whose records are deleted. */
  readonly version: string;
}

interface CheckInRow {
  readonly key: string;
  readonly id: string;
  readonly event_id: string;
  readonly user_id: string;
  readonly checked_in_at: Date;
  readonly checked_in_by: string | null;
  readonly admitted: Extract<Happened, { kind: "check_in" }>["admitted"];
  readonly door: string;
}

type Play = Extract<Happened, { kind: "play" }>;
interface PlayRow extends Omit<Play, "kind" | "item" | "started_at" | "ended_at"> {
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly version: string;
}

/**
 * Returns the changes at this venue that the office has not acknowledged, oldest first, at most {@link MOST_SETTLED} of
 * each kind. They are derived from the rows, so that no write can bypass the sync.
 */
export async function whatHappened(db: Db): Promise<readonly Untold[]> {
  const [made, undone, plays] = await Promise.all([
    db<CheckInRow[]>`
      select event_id || ' ' || user_id as key, id, event_id, user_id, checked_in_at, checked_in_by, admitted, door
      from ${untoldCheckIns(db)} order by checked_in_at, id limit ${MOST_SETTLED}`,
    db<{ key: string; version: string }[]>`
      select key, version from ${untoldUndone(db)} order by key limit ${MOST_SETTLED}`,
    db<PlayRow[]>`
      select played.id, song_id, title, artist, seconds, started_at, ended_at,
        greatest(0, heard_seconds - ${silentSeconds(db, db`played.ended_at`)}) as heard_seconds, playlist, event_id, asked_by,
        ${versionOfPlay(db)} as version
      from ${untoldPlays(db)} order by started_at, id limit ${MOST_SETTLED}`,
  ]);
  return [
    ...undone.map(({ key, version }): Untold => {
      const [event_id = "", user_id = ""] = key.split(" ");
      const happened = { kind: "undone", item: `undone ${version}`, event_id, user_id } as const;
      return { happened, place: "check_ins", key, version: "" };
    }),
    ...made.map(({ key, checked_in_at, ...row }): Untold => {
      const at = checked_in_at.toISOString();
      const happened = { kind: "check_in", item: `check_in ${row.id}`, ...row, checked_in_at: at } as const;
      return { happened, place: "check_ins", key, version: row.id };
    }),
    ...plays.map(({ version, started_at, ended_at, ...row }): Untold => {
      const times = { started_at: started_at.toISOString(), ended_at: ended_at.toISOString() };
      const happened = { kind: "play", item: `play ${row.id} ${version}`, ...row, ...times } as const;
      return { happened, place: "played_songs", key: row.id, version };
    }),
  ];
}

const untoldCheckIns = (db: Db) => db`check_ins made
  where exists (select from box_held where place = 'events' and key = event_id)
    and not exists (
      select from box_told where place = 'check_ins' and key = event_id || ' ' || user_id and version = made.id)`;

const untoldUndone = (db: Db) => db`box_told told
  where place = 'check_ins' and not exists (select from check_ins where event_id || ' ' || user_id = told.key)`;

/** Played songs that are not pushed; the current song is pushed once it is over. */
const untoldPlays = (db: Db) => db`played_songs played
  where exists (select from box_held where place = 'songs' and key = song_id)
    and not exists (select from show_queue where turn = played.turn and mode <> 'stopped')
    and not exists (
      select from box_told where place = 'played_songs' and key = played.id and version = ${versionOfPlay(db)})`;

const versionOfPlay = (db: Db) => db`extract(epoch from ended_at)::text || '/' || heard_seconds::text`;

/**
 * Converts the times of a change to the office's clock. @param aheadMs offset of the office's clock from this one, ms
 */
export function byOfficeClock(happened: Happened, aheadMs: number): Happened {
  if (Math.abs(aheadMs) < CLOCKS_AGREE_MS) return happened;
  const shift = (time: string) => new Date(Date.parse(time) + aheadMs).toISOString();
  switch (happened.kind) {
    case "check_in":
      return { ...happened, checked_in_at: shift(happened.checked_in_at) };
    case "play":
      return { ...happened, started_at: shift(happened.started_at), ended_at: shift(happened.ended_at) };
    case "undone":
      return happened;
    default:
      return happened satisfies never;
  }
}

/** Tolerated difference, ms: caused by a slow connection and two correct clocks. */
const CLOCKS_AGREE_MS = 2000;

/** Returns the number of changes that the office has not acknowledged. */
export async function countUntold(db: Db): Promise<number> {
  const [row] = await db<{ untold: number }[]>`
    select ((select count(*) from ${untoldCheckIns(db)}) + (select count(*) from ${untoldUndone(db)})
      + (select count(*) from ${untoldPlays(db)}))::int as untold`;
  return row!.untold; // counts always return a row
}

/** Stores what the office has acknowledged. Rejected items are not pushed again either; the office gave the reason. */
export async function noteTold(db: Db, untold: readonly Untold[], { results }: Settled): Promise<void> {
  const acknowledged = new Set(results.map(({ item }) => item));
  for (const { happened, place, key, version } of untold.filter((each) => acknowledged.has(each.happened.item))) {
    if (version === "") {
      await db`delete from box_told where place = ${place} and key = ${key}`;
      await db`delete from box_held where place = ${place} and key = ${key}`;
      continue;
    }
    await db`
      insert into box_told (place, key, version) values (${place}, ${key}, ${version})
      on conflict (place, key, community_id) do update set version = excluded.version`;
    // From now on the office decides whether the check-in exists.
    if (happened.kind === "check_in") await noteHeld(db, place, { [key]: "" });
  }
}
