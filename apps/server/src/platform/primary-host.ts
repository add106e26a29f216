import { Socket } from "node:net";
import postgres from "postgres";

/** A host that does not say within this whether it takes changes is passed over. */
const ANSWER_SECONDS = 2;
/** What was found out holds for the lines that are opened within this, ms. */
const HOLDS_MS = 1000;
const USUAL_PORT = 5432;

interface Found {
  readonly address: URL;
  readonly takesChanges: boolean;
}

/**
 * Of several hosts of one database the one that takes changes. The driver's own way (`target_session_attrs`) lets a statement
 * wait without an end while there is none. Here it goes to a host that answers, where it can read, and else fails as it does
 * while a single host is away.
 */
export class PrimaryHost {
  readonly #addresses: readonly string[];
  /** Open lines, and the host at the other end of each. */
  readonly #lines = new Map<Socket, string>();
  #found: Promise<Found> | undefined;
  #foundAt = -Infinity;

  /** @param addresses one per host, as `addressesOf` tells them */
  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** Opens a line there, for the driver, which hears how it goes. */
  readonly socket = async (): Promise<Socket> => {
    const { address } = await this.#find();
    const { hostname, port } = address;
    // The driver names the host of a certificate by it.
    const place = { host: hostname, port: Number(port || USUAL_PORT) };
    const line = Object.assign(new Socket().connect(place), place);
    this.#lines.set(line, address.href);
    line.once("close", () => this.#lines.delete(line));
    return line;
  };

  /**
   * Closes lines to other hosts than the one that takes changes, where there is one. A host that is gone for good says nothing
   * when it is asked something: the system waits a quarter of an hour for it.
   */
  async leaveOthers(): Promise<void> {
    const { address, takesChanges } = await this.#find();
    if (!takesChanges) return;
    for (const [line, host] of this.#lines) if (host !== address.href) line.destroy();
  }

  /** Whether there is one now. */
  async exists(): Promise<boolean> {
    return (await this.#find()).takesChanges;
  }

  #find(): Promise<Found> {
    if (this.#found && performance.now() - this.#foundAt < HOLDS_MS) return this.#found;
    this.#foundAt = performance.now();
    return (this.#found = find(this.#addresses));
  }
}

/** All are asked at once: one that is silent delays no other. */
async function find(addresses: readonly string[]): Promise<Found> {
  const asked = addresses.map(async (address) => ({
    address: new URL(address),
    takesChanges: await takesChanges(address),
  }));
  const primary = asked.map(async (answer) => {
    const found = await answer;
    return found.takesChanges ? found : Promise.reject(new Error("it takes no changes"));
  });
  return Promise.any(primary)
    .catch(() => Promise.any(asked))
    .catch(() => ({ address: new URL(addresses[0]!), takesChanges: false })); // a database has an address
}

/** @throws Error when it does not answer */
async function takesChanges(address: string): Promise<boolean> {
  const sql = postgres(address, {
    ...{ max: 1, connect_timeout: ANSWER_SECONDS, fetch_types: false },
    ...{ onnotice: () => {}, backoff: () => 0 },
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it does not answer")), ANSWER_SECONDS * 1000);
  });
  try {
    const answer = sql<{ setting: string }[]>`select current_setting('transaction_read_only') as setting`;
    const [row] = await Promise.race([answer, late]);
    return row?.setting === "off";
  } finally {
    clearTimeout(timer);
    void sql.end({ timeout: 0 });
  }
}
