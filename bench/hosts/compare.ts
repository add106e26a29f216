import { setTimeout as pause } from "node:timers/promises";
import { databaseFault } from "../../apps/server/src/platform/database/database-fault.ts";
import type { Sql } from "../../apps/server/src/platform/database/database.ts";
import type { Ledger } from "./asks.ts";

/** What was answered with yes has to be at the office within this, ms. */
const SETTLE_MS = 120_000;
const LOOK_MS = 500;

/** What is in the database against what clients were answered; every count should be 0. */
export interface Losses {
  /** Messages and gold that were answered with yes and are not there, or are there without a yes. */
  readonly rows: number;
  readonly rowsDoubled: number;
  /** Songs that are not there, or not lit. */
  readonly songs: number;
  /** Songs that were not brought, and steps that were finished twice. */
  readonly songsDoubled: number;
  /** People who were let in at a venue and are not in at the office. */
  readonly checkIns: number;
  /** Check-ins that were not made, or that the audit log has twice. */
  readonly checkInsDoubled: number;
}

export interface Settled extends Losses {
  /** From the end of all calls until everything was there, ms. */
  readonly settledMs: number;
}

/** Reads again where the fault has cut the bench's own connection to the database. */
async function onceThere<T>(read: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + SETTLE_MS; ;) {
    try {
      return await read();
    } catch (error) {
      if (databaseFault(error) !== "away" || performance.now() > end) throw error;
      await pause(LOOK_MS);
    }
  }
}

/** Everything that clients were answered with yes in one night. */
export class Compared {
  readonly #sql: Sql;
  readonly #threadId: string;
  /** By venue. */
  readonly #eventIds: Readonly<Record<string, string>>;
  readonly #messages = new Set<string>();
  readonly #gold = new Set<string>();
  readonly #songs: Set<string>;
  readonly #checkIns = new Set<string>();
  #known: Losses = { rows: 0, rowsDoubled: 0, songs: 0, songsDoubled: 0, checkIns: 0, checkInsDoubled: 0 };

  constructor(
    sql: Sql,
    of: {
      readonly threadId: string;
      readonly eventIds: Readonly<Record<string, string>>;
      /** Songs of the playlists. */
      readonly songs: readonly string[];
    },
  ) {
    this.#sql = sql;
    this.#threadId = of.threadId;
    this.#eventIds = of.eventIds;
    this.#songs = new Set(of.songs);
  }

  /** Waits until everything is there, or it is late. @returns what is missing or too much since it was compared last */
  async add(ledger: Ledger): Promise<Settled> {
    for (const id of ledger.messages) this.#messages.add(id);
    for (const id of ledger.gold) this.#gold.add(id);
    for (const id of ledger.songs) this.#songs.add(id);
    for (const [venue, people] of Object.entries(ledger.checkIns))
      for (const person of people) this.#checkIns.add(`${this.#eventIds[venue]} ${person}`);
    const from = performance.now();
    let now = await onceThere(() => this.#count());
    while (sum(now) > sum(this.#known) && performance.now() - from < SETTLE_MS) {
      await pause(LOOK_MS);
      now = await onceThere(() => this.#count());
    }
    const settledMs = Math.round(performance.now() - from);
    const before = this.#known;
    this.#known = now;
    const fresh = Object.entries(now).map(([name, count]) => [name, count - before[name as keyof Losses]]);
    return { ...(Object.fromEntries(fresh) as unknown as Losses), settledMs };
  }

  async #count(): Promise<Losses> {
    const sql = this.#sql;
    const [messages, gold, songs, steps, checkIns, entries] = await Promise.all([
      sql<{ id: string }[]>`select id from chat_messages where thread_id = ${this.#threadId}`,
      sql<{ id: string }[]>`select id from gold_transactions`,
      sql<{ id: string; ready: boolean }[]>`
        select id, analysis_status = 'ready' and lighting_status = 'ready' as ready from songs`,
      sql<{ done: number }[]>`
        select count(*) filter (where state = 'done')::int as done from song_jobs group by song_id, step`,
      sql<{ id: string; key: string }[]>`select id, event_id || ' ' || user_id as key from check_ins`,
      sql<{ made: number }[]>`
        select count(*)::int as made from audit_log where action = 'check_in.created' group by target`,
    ]);
    const lit = new Set(songs.filter(({ ready }) => ready).map(({ id }) => id));
    return {
      rows: missing(this.#messages, messages) + missing(this.#gold, gold),
      rowsDoubled: extra(this.#messages, messages) + extra(this.#gold, gold),
      songs: [...this.#songs].filter((id) => !lit.has(id)).length,
      songsDoubled: extra(this.#songs, songs) + steps.filter(({ done }) => done > 1).length,
      checkIns: missing(
        this.#checkIns,
        checkIns.map(({ key }) => ({ id: key })),
      ),
      checkInsDoubled:
        extra(
          this.#checkIns,
          checkIns.map(({ key }) => ({ id: key })),
        ) + entries.filter(({ made }) => made > 1).length,
    };
  }

  /** Ids of all messages that are in the thread now, without those that were asked for before. */
  async newMessages(known: ReadonlySet<string>): Promise<string[]> {
    const rows = await onceThere(
      () => this.#sql<{ id: string }[]>`select id from chat_messages where thread_id = ${this.#threadId}`,
    );
    return rows.map(({ id }) => id).filter((id) => !known.has(id));
  }
}

const sum = (losses: Losses): number => Object.values(losses).reduce((all, count) => all + count, 0);

function missing(promised: ReadonlySet<string>, rows: readonly { readonly id: string }[]): number {
  const there = new Set(rows.map(({ id }) => id));
  return [...promised].filter((id) => !there.has(id)).length;
}

const extra = (promised: ReadonlySet<string>, rows: readonly { readonly id: string }[]): number =>
  rows.filter(({ id }) => !promised.has(id)).length;
