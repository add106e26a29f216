import type { Socket } from "node:net";
import postgres from "postgres";
import { openSocket } from "./database-socket.ts";

/** Time for a host to report whether it accepts writes, s; slower hosts are skipped. */
const ANSWER_SECONDS = 2;
/**
 * Number of consecutive timeouts before the connections to a host are closed; a single one may be a stall of this
 * process.
 */
const SILENT_TIMES = 2;
/** How long a chosen host is used for new connections, ms. */
const HOLDS_MS = 1000;
const USUAL_PORT = 5432;

interface Host {
  readonly address: URL;
  readonly says: "takes changes" | "can be read" | "refuses" | "nothing";
}

/**
 * Hosts of one database, and our connections to them. Connections are opened to the host that accepts writes. If none
 * does, the driver's own option (`target_session_attrs`) makes a statement wait forever. This class connects to a host
 * that can be read instead, or fails as it does when a single host is unavailable.
 */
export class DatabaseHosts {
  readonly #addresses: readonly string[];
  readonly #sslMode: unknown;
  /** Open connections with the host of each. */
  readonly #connections = new Map<Socket, string>();
  #chosen: Promise<URL> | undefined;
  #chosenAt = -Infinity;
  #leaving: Promise<void> | undefined;

  /** @param addresses one per host, from `addressesOf` */
  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
    this.#sslMode = postgres(addresses[0]!).options.ssl; // reads the address as the driver does, without opening a connection
  }

  /** Opens a connection for the driver, which receives its errors and close event. */
  readonly socket = async (): Promise<Socket> => {
    const { href, hostname, port } = await this.#choose();
    const place = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || USUAL_PORT) };
    const socket = Object.assign(await openSocket(place, this.#sslMode), place);
    for (const old of this.#connections.keys()) if (old.destroyed) this.#connections.delete(old);
    this.#connections.set(socket, href);
    return socket;
  };

  /**
   * Closes the connections to unresponsive hosts, and, if a host accepts writes, to all others. A host without power
   * never responds: the operating system waits a quarter of an hour for it, and so would each call.
   */
  leaveSilent(): Promise<void> {
    return (this.#leaving ??= this.#leave().finally(() => (this.#leaving = undefined)));
  }

  async #leave(): Promise<void> {
    for (let times = 1; ; times++) {
      const hosts = await askAll(this.#addresses);
      const primary = primaryOf(hosts);
      const left = hosts.filter((host) => (primary ? host !== primary : host.says === "nothing"));
      if (left.length === 0) return;
      if (!primary && times < SILENT_TIMES) continue;
      const addresses = new Set(left.map(({ address }) => address.href));
      for (const [socket, host] of this.#connections) if (addresses.has(host)) socket.destroy();
      return;
    }
  }

  /** Whether a host accepts writes now. */
  async hasPrimary(): Promise<boolean> {
    return primaryOf(await askAll(this.#addresses)) !== undefined;
  }

  /** Chooses the host that accepts writes, else one that can be read; a single host is not probed. */
  #choose(): Promise<URL> {
    if (this.#chosen && performance.now() - this.#chosenAt < HOLDS_MS) return this.#chosen;
    this.#chosenAt = performance.now();
    return (this.#chosen = choose(this.#addresses));
  }
}

async function choose(addresses: readonly string[]): Promise<URL> {
  if (addresses.length === 1) return new URL(addresses[0]!); // a database has at least one address
  const asked = addresses.map(ask);
  const having = (wanted: (host: Host) => boolean) =>
    Promise.any(asked.map(async (host) => (wanted(await host) ? host : Promise.reject(new Error("another one")))));
  const found = await having(({ says }) => says === "takes changes")
    .catch(() => having(({ says }) => says === "can be read"))
    .catch(() => undefined);
  return found?.address ?? new URL(addresses[0]!);
}

/** Probes all hosts in parallel, so that a silent one delays no other. */
function askAll(addresses: readonly string[]): Promise<readonly Host[]> {
  return Promise.all(addresses.map(ask));
}

function primaryOf(hosts: readonly Host[]): Host | undefined {
  return hosts.find(({ says }) => says === "takes changes");
}

async function ask(address: string): Promise<Host> {
  const sql = postgres(address, {
    ...{ max: 1, connect_timeout: ANSWER_SECONDS, fetch_types: false },
    ...{ onnotice: () => {}, backoff: () => 0 },
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it does not answer")), ANSWER_SECONDS * 1000);
  const says = (says: Host["says"]): Host => ({ address: new URL(address), says });
  try {
    const answer = sql<{ setting: string }[]>`select current_setting('transaction_read_only') as setting`;
    const [row] = await Promise.race([answer, late.promise]);
    return says(row?.setting === "off" ? "takes changes" : "can be read");
  } catch (error) {
    // The host has too many connections or is starting, but it is reachable.
    return says(error instanceof postgres.PostgresError ? "refuses" : "nothing");
  } finally {
    clearTimeout(timer);
    void sql.end({ timeout: 0 });
  }
}
