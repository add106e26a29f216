import { hostsOf, isReadOnly, type Sql } from "./database.ts";
import { databaseFault, type DatabaseFault } from "./database-fault.ts";
import { every } from "../every.ts";
import type { Log } from "../process/log.ts";

const LOOK_MS = 1000;
/** Interval between probes of all hosts, ms: a second primary is detected within this time. */
const COMPARE_MS = 2000;
/** Time after which an unresponsive database counts as unavailable, ms. */
const ANSWER_MS = 5000;

const BEGINS: Readonly<Record<DatabaseFault, string>> = {
  away: "the database is not reachable",
  refused: "the database refuses our connections",
  full: "there is no space left on the database's disk",
  "read-only": "the database takes no changes",
};
const ENDS: Readonly<Record<DatabaseFault, string>> = {
  away: "the database is back",
  refused: "the database accepts our connections again",
  full: "there is space on the database's disk again",
  "read-only": "the database takes changes again",
};

/** Logs a failure that is not the caller's fault. */
export type NoteFailure = (where: string, error: unknown, request?: string) => void;

/**
 * Monitors the database. An outage or a full disk is logged once when it begins and once when it ends, not once per
 * failed call.
 */
export class DatabaseWatch {
  readonly #sql: Sql;
  readonly #log: Log;
  #fault: DatabaseFault | undefined;
  #looking: Promise<void> | undefined;
  #loggedFaults = "";
  #ends: readonly (() => void)[] = [];

  constructor(sql: Sql, log: Log) {
    this.#sql = sql;
    this.#log = log;
  }

  start(): void {
    const warn = (line: string) => this.#log.warn(line);
    this.#ends = [
      every(LOOK_MS, "asking the database", () => this.look(), warn),
      ...(hostsOf(this.#sql)?.areSeveral
        ? [every(COMPARE_MS, "comparing the hosts of the database", () => this.compareHosts(), warn)]
        : []),
    ];
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  /** Whether the database answered the last probe; they follow each other by a second. */
  get isUsable(): boolean {
    return this.#fault !== "away" && this.#fault !== "refused";
  }

  /** Problems of the hosts of DATABASE_URL, as sentences. */
  get hostFaults(): readonly string[] {
    return hostsOf(this.#sql)?.faults ?? [];
  }

  /** Number of hosts that accept writes and are refused. */
  get refusedHosts(): number {
    return hostsOf(this.#sql)?.refusedCount ?? 0;
  }

  /** Probes all hosts of DATABASE_URL; logs a second primary once when it appears and once when it is gone. */
  async compareHosts(): Promise<void> {
    const hosts = hostsOf(this.#sql);
    if (!hosts) return;
    await hosts.compare();
    const faults = hosts.faults.join(" ");
    if (faults === this.#loggedFaults) return;
    if (faults === "") this.#log.info("only one host of the database takes changes again");
    else this.#log.error(faults);
    this.#loggedFaults = faults;
  }

  readonly noteFailure: NoteFailure = (where, error, request) => {
    const fault = databaseFault(error);
    if (fault) this.#begin(fault, error);
    else this.#log.error({ err: error, request }, where);
  };

  /** Probes the database. @returns its current fault */
  async look(): Promise<DatabaseFault | undefined> {
    await (this.#looking ??= this.#ask().finally(() => (this.#looking = undefined)));
    return this.#fault;
  }

  async #ask(): Promise<void> {
    try {
      if (await within(ANSWER_MS, isReadOnly(this.#sql)))
        return this.#begin("read-only", new Error("it is a standby, or set to read-only"));
      if (this.#fault === "full") await within(ANSWER_MS, askForRoom(this.#sql));
      this.#end();
    } catch (error) {
      this.#begin(databaseFault(error) ?? "away", error);
      void this.compareHosts().catch(() => {}); // repeated at an interval, which logs failures
    }
  }

  #begin(fault: DatabaseFault, error: unknown): void {
    if (this.#fault === fault) return;
    this.#fault = fault;
    this.#log.error(`${BEGINS[fault]}: ${(error as Error).message}`);
  }

  #end(): void {
    if (!this.#fault) return;
    this.#log.info(ENDS[this.#fault]);
    this.#fault = undefined;
  }
}

/**
 * For a process without a database monitor: closes connections to a host that has become unresponsive, instead of
 * waiting for the operating system's timeout, and to one that must not be used any more.
 * @returns function that stops the checks
 */
export function leaveUnusableHosts(sql: Sql): () => void {
  const hosts = hostsOf(sql);
  const compare = async () => hosts?.compare();
  const ask = () => within(ANSWER_MS, sql`select 1`.execute()).catch(compare);
  const ends = [
    every(LOOK_MS, "asking the database", ask, () => {}),
    ...(hosts?.areSeveral ? [every(COMPARE_MS, "comparing the hosts of the database", compare, () => {})] : []),
  ];
  return () => ends.forEach((end) => end());
}

/**
 * Makes the database write about two megabytes of temporary data: a sort that does not fit in memory. This extends
 * neither a table nor the write-ahead log, whose failed write would end the server.
 */
function askForRoom(sql: Sql): Promise<unknown> {
  return sql
    .unsafe(
      `set local work_mem = '64kB';
       select count(*) from (select i from generate_series(1, 50000) i order by md5(i::text) offset 0) sorted`,
    )
    .execute();
}

async function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const error = Object.assign(new Error(`no answer within ${ms / 1000} s`), { code: "ETIMEDOUT" });
  const timer = setTimeout(() => late.reject(error), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
