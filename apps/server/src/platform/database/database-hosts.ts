import type { Socket } from "node:net";
import postgres from "postgres";
import { HOST_REFUSED } from "./database-fault.ts";
import { failedSocket, openSocket } from "./database-socket.ts";
import {
  hostFaults,
  hostOf,
  judgeHosts,
  TimelineMemory,
  type HostReport,
  type JudgedHosts,
} from "./database-timeline.ts";

/** Time for a host to answer a probe, s; slower hosts count as silent. */
const ANSWER_SECONDS = 2;
/**
 * Number of consecutive timeouts before the connections to a host are closed; a single one may be a stall of this
 * process.
 */
const SILENT_TIMES = 2;
/** How long a chosen host is used for new connections, ms. */
const HOLDS_MS = 1000;
const USUAL_PORT = 5432;
/** insufficient_privilege, undefined_function, feature_not_supported, object_not_in_prerequisite_state */
const HAS_NO_TIMELINE: ReadonlySet<string> = new Set(["42501", "42883", "0A000", "55000"]);

/**
 * Hosts of one database, and our connections to them. Connections are opened to the writable host on the newest timeline
 * (decision 107). Without one, the driver's own option (`target_session_attrs`) makes a statement wait forever. This
 * class connects to a host that can be read instead, or fails as it does when a single host is unavailable.
 */
export class DatabaseHosts {
  readonly #addresses: readonly string[];
  readonly #sslMode: unknown;
  readonly #memory: TimelineMemory;
  /** Open connections with the address of each. */
  readonly #connections = new Map<Socket, string>();
  #judged: JudgedHosts | undefined;
  #chosen: Promise<URL> | undefined;
  #chosenAt = -Infinity;
  #comparing: Promise<void> | undefined;

  /**
   * @param addresses one per host, from `addressesOf`
   * @param dataDir folder that stores the newest timeline; undefined stores it in memory
   */
  constructor(addresses: readonly string[], dataDir?: string) {
    this.#addresses = addresses;
    this.#memory = new TimelineMemory(dataDir);
    this.#sslMode = postgres(addresses[0]!).options.ssl; // reads the address as the driver does, without opening a connection
  }

