import { asJson, type Db } from "../platform/database.ts";

/** The API that holds a connection says so often that it is open. */
export const SEEN_EVERY_MS = 1000;
/** A connection that no API has reported for so long counts as ended: its API died, or does not reach the database. */
export const UNSEEN_MS = 3500;

/** What the API that holds a player's connection knows of the player. */
export interface PlayerFacts {
  /** The id of the connection, in the column of this name. */
  readonly line: string;
  /** Names the page over all its connections. */
  readonly page: string;
  readonly name: string;
  /** It is the sound output of an installation. */
  readonly is_output: boolean;
  /** The browser lets it sound. */
  readonly is_allowed: boolean;
  /** Songs it has in memory that come next. */
  readonly loaded_ahead: number;
  /** Null where no lamps follow it. */
  readonly light_minus_sound_ms: number | null;
  /** What keeps it from sounding; "" for nothing. */
  readonly problem: string;
  /** False where it says that the delay of its sound is a guess. */
  readonly is_delay_set: boolean;
  /** Of left and right, dB below full scale; empty where it does not say. */
  readonly levels_db: readonly number[];
}

/** A connection to a player's page, at any API. All times are by the database's clock. */
export interface OpenPlayerRow extends PlayerFacts {
  readonly since: Date;
  readonly is_open: boolean;
  /** When it was open last. */
  readonly here_at: Date;
  /** ms since the connection ended; null where no API has said that it did. */
  readonly left_ms: number | null;
  /** ms since its API was to say again that it is there; below 0 while it is on time. */
  readonly unseen_ms: number;
  /** The connection ended, and the page did not close it. */
  readonly is_lost: boolean;
}

/** The connections of all APIs; of each closed page the last ones, until another page greets. The latest comes first. */
export async function listOpenPlayers(db: Db): Promise<readonly OpenPlayerRow[]> {
  return db<OpenPlayerRow[]>`
    select line, page, name, is_output, is_allowed, loaded_ahead, light_minus_sound_ms, problem, is_delay_set, levels_db, since,
      is_lost, ${isOpen(db)} as is_open, coalesce(left_at, seen_at) as here_at,
      extract(epoch from clock_timestamp() - left_at)::float8 * 1000 as left_ms,
      extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 - ${SEEN_EVERY_MS}::float8 as unseen_ms
    from open_players order by is_open desc, here_at desc, line`;
}

/** Stores that these connections are open now, and how their players are. */
export async function storeOpenPlayers(db: Db, players: readonly PlayerFacts[]): Promise<void> {
  if (players.length === 0) return;
  // A connection that counted as ended while the database was away is open again; one that was closed stays closed.
  await db`
    insert into open_players as kept
      (line, page, name, is_output, is_allowed, loaded_ahead, light_minus_sound_ms, problem, is_delay_set, levels_db)
    select line, page, name, is_output, is_allowed, loaded_ahead, light_minus_sound_ms, problem, is_delay_set, levels_db
    from jsonb_to_recordset(${asJson(db, players)}) as said (line text, page text, name text, is_output boolean,
      is_allowed boolean, loaded_ahead integer, light_minus_sound_ms float8, problem text, is_delay_set boolean, levels_db float8[])
    order by line
    on conflict (line, community_id) do update set
      (page, name, is_output, is_allowed, loaded_ahead, light_minus_sound_ms, problem, is_delay_set, levels_db, seen_at) =
      (excluded.page, excluded.name, excluded.is_output, excluded.is_allowed, excluded.loaded_ahead,
        excluded.light_minus_sound_ms, excluded.problem, excluded.is_delay_set, excluded.levels_db, clock_timestamp())
    where kept.left_at is null`;
}

/** Stores that these connections have ended. @param isLost the pages did not close them */
export async function endOpenPlayers(db: Db, connections: readonly string[], isLost: boolean): Promise<void> {
  await db`
    update open_players set left_at = clock_timestamp(), is_lost = ${isLost}
    where line = any(${[...connections]}) and left_at is null`;
}

/** Forgets connections that have ended, except those of the page that is heard. */
export async function forgetClosedPlayers(db: Db, heardPage: string): Promise<void> {
  await db`delete from open_players where page <> ${heardPage} and not ${isOpen(db)}`;
}

/** A page has one connection: it left its earlier ones when it opened this. Where one is still open, its API reports it again. */
export async function forgetEarlierConnections(db: Db, page: string, connection: string): Promise<void> {
  await db`delete from open_players where page = ${page} and line <> ${connection}`;
}

const isOpen = (db: Db) =>
  db`(left_at is null and seen_at > clock_timestamp() - make_interval(secs => ${UNSEEN_MS / 1000}))`;
