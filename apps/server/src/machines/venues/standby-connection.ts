import { setTimeout as pause } from "node:timers/promises";
import { STANDBY_ASKS_MS, type FirstNow, type QueueCopy, type StandbyAsk } from "@followspot/contract";
import { mirrorQueue, readQueueCopy, takeOverPlay } from "../../songs/queue/queue-copy.ts";
import type { Sql } from "../../platform/database/database.ts";
import {
  findLampPart,
  noteOtherHeard,
  notePartLack,
  setLampPart,
  type LampPartRow,
} from "../../lights/standby-role.ts";
import { ServerAway } from "../machine-door.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { OfficeDoor } from "./office-door.ts";
import { replaceRig } from "./rig-copy.ts";

/**
 * Failover timeout: the standby takes over if the first machine has not been known to drive the fixtures for this long,
 * ms.
 */
const TAKE_OVER_MS = 1000;
/** Maximum age of the last contact before a restart of this process that still counts, ms. */
const REMEMBERED_MS = 60_000;
/**
 * Time for the first machine to accept the hello after a start of this process, ms; after it, the machine counts as
 * away.
 */
const TOLD_MS = 3000;
/** Interval between updates of the stored last contact with the first machine, ms. */
const NOTED_MS = 1000;

export interface StandbyConnectionOptions {
  readonly sql: Sql;
  readonly door: Pick<OfficeDoor, "isKnown" | "now" | "rig">;
  /** Sets or releases the blackout of this machine's stage. */
  readonly setBlackout: (on: boolean) => Promise<void>;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
  /** Monotonic clock, ms; replaced in tests. */
  readonly clock?: (() => number) | undefined;
}

/**
 * Connection from a standby to its first machine: mirrors its show queue without output, and drives the fixtures when
 * the first machine does not. It does nothing on a venue server that is no standby.
 */
export class StandbyConnection {
  readonly #o: StandbyConnectionOptions;
  readonly #clock: () => number;
  readonly #startedAt: number;
  /** Time when the first machine was last known to drive the fixtures. */
  #drivenAt: number | undefined;
  /** The same before this process took over; undefined if an operator or an earlier process took over. */
  #silentSince: number | undefined;
  #isFirst = true;
  #notedAt = -Infinity;
  #rig: number | undefined;
  #blackout: boolean | undefined;
  #turnThere = 0;
  #play: QueueCopy["play"] = null;

  constructor(options: StandbyConnectionOptions) {
    this.#o = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#startedAt = this.#clock();
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { signal, warn } = this.#o;
    while (!signal.aborted) {
      await this.turn().catch(
        (error: Error) => signal.aborted || warn(`the connection of the standby: ${error.message}`),
      );
      await pause(STANDBY_ASKS_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Sends one request and applies the response. */
  async turn(): Promise<void> {
    if (!this.#o.door.isKnown && this.#clock() - this.#startedAt < TOLD_MS) return;
    const own = await findLampPart(this.#o.sql);
    if (own?.part === "follows") await this.#follow(own);
    else if (own?.part === "leads") await this.#lead();
    this.#isFirst = false;
  }

  async #follow({ heard_at, says }: LampPartRow): Promise<void> {
    const { sql, say } = this.#o;
    const heardMs = heard_at ? Date.now() - heard_at.getTime() : Infinity;
    if (this.#isFirst && heardMs < REMEMBERED_MS) this.#drivenAt = this.#clock() - heardMs;
    this.#silentSince = undefined;
    const asked = this.#clock();
    const answer = await this.#ask({ part: "follows", silent_ms: null, queue: null });
    if (answer && answer.stage_up_ms > 0) return this.#keepUp(answer, asked, says);
    if (this.#drivenAt === undefined || this.#clock() - this.#drivenAt < TAKE_OVER_MS) return;
    this.#silentSince = this.#drivenAt;
    await transact(sql, async (tx) => {
      await setLampPart(tx, "leads");
      await takeOverPlay(tx, this.#play);
    });
    say("The first machine does not drive the lamps: this one does now.");
  }

  /** Mirrors the first machine, so that a failover finds the same state here. */
  async #keepUp(now: FirstNow, asked: number, said: string): Promise<void> {
    const { sql, door, setBlackout, signal } = this.#o;
    const answered = this.#clock();
    this.#drivenAt = asked;
    this.#play = now.queue.play;
    const { lack } = await transact(sql, (tx) => mirrorQueue(tx, now.queue, (answered - asked) / 2000));
    if (lack !== said) await notePartLack(sql, lack);
    if (answered - this.#notedAt >= NOTED_MS) {
      await noteOtherHeard(sql);
      this.#notedAt = answered;
    }
    if (now.rig !== this.#rig) {
      await replaceRig(sql, await door.rig(signal));
      this.#rig = now.rig;
    }
    if (now.blackout !== this.#blackout) {
      await setBlackout(now.blackout);
      this.#blackout = now.blackout;
    }
  }

  async #lead(): Promise<void> {
    const { sql, say } = this.#o;
    this.#blackout = undefined; // the operator may set it here
    const silent_ms = this.#silentSince === undefined ? null : this.#clock() - this.#silentSince;
    const answer = await this.#ask(
      // After a restart the fixtures may have been handed back already.
      this.#isFirst
        ? { part: "asks", silent_ms: null, queue: null }
        : { part: "leads", silent_ms, queue: await readQueueCopy(sql, this.#turnThere) },
    );
    if (answer) await noteOtherHeard(sql);
    if (!answer || answer.yields || answer.stage_up_ms === 0) return;
    this.#drivenAt = this.#clock();
    await transact(sql, (tx) => setLampPart(tx, "follows"));
    say("The first machine drives the lamps again.");
  }

  /** Sends one request; undefined if the first machine does not respond. */
  async #ask(ask: Omit<StandbyAsk, "turn">): Promise<FirstNow | undefined> {
    const { sql, door, signal } = this.#o;
    const [own] = await sql<{ turn: number }[]>`select turn::float8 as turn from show_queue`;
    try {
      const answer = await door.now({ ...ask, turn: own!.turn }, signal); // the queue table always has its row
      this.#turnThere = answer.queue.turn;
      return answer;
    } catch (error) {
      if (error instanceof ServerAway) return undefined;
      throw error;
    }
  }
}
