import type { Sql } from "../../platform/database/database.ts";
import { every } from "../../platform/every.ts";
import { tell } from "../../platform/database/outbox.ts";
import { transact } from "../../platform/database/transaction.ts";
import { screenPayload } from "./screen-message.ts";
import { lockOverdue, readScreen, saveScreen, stateOf, untilNextEnd } from "./screens.store.ts";
import { endAnnouncements } from "./stage-screen.ts";

/** Polling interval, ms. A change that another process made is detected this late at most; no timer waits longer. */
const LOOK_MS = 2000;
/** Delay before a screen that another transaction held is checked again, ms. */
const AGAIN_MS = 50;

export interface AnnouncementClockPorts {
  readonly sql: Sql;
  /** Called after this process ended an announcement. */
  readonly onEnd: (screenId: string) => void;
  readonly warn: (message: string) => void;
}

/**
 * Ends announcements when their time is over. The end time is stored in the database: a restarted process continues,
 * and of several processes one ends each announcement.
 */
export class AnnouncementClock {
  readonly #ports: AnnouncementClockPorts;
  #stopLooking = () => {};
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
  #isClosed = false;

  constructor(ports: AnnouncementClockPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#stopLooking = every(LOOK_MS, "ending announcements", () => this.look(), this.#ports.warn);
    this.#lookByItself();
  }

  /** Ends overdue announcements and schedules the next end; call it after a change. */
  async look(): Promise<void> {
    if (this.#isClosed) return;
    this.#isAskedAgain = true;
    await (this.#looking ??= this.#lookWhileAsked().finally(() => (this.#looking = undefined)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking();
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => {}); // the caller received the error
  }

  async #lookWhileAsked(): Promise<void> {
    const { sql, onEnd } = this.#ports;
    while (this.#isAskedAgain && !this.#isClosed) {
      this.#isAskedAgain = false;
      for (const id of await this.#endOverdue()) onEnd(id);
      const ms = await untilNextEnd(sql);
      clearTimeout(this.#timer);
      if (ms === undefined || ms > LOOK_MS || this.#isClosed) continue;
      this.#timer = setTimeout(() => this.#lookByItself(), Math.max(ms, AGAIN_MS)).unref();
    }
  }

  /** Ends overdue announcements and returns the screens. No audit row is written: the command set the duration. */
  async #endOverdue(): Promise<readonly string[]> {
    return transact(this.#ports.sql, async (tx) => {
      const ids = await lockOverdue(tx);
      for (const id of ids) {
        const before = await readScreen(tx, id);
        const after = await saveScreen(tx, id, endAnnouncements(stateOf(before), before.read_at));
        await tell(tx, "stage_screen", id, "announcement_ended", screenPayload(after));
      }
      return ids;
    });
  }

  #lookByItself(): void {
    this.look().catch((error: Error) => this.#ports.warn(`ending announcements failed: ${error.message}`));
  }
}
