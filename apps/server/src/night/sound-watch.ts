import { readQueue, type QueueRow } from "../songs/queue/show-queue.store.ts";
import type { Sql } from "../platform/database/database.ts";
import { every } from "../platform/every.ts";
import { transact } from "../platform/database/transaction.ts";
import { listOpenPlayers, type OpenPlayerRow } from "./players/open-players.store.ts";
import { lockPaPlayer, type PaPlayerRow } from "./players/pa-player.store.ts";
import { closeSoundFault, noteSoundFault } from "./faults.store.ts";

const LOOK_MS = 1000;
/** A page that reloads or reconnects within this makes no fault, ms. */
const GRACE_MS = 5000;

/**
 * Records for the night's report when a song played without sound. Any number of processes may watch. @returns a
 * function that stops it
 */
export function watchSound(sql: Sql, warn: (message: string) => void): () => void {
  const watch = new SoundWatch(sql);
  return every(LOOK_MS, "watching the sound", () => watch.look(performance.now()), warn);
}

/** Watches whether the active player confirms the song that plays. */
export class SoundWatch {
  readonly #sql: Sql;
  /** Since when this process has seen no sound; undefined while there is some. A database that was away proves nothing. */
  #silentSince: number | undefined;
  /** Whether a fault may be open: at the start, and once this process has seen no sound. */
  #mayBeOpen = true;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @param now monotonic clock, ms */
  async look(now: number): Promise<void> {
    const queue = await readQueue(this.#sql);
    if (isInSong(queue) && (await this.#noteSilence(now, queue))) return;
    this.#silentSince = undefined;
    if (this.#mayBeOpen) await closeSoundFault(this.#sql);
    this.#mayBeOpen = false;
  }

  /** @returns whether there is no sound */
  #noteSilence(now: number, queue: SongQueue): Promise<boolean> {
    return transact(this.#sql, async (tx) => {
      // The same lock is taken by a player that reconnects and deletes the fault of the time in which it continued to
      // play.
      const problem = soundProblem(await lockPaPlayer(tx), await listOpenPlayers(tx), queue);
      if (!problem) return false;
      this.#mayBeOpen = true;
      this.#silentSince ??= now;
      const silentMs = now - this.#silentSince;
      const since = problem.since ?? new Date(queue.now.getTime() - silentMs);
      if (silentMs >= GRACE_MS) await noteSoundFault(tx, problem.says, since);
      return true;
    });
  }
}

/** Queue in the middle of a song. */
type SongQueue = QueueRow & { readonly started_at: Date };

/** Whether a song should be audible now: not in the gap before it, and not on a machine whose standby plays it. */
const isInSong = (queue: QueueRow): queue is SongQueue => {
  const { mode, started_at, ends_at, now, is_mirrored } = queue;
  return (
    mode === "playing" && !is_mirrored && started_at !== null && ends_at !== null && started_at <= now && now < ends_at
  );
};

/** Levels above this are sound, dB below full scale. */
const SILENCE_DB = -60;

interface SoundProblem {
  readonly says: string;
  /** Undefined if only the watch knows. */
  readonly since: Date | undefined;
}

/** Returns why the active player makes no sound; undefined if it does. */
function soundProblem(
  { heard_page, heard_name }: PaPlayerRow,
  players: readonly OpenPlayerRow[],
  { started_at }: SongQueue,
): SoundProblem | undefined {
  if (heard_page === "") return { says: "No sound: no audio player was connected.", since: started_at };
  const player = players.find(({ page }) => page === heard_page);
  const none = `No sound: "${heard_name}"`;
  if (!player?.is_open) return { says: `${none} was not connected.`, since: player?.here_at };
  if (!player.is_allowed) return { says: `${none} waited for its Start button.`, since: player.since };
  // The problem may be one of the next song.
  const isSilent = !player.levels_db.some((level) => level > SILENCE_DB);
  return player.problem !== "" && isSilent ? { says: `${none}: ${player.problem}`, since: undefined } : undefined;
}
