import type { Db } from "../../platform/database/database.ts";
import { listOpenPlayers, type OpenPlayerRow } from "./open-players.store.ts";
import type { PaPlayerRow } from "./pa-player.store.ts";

/** A player as shown on consoles. */
export interface SeenPlayer {
  readonly name: string;
  readonly isConnected: boolean;
  /** Start of the current connection state; undefined if no connection is known. */
  readonly since: Date | undefined;
  readonly isAllowed: boolean;
  readonly loadedAhead: number;
  readonly lightMinusSoundMs: number | undefined;
  readonly problem: string;
  /** False if it reports that its sound delay is a guess. */
  readonly isDelaySet: boolean;
  /** Levels of left and right, dB below full scale; empty if it does not report them. */
  readonly levelsDb: readonly number[];
}

export interface SeenPlayers {
  /** The active player; undefined until one was opened. */
  readonly heard: SeenPlayer | undefined;
  /** Names of the players that are open but inactive. */
  readonly silent: readonly string[];
}

/** Reads the players of all APIs, as reported by each API within the last second or two. */
export async function readSeenPlayers(db: Db, { heard_page, heard_name }: PaPlayerRow): Promise<SeenPlayers> {
  const players = await listOpenPlayers(db);
  const heard = players.find(({ page }) => page === heard_page);
  return {
    heard: heard_page === "" ? undefined : describe(heard_name, heard),
    silent: players.filter(({ is_open, page }) => is_open && page !== heard_page).map(({ name }) => name),
  };
}

/** Returns why a sound output of this installation cannot play; "" if there is no problem. */
export async function readOutputProblem(db: Db): Promise<string> {
  const players = await listOpenPlayers(db);
  return players.find(({ is_open, is_output, problem }) => is_open && is_output && problem !== "")?.problem ?? "";
}

function describe(name: string, player: OpenPlayerRow | undefined): SeenPlayer {
  if (!player?.is_open)
    return {
      name,
      isConnected: false,
      since: player?.here_at,
      isAllowed: false,
      loadedAhead: 0,
      lightMinusSoundMs: undefined,
      problem: "",
      isDelaySet: true,
      levelsDb: [],
    };
  return {
    name,
    isConnected: true,
    since: player.since,
    isAllowed: player.is_allowed,
    loadedAhead: player.loaded_ahead,
    lightMinusSoundMs: player.light_minus_sound_ms ?? undefined,
    problem: player.problem,
    isDelaySet: player.is_delay_set,
    levelsDb: player.levels_db,
  };
}
