import { DeliverPolicy, type ConsumerMessages, type JsMsg } from "@nats-io/jetstream";
import { STREAMS, subjects, type Envelope } from "@followspot/contract";
import { decodeTime } from "ulid";
import type { Broker } from "../platform/nats.ts";
import type { Replay } from "./events-connection.ts";

const REPLAY_LIMIT = 5000;
/** Ids are made before the commit, sequences after it. */
const CLOCK_SLACK_MS = 5000;

/** Every envelope of the EVENTS stream, to this process; each replica of the API sees all of them. */
export class EventFeed {
  readonly #warn: (message: string) => void;
  #broker: Broker | undefined;
  #messages: ConsumerMessages | undefined;
  #closed = false;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  start(broker: Broker, listener: (envelope: Envelope) => void): void {
    this.#broker = broker;
    void this.#follow(broker, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#messages?.close();
  }

  /** What was said on `topic` after the envelope `afterId`; incomplete when that is too long ago. */
  async replay(topic: string, afterId: string): Promise<Replay> {
    const none: Replay = { envelopes: [], complete: false };
    if (!this.#broker) return none;
    const { js, jsm } = this.#broker;
    const { state } = await jsm.streams.info(STREAMS.events.name);
    const since = decodeTime(afterId) - CLOCK_SLACK_MS;
    if (state.messages === 0 || Date.parse(state.first_ts) > since) return none;
    const consumer = await js.consumers.get(STREAMS.events.name, {
      deliver_policy: DeliverPolicy.StartTime,
      opt_start_time: new Date(since).toISOString(),
      filter_subjects: subjects.event(topic),
    });
    const { num_pending } = await consumer.info();
    if (num_pending > REPLAY_LIMIT) return none;
    const found: Envelope[] = [];
    if (num_pending > 0) {
      for await (const message of await consumer.fetch({ max_messages: num_pending, expires: 2000 })) {
        found.push(toEnvelope(message));
        if (found.length === num_pending) break;
      }
    }
    const at = found.findIndex((envelope) => envelope.id === afterId);
    return at >= 0 ? { envelopes: found.slice(at + 1), complete: true } : none;
  }

  async #follow(broker: Broker, listener: (envelope: Envelope) => void): Promise<void> {
    let from: number | undefined;
    while (!this.#closed) {
      try {
        const consumer = await broker.js.consumers.get(
          STREAMS.events.name,
          from === undefined
            ? { deliver_policy: DeliverPolicy.New }
            : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from },
        );
        this.#messages = await consumer.consume();
        for await (const message of this.#messages) {
          from = message.seq + 1;
          listener(toEnvelope(message));
        }
      } catch (error) {
        if (this.#closed) return;
        this.#warn(`waiting for the events stream: ${(error as Error).message}`);
        from = undefined; // the stream may be a new one
      }
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

function toEnvelope(message: JsMsg): Envelope {
  return { ...message.json<Envelope>(), sequence: message.seq };
}
