import { asJson, type Db } from "../../platform/database/database.ts";

/** Interval at which the API that owns a connection refreshes its row, ms. */
export const SEEN_EVERY_MS = 1000;
/**
 * Time without a refresh after which a connection counts as closed, ms: its API crashed or cannot reach the database.
 */
export const UNSEEN_MS = 3500;

/** State of a player, as known to the API that owns its connection. */
export interface PlayerFacts {
  /** ID of the connection; named after its column. */
  readonly line: string;
  /** Identifies the page across all its connections. */
  readonly page: string;
  readonly name: string;
  /** Whether it is the sound output of an installation. */
  readonly is_output: boolean;
  /** Whether the browser allows it to play sound. */
  readonly is_allowed: boolean;
  /** Number of next songs already in its memory. */
  readonly loaded_ahead: number;
  /** Null if no lights follow it. */
  readonly light_minus_sound_ms: number | null;
  /** Reason why it cannot play; "" if there is none. */
  readonly problem: string;
  /** False if it reports that its sound delay is a guess. */
  readonly is_delay_set: boolean;
  /** Levels of left and right, dB below full scale; empty if it does not report them. */
  readonly levels_db: readonly number[];
}

/** A connection to a player's page, at any API. All times are by the database's clock. */
export interface OpenPlayerRow extends PlayerFacts {
  readonly since: Date;
  readonly is_open: boolean;
  /** Last time at which it was open. */
  readonly here_at: Date;
  /** Time since the connection ended, ms; null if no API has reported its end. */
  readonly left_ms: number | null;
  /** Time since its API's refresh became overdue, ms; negative while it is on time. */
  readonly unseen_ms: number;
  /** Whether the connection was lost, not closed by the page. */
  readonly is_lost: boolean;
}

/** Lists the connections of all APIs, and the last ones of closed pages until another page opens. Newest first. */
export async function listOpenPlayers(db: Db): Promise<readonly OpenPlayerRow[]> {
  return db<OpenPlayerRow[]>`
    select line, page, name, is_output, is_allowed, loaded_ahead, light_minus_sound_ms, problem, is_delay_set, levels_db, since,
      is_lost, ${isOpen(db)} as is_open, coalesce(left_at, seen_at) as here_at,
      extract(epoch from clock_timestamp() - left_at)::float8 * 1000 as left_ms,
      extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 - ${SEEN_EVERY_MS}::float8 as unseen_ms
    from open_players order by is_open desc, here_at desc, line`;
}

/** Stores that these connections are open, and the state of their players. */
export async function storeOpenPlayers(db: Db, players: readonly PlayerFacts[]): Promise<void> {
  if (players.length === 0) return;
  // Reopens a connection that counted as closed while the database was unavailable, but not one that was closed.
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

/** Stores that these connections have ended. @param isLost whether they were lost, not closed by the pages */
export async function endOpenPlayers(db: Db, connections: readonly string[], isLost: boolean): Promise<void> {
  await db`
    update open_players set left_at = clock_timestamp(), is_lost = ${isLost}
    where line = any(${[...connections]}) and left_at is null`;
}

/** Deletes the rows of closed connections, except those of the active page. */
export async function forgetClosedPlayers(db: Db, heardPage: string): Promise<void> {
  await db`delete from open_players where page <> ${heardPage} and not ${isOpen(db)}`;
}

/**
 * Deletes the earlier connections of a page: it left them when it opened this one. If one is still open, its API
 * reports it again.
 */
export async function forgetEarlierConnections(db: Db, page: string, connection: string): Promise<void> {
  await db`delete from open_players where page = ${page} and line <> ${connection}`;
}

const isOpen = (db: Db) =>
  db`(left_at is null and seen_at > clock_timestamp() - make_interval(secs => ${UNSEEN_MS / 1000}))`;
