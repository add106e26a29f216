import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from, to } from "pg-copy-streams";
import { DatabaseHosts } from "../../platform/database/database-hosts.ts";
import { addressesOf } from "../../platform/database/database-url.ts";
import { BackupError } from "./manifest.ts";

/** Timeout for a silent database, ms. */
const SILENCE_MS = 60_000;
/** Timeout for silent work of the database, such as building an index over all rows, ms. */
export const LONG_WORK_MS = 3_600_000;
const CONNECT_MS = 10_000;
/** Longest wait for the server when a connection closes, ms. */
const GOODBYE_MS = 1000;

export interface ConnectionOptions {
  /** Shorter in tests. */
  readonly silenceMs?: number | undefined;
  /** Cuts the connection: pending statements fail, and the database rolls back the transaction. */
  readonly signal?: AbortSignal | undefined;
  /** Folder that stores the newest timeline of the database; without it, only hosts that answer now are compared. */
  readonly dataDir?: string | undefined;
}

/** Connection for COPY and related statements. Every wait on it has a timeout. */
export class DatabaseConnection {
  readonly #client: pg.Client;
  readonly #silenceMs: number;
  #silence: BackupError | undefined;

  private constructor(client: pg.Client, silenceMs: number) {
    this.#client = client;
    this.#silenceMs = silenceMs;
    client.on("error", () => {}); // statements on the connection fail with it
  }

  /** @param url postgres://…; if it has several hosts, the writable one on the newest timeline is used */
  static async open(url: string, options: ConnectionOptions = {}): Promise<DatabaseConnection> {
    const hosts = new DatabaseHosts(addressesOf(url), options.dataDir);
    const connection = await DatabaseConnection.#openOne((await hosts.find()).href, options);
    if (!hosts.areSeveral) return connection;
    const [state] = await connection.ask<{ transaction_read_only: string }>("show transaction_read_only");
    if (state?.transaction_read_only !== "on") return connection;
    await connection.close();
    throw new BackupError("None of the database's hosts takes changes.");
  }

  static async #openOne(
    url: string,
    { silenceMs = SILENCE_MS, signal }: ConnectionOptions,
  ): Promise<DatabaseConnection> {
    const client = new pg.Client({
      connectionString: asOtherDriversRead(url),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: "followspot backup",
    });
    const connection = new DatabaseConnection(client, silenceMs);
    signal?.throwIfAborted();
    await client.connect();
    signal?.addEventListener("abort", () => connection.#cut(), { once: true });
    // The server ends the session of a killed backup even while it waits for something else.
    await connection.ask("set client_connection_check_interval = '2s'").catch(() => []); // not supported on every system
    return connection;
  }

  /** @param ms timeout */
  async ask<Row extends object>(text: string, values: readonly unknown[] = [], ms = this.#silenceMs): Promise<Row[]> {
    const answer = await this.#within(ms, () =>
      // Without parameters, a text may contain several statements, with one result for each.
      values.length > 0 ? this.#client.query<Row>(text, [...values]) : this.#client.query<Row>(text),
    );
    return Array.isArray(answer) ? [] : answer.rows;
  }

  /**
   * Streams the bytes of `copy … to stdout`. A slow disk may take its time, but a silent database times out.
   * @returns number of rows that the database reports
   */
  async copyOut(text: string, take: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<number> {
    const rows = this.#client.query(to(text));
    rows.on("error", () => {}); // handled below, or no longer awaited
    await take(this.#heard(rows));
    await this.ask("select 1"); // the count arrives after the last row
    return rows.rowCount;
  }

  /** Feeds `copy … from stdin`; the database must accept each chunk in time. @returns number of rows it accepted */
  async copyIn(text: string, chunks: AsyncIterable<Buffer>): Promise<number> {
    const rows = this.#client.query(from(text));
    let disarm = () => {};
    const arm = () => (disarm = this.#arm(this.#silenceMs));
    async function* fed() {
      for await (const chunk of chunks) {
        arm();
        yield chunk;
        disarm();
      }
      arm(); // for the final confirmation
    }
    try {
      await this.#told(() => pipeline(fed(), rows));
      return rows.rowCount;
    } finally {
      disarm();
    }
  }

  /** Closes the connection; an uncommitted transaction is rolled back. */
  async close(): Promise<void> {
    const cut = setTimeout(() => this.#cut(), GOODBYE_MS);
    await this.#client.end().catch(() => {}); // the connection was already lost
    clearTimeout(cut);
  }

  async *#heard(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = rows[Symbol.asyncIterator]();
    for (;;) {
      const next = await this.#within(this.#silenceMs, () => chunks.next());
      if (next.done) return;
      yield next.value;
    }
  }

  async #within<Answer>(ms: number, work: () => PromiseLike<Answer>): Promise<Answer> {
    const disarm = this.#arm(ms);
    try {
      return await this.#told(work);
    } finally {
      disarm();
    }
  }

  async #told<Answer>(work: () => PromiseLike<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      throw this.#silence ?? error;
    }
  }

  /** Cuts the connection unless the returned function is called in time. */
  #arm(ms: number): () => void {
    const timer = setTimeout(() => {
      this.#silence = new BackupError(
        `The database has said nothing for ${Math.round(ms / 1000)} s, so this was broken off. Look whether it is busy or its disk is full, then try again.`,
      );
      this.#cut();
    }, ms);
    return () => clearTimeout(timer);
  }

  #cut(): void {
    // The driver's own `end` waits for a response.
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

/** Makes `sslmode` mean the same as for the other driver, which does not verify certificates where this one does. */
function asOtherDriversRead(url: string): string {
  const address = new URL(url);
  if (address.searchParams.has("sslmode")) address.searchParams.set("uselibpqcompat", "true");
  return address.href;
}
