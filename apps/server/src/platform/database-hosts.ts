import type { Socket } from "node:net";
import postgres from "postgres";
import { openSocket } from "./database-socket.ts";

/** A host that does not say within this whether it takes changes is passed over. */
const ANSWER_SECONDS = 2;
/** So often in a row a host must say nothing before the connections to it are closed: our own process may have been held up. */
const SILENT_TIMES = 2;
/** A chosen host is used for all connections that are opened within this, ms. */
const HOLDS_MS = 1000;
const USUAL_PORT = 5432;

interface Host {
  readonly address: URL;
  readonly says: "takes changes" | "can be read" | "refuses" | "nothing";
}

/**
 * The hosts of one database, and our connections to them. Connections are opened to the host that takes changes. Where none
 * does, the driver's own way (`target_session_attrs`) lets a statement wait without an end. Here it is sent to a host that
 * answers, where it can read, and else fails as it does while a single host is away.
 */
export class DatabaseHosts {
  readonly #addresses: readonly string[];
  readonly #sslMode: unknown;
  /** Open connections, and the host at the other end of each. */
  readonly #connections = new Map<Socket, string>();
  #chosen: Promise<URL> | undefined;
  #chosenAt = -Infinity;
  #leaving: Promise<void> | undefined;

  /** @param addresses one per host, as `addressesOf` tells them */
  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
    this.#sslMode = postgres(addresses[0]!).options.ssl; // an address as the driver reads it; no connection is opened
  }

  /** Opens a connection for the driver, which hears of its errors and its end. */
  readonly socket = async (): Promise<Socket> => {
    const { href, hostname, port } = await this.#choose();
    const place = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || USUAL_PORT) };
    const socket = Object.assign(await openSocket(place, this.#sslMode), place);
    for (const old of this.#connections.keys()) if (old.destroyed) this.#connections.delete(old);
    this.#connections.set(socket, href);
    return socket;
  };

  /**
   * Closes the connections to hosts that say nothing, and, where a host takes changes, to all others. A host that was switched
   * off never answers: the operating system waits a quarter of an hour for it, and so would each call.
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

  /** Whether one takes changes now. */
  async hasPrimary(): Promise<boolean> {
    return primaryOf(await askAll(this.#addresses)) !== undefined;
  }

  /** The one that takes changes, else one that answers; a single one is not asked before. */
  #choose(): Promise<URL> {
    if (this.#chosen && performance.now() - this.#chosenAt < HOLDS_MS) return this.#chosen;
    this.#chosenAt = performance.now();
    return (this.#chosen = choose(this.#addresses));
  }
}

async function choose(addresses: readonly string[]): Promise<URL> {
  if (addresses.length === 1) return new URL(addresses[0]!); // a database has an address
  const asked = addresses.map(ask);
  const having = (wanted: (host: Host) => boolean) =>
    Promise.any(asked.map(async (host) => (wanted(await host) ? host : Promise.reject(new Error("another one")))));
  const found = await having(({ says }) => says === "takes changes")
    .catch(() => having(({ says }) => says === "can be read"))
    .catch(() => undefined);
  return found?.address ?? new URL(addresses[0]!);
}

/** All are asked at once: one that is silent delays no other. */
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
    // It has too many connections, or is starting: it is there.
    return says(error instanceof postgres.PostgresError ? "refuses" : "nothing");
  } finally {
    clearTimeout(timer);
    void sql.end({ timeout: 0 });
  }
}
