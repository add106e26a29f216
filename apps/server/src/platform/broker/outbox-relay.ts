import type { Broker } from "./nats.ts";
import { ensureStreams } from "./nats.ts";
import type { Sql } from "../database/database.ts";
import { databaseFault } from "../database/database-fault.ts";
import { lockOf } from "../database/locks.ts";
import { outboxChannel } from "../database/outbox.ts";
import { transactOnce } from "../database/transaction.ts";

const BATCH = 200;
/** Interval of polls, ms. A notification that was missed delays its message by at most this. */
const POLL_MS = 1000;
/** Longest wait for the broker to store a message, ms. */
const STORED_MS = 2000;

interface OutboxMessage {
  readonly seq: bigint;
  readonly id: string;
  readonly subject: string;
  /** JSON. */
  readonly body: string;
}

/**
 * Publishes the outbox to JetStream in order, one relay at a time over all replicas.
 * A crash between publish and delete repeats a message under the same id, which the stream drops.
 */
export class OutboxRelay {
  readonly #sql: Sql;
  readonly #broker: Broker;
  readonly #warn: (message: string) => void;
  readonly #pollMs: number;
  #timer: NodeJS.Timeout | undefined;
  #wake = () => {};
  #closed = false;
  #isStoring = true;
  #done: Promise<void> = Promise.resolve();
  #unlisten: (() => Promise<void>) | undefined;

  constructor(sql: Sql, broker: Broker, warn: (message: string) => void, pollMs = POLL_MS) {
    this.#sql = sql;
    this.#broker = broker;
    this.#warn = warn;
    this.#pollMs = pollMs;
  }

  start(): void {
    this.#done = this.#loop();
    void outboxChannel(this.#sql)
      .then((channel) => this.#sql.listen(channel, () => this.#wake()))
      .then(({ unlisten }) => (this.#unlisten = unlisten))
      .catch(() => {}); // polling continues without notifications
  }

  /** Whether the broker stored the last messages. */
  get isStoring(): boolean {
    return this.#isStoring;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    await this.#done;
    await this.#unlisten?.().catch(() => {}); // the connection is closed next anyway
  }

  async #loop(): Promise<void> {
    let lastWarning = "";
    while (!this.#closed) {
      let published = 0;
      try {
        published = await this.#publishBatch();
        this.#isStoring = true;
        lastWarning = "";
      } catch (error) {
        if (!databaseFault(error)) lastWarning = await this.#holdUp(error as Error, lastWarning);
      }
      if (published < BATCH && !this.#closed) await this.#sleep();
    }
  }

  /** @returns the logged message */
  async #holdUp({ message }: Error, lastWarning: string): Promise<string> {
    this.#isStoring = false;
    if (message !== lastWarning) this.#warn(`messages wait in the outbox: ${message}`);
    // The broker may have lost its data folder: streams are recreated before the next attempt.
    await ensureStreams(this.#broker).catch(() => {});
    return message;
  }

  /** Publishes a batch in order and in parallel. If one message fails, all remain; their IDs prevent duplicates. */
  async #publishBatch(): Promise<number> {
    return transactOnce(this.#sql, async (tx) => {
      const [lock] = await tx`select pg_try_advisory_xact_lock(${lockOf(tx, "outbox")}) as mine`;
      if (!lock?.mine) return { answer: 0 };
      const rows = await tx<OutboxMessage[]>`
        delete from outbox where seq in (select seq from outbox order by seq limit ${BATCH})
        returning seq, id, subject, body`;
      rows.sort((a, b) => Number(a.seq - b.seq));
      await Promise.all(rows.map((row) => this.#publish(row)));
      return { answer: rows.length };
    });
  }

  async #publish({ id, subject, body }: OutboxMessage): Promise<void> {
    const { max_payload } = this.#broker.connection.info ?? { max_payload: Number.POSITIVE_INFINITY };
    const bytes = Buffer.byteLength(body);
    if (bytes > max_payload) {
      // It can never be sent, and everything behind it would wait forever.
      this.#warn(`message ${id} on ${subject} is too large (${bytes} bytes) and is dropped`);
      return;
    }
    await this.#broker.js.publish(subject, body, { msgID: id, timeout: STORED_MS });
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        clearTimeout(this.#timer);
        resolve();
      };
      this.#timer = setTimeout(resolve, this.#pollMs);
    });
  }
}