  /** Opens a connection for the driver, which receives its errors and close event. */
  readonly socket = async (): Promise<Socket> => {
    let chosen: URL;
    try {
      chosen = await this.find();
    } catch (error) {
      return failedSocket(error as Error);
    }
    const { href, hostname, port } = chosen;
    const place = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || USUAL_PORT) };
    const socket = Object.assign(await openSocket(place, this.#sslMode), place);
    for (const old of this.#connections.keys()) if (old.destroyed) this.#connections.delete(old);
    this.#connections.set(socket, href);
    return socket;
  };

  /**
   * Finds the host to write to, else one that can be read; a single host is not probed.
   * @throws Error with the code {@link HOST_REFUSED} if every writable host is refused
   */
  find(): Promise<URL> {
    if (this.#chosen && performance.now() - this.#chosenAt < HOLDS_MS) return this.#chosen;
    this.#chosenAt = performance.now();
    return (this.#chosen = this.#find());
  }

  /**
   * Probes all hosts and closes the connections to those that must not be used: refused hosts, silent ones, and, if a
   * host can be written to, all others. A host without power never responds: the operating system waits a quarter of an
   * hour for it, and so would each call.
   */
  compare(): Promise<void> {
    return (this.#comparing ??= this.#compare().finally(() => (this.#comparing = undefined)));
  }

  /** Whether there is a choice. */
  get areSeveral(): boolean {
    return this.#addresses.length > 1;
  }

  /** Writable hosts that were refused at the last probe. */
  get refusedCount(): number {
    return this.#judged?.refused.length ?? 0;
  }

  /** Problems of the hosts at the last probe, as sentences. */
  get faults(): readonly string[] {
    return this.#judged ? hostFaults(this.#judged) : [];
  }

  async #find(): Promise<URL> {
    if (!this.areSeveral) return new URL(this.#addresses[0]!); // a database has at least one address
    const probes = this.#addresses.map(probe);
    // The host in use is used again without waiting for silent ones; `compare` probes the others regularly.
    const used = this.#judged?.chosen?.address;
    if (used) {
      const report = await probes[this.#addresses.indexOf(used.href)]!; // a judged host is one of the addresses
      if (judgeHosts([report], await this.#memory.read(), hostOf(used)).chosen) return used;
    }
    const reports = await Promise.all(probes);
    const judged = await this.#judge(reports);
    const found = judged.chosen ?? reports.find(({ state }) => state === "readable");
    if (found) return found.address;
    const [refusal] = hostFaults(judged);
    if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: HOST_REFUSED });
    return new URL(this.#addresses[0]!);
  }

  async #compare(): Promise<void> {
    for (let times = 1; ; times++) {
      const reports = await Promise.all(this.#addresses.map(probe));
      const { chosen, refused } = await this.#judge(reports);
      const silent = reports.filter(({ state }) => state === "silent");
      const left = chosen ? reports.filter((host) => host !== chosen) : [...refused, ...silent];
      if (left.length === 0) return;
      if (!chosen && silent.length > 0 && times < SILENT_TIMES) continue;
      const addresses = new Set(left.map(({ address }) => address.href));
      this.#chosenAt = -Infinity;
      for (const [socket, host] of this.#connections) if (addresses.has(host)) socket.destroy();
      return;
    }
  }

  async #judge(reports: readonly HostReport[]): Promise<JudgedHosts> {
    // Behind a single address a proxy or the cluster itself chooses the server.
    const seen = this.areSeveral ? await this.#memory.read() : undefined;
    const used = this.#judged?.chosen?.address;
    const judged = judgeHosts(reports, seen, used && hostOf(used));
    if (this.areSeveral && judged.seen && judged.seen !== seen) await this.#memory.write(judged.seen);
    return (this.#judged = judged);
  }
}

interface Answer {
  readonly is_read_only: boolean;
  /** Timeline as hexadecimal digits; null on a standby. */
  readonly timeline: string | null;
  readonly system: string;
  readonly started_at: string;
}

async function probe(text: string): Promise<HostReport> {
  const address = new URL(text);
  const sql = postgres(text, {
    ...{ max: 1, connect_timeout: ANSWER_SECONDS, fetch_types: false },
    ...{ onnotice: () => {}, backoff: () => 0 },
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it does not answer")), ANSWER_SECONDS * 1000);
  try {
    return await Promise.race([ask(sql, address), late.promise]);
  } catch (error) {
    // The host has too many connections or is starting, but it is reachable.
    return { address, state: error instanceof postgres.PostgresError ? "refusing" : "silent" };
  } finally {
    clearTimeout(timer);
    sql.end({ timeout: 0 }).catch(() => {}); // a host that was probed, whose connection may be lost
  }
}

async function ask(sql: postgres.Sql, address: URL): Promise<HostReport> {
  try {
    // The first eight digits of the name of a WAL file are the timeline. A standby has no current WAL file.
    const [row] = await sql<Answer[]>`
      select current_setting('transaction_read_only') = 'on' as is_read_only, system_identifier::text as system,
        case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
        pg_postmaster_start_time()::text as started_at
      from pg_control_system()`;
    const { is_read_only, timeline, system, started_at: startedAt } = row!; // a function without a condition returns a row
    if (is_read_only || timeline === null) return { address, state: "readable" };
    return { address, state: "writable", startedAt, position: { system, timeline: Number.parseInt(timeline, 16) } };
  } catch (error) {
    if (!(error instanceof postgres.PostgresError && HAS_NO_TIMELINE.has(error.code))) throw error;
    const [row] = await sql<{ is_read_only: boolean }[]>`
      select current_setting('transaction_read_only') = 'on' as is_read_only`;
    return { address, state: row?.is_read_only === false ? "writable" : "readable" };
  }
}
