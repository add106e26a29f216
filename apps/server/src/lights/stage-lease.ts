import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Db, Sql, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";

/** Interval between renewals, and between checks by the other machines, ms. */
export const RENEW_MS = 1000;
/** Time without a renewal after which another machine takes the lease, ms. */
const LAPSE_MS = 5000;
/** Time without a response of the own stage after which the lease is no longer renewed, ms. A crashed one is replaced within seconds. */
const STAGE_LOST_MS = 5000;

interface LeaseRow {
  readonly holder: string;
  readonly name: string;
  readonly renewals: string;
}

/** Returns the ID of a machine, equal in all processes of one data folder. @param secret secret of API and stage */
export function machineId(secret: string, dataDir: string): string {
  return createHash("sha256")
    .update([secret, hostname(), resolve(dataDir)].join("\n"))
    .digest("hex")
    .slice(0, 32);
}

/** Returns why the stage of a machine must not send; undefined if it drives the fixtures. */
export async function whyWithheld(db: Db, machine: string): Promise<string | undefined> {
  const [row] = await db<Pick<LeaseRow, "holder" | "name">[]>`select holder, name from stage_lease`;
  if (!row || row.holder === machine) return undefined;
  return row.holder === "" ? RELEASED : heldBy(row.name);
}

const RELEASED = "No Followspot on this database drives the fixtures yet. This machine takes over within seconds.";
const heldBy = (name: string) =>
  `Followspot on ${name} uses the same database and drives the fixtures. The outputs of this machine are silent until that one stops: use its console for the live desk.`;

export interface StageLeaseOptions {
  readonly sql: Sql;
  /** From {@link machineId}. */
  readonly machine: string;
  /** Host name for messages of other machines. */
  readonly name?: string;
  /** Whether the own stage responds. */
  readonly isStageUp?: () => Promise<boolean>;
  readonly say: (line: string) => void;
  /** Monotonic clock, ms; replaced in tests. */
  readonly clock?: () => number;
}

/**
 * Lease of the stage that drives the fixtures, among all machines on one database (decision 108). The supervisor renews
 * it, so that a crash of the API does not lose it. A holder that cannot reach the database keeps sending. Another
 * machine takes the lease only after it has watched the renewals stand still for 5 s while the database answered.
 */
export class StageLease {
  readonly #o: StageLeaseOptions;
  readonly #clock: () => number;
  #isHeld: boolean | undefined;
  /** Lease of another machine, and since when its renewals have stood still. */
  #watched: (LeaseRow & { readonly since: number }) | undefined;
  #stageUpAt: number | undefined;

  constructor(options: StageLeaseOptions) {
    this.#o = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  get isHeld(): boolean {
    return this.#isHeld === true;
  }

  /**
   * Resolves once this machine holds the lease, or another one has renewed it. @param pause waits between two checks
   */
  async settle(pause: () => Promise<unknown>): Promise<void> {
    await this.turn();
    const first = this.#watched?.renewals;
    while (!this.isHeld && this.#watched?.renewals === first) {
      await pause();
      await this.turn();
    }
  }

  /** Renews the lease, or takes a free one. */
  async turn(): Promise<void> {
    if (await this.#isStageLost()) return;
    try {
      this.#note(await this.#renewOrTake());
    } catch (error) {
      // After an outage of the database, the holder has its full time to renew again.
      this.#watched = undefined;
      throw error;
    }
  }

  /** Releases the lease, so that another machine takes it at once. */
  async release(): Promise<void> {
    if (!this.isHeld) return;
    await this.#o.sql`
      update stage_lease set holder = '', renewals = renewals + 1 where holder = ${this.#o.machine}`;
    this.#isHeld = false;
  }

  async #renewOrTake(): Promise<LeaseRow | undefined> {
    const { sql, machine } = this.#o;
    const renewed = await sql`update stage_lease set renewals = renewals + 1 where holder = ${machine}`;
    if (renewed.count > 0) return undefined;
    const [row] = await sql<LeaseRow[]>`select holder, name, renewals::text from stage_lease`;
    const isFree = !row || row.holder === "" || this.#hasLapsed(row);
    return isFree && (await transact(sql, (tx) => this.#take(tx, row))) ? undefined : row;
  }

  #hasLapsed(row: LeaseRow): boolean {
    const now = this.#clock();
    const isSame = this.#watched?.holder === row.holder && this.#watched.renewals === row.renewals;
    this.#watched = { ...row, since: isSame ? this.#watched!.since : now }; // isSame implies a watched row
    return now - this.#watched.since >= LAPSE_MS;
  }

  /** @param found lease that is replaced if no other machine was faster @returns whether this machine holds it now */
  async #take(tx: Tx, found: LeaseRow | undefined): Promise<boolean> {
    const { machine, name = hostname() } = this.#o;
    const taken = found
      ? await tx`
          update stage_lease set holder = ${machine}, name = ${name}, since = clock_timestamp(), renewals = renewals + 1
          where holder = ${found.holder} and renewals = ${found.renewals}`
      : await tx`insert into stage_lease (holder, name) values (${machine}, ${name}) on conflict do nothing`;
    if (taken.count === 0) return false;
    // All stages reload their outputs.
    await tx`update rig_revision set revision = revision + 1`;
    return true;
  }

  async #isStageLost(): Promise<boolean> {
    const now = this.#clock();
    if ((await this.#o.isStageUp?.()) !== false) this.#stageUpAt = now;
    return now - (this.#stageUpAt ??= now) >= STAGE_LOST_MS;
  }

  #note(other: LeaseRow | undefined): void {
    const isHeld = other === undefined;
    if (isHeld) this.#watched = undefined;
    // A machine that is alone reports nothing.
    if (isHeld && this.#isHeld === false) this.#o.say("This machine drives the fixtures now.");
    if (!isHeld && this.#isHeld !== false) this.#o.say(heldBy(other.name));
    this.#isHeld = isHeld;
  }
}
