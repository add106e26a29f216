import { setTimeout as pause } from "node:timers/promises";
import { DeliverPolicy, type ConsumerMessages, type JsMsg } from "@nats-io/jetstream";
import { STREAMS, type Envelope } from "@followspot/contract";
import { consume, type Broker } from "../broker/nats.ts";
import type { Replay } from "./events-connection.ts";

/** Size of the replay buffer. A client that missed more has to reload everything. */
const KEPT = { envelopes: 10_000, bytes: 8 * 1024 * 1024 };
/** Maximum wait of a resuming client for a feed that is starting, ms. */
const READY_MS = 5000;
const TRY_AGAIN_MS = 500;
const LOOK_AGAIN_MS = 20;

interface FeedListener {
  readonly onEnvelope: (envelope: Envelope) => void;
  /** Called if envelopes were lost between the previous one and the next one. */
  readonly onGap: () => void;
}

/**
 * Feed of all envelopes of the EVENTS stream in this process; each replica of the API reads all of them. The last ones
 * are buffered here, so that a thousand clients that reconnect at once cost the broker nothing.
 */
export class EventFeed {
  readonly #warn: (message: string) => void;
  readonly #takesBack: TakesBack;
  /** Serialized: parsed envelopes would take several times the memory. */
  readonly #kept: Kept[] = [];
  #keptBytes = 0;
  #broker: Broker | undefined;
  #messages: ConsumerMessages | undefined;
  /** Stream sequence of the next envelope. */
  #next: number | undefined;
  #closed = false;
  #isReady = Promise.withResolvers<void>();
  #isUpToDate = false;

  /** @param takesBack returns what an envelope redacts in earlier ones */
  constructor(warn: (message: string) => void, takesBack: TakesBack = () => undefined) {
    this.#warn = warn;
    this.#takesBack = takesBack;
  }

  start(broker: Broker, listener: FeedListener): void {
    this.#broker = broker;
    void this.#follow(broker, listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#messages?.close();
  }

  /** ID of the last published envelope; undefined if unknown. */
  get newest(): string | undefined {
    return this.#isUpToDate ? this.#kept.at(-1)?.id : undefined;
  }

  /** Returns the envelopes of `topic` after the envelope `afterId`; incomplete if that one is no longer buffered. */
  async replay(topic: string, afterId: string): Promise<Replay> {
    await Promise.race([this.#isReady.promise, pause(READY_MS)]);
    let at = this.#find(afterId);
    if (at < 0) {
      // Another replica may have published it already.
      await this.#readToTheEnd();
      at = this.#find(afterId);
    }
    if (at < 0) return { envelopes: [], complete: false };
    const missed = this.#kept.slice(at + 1).filter(({ topics }) => topics.includes(topic));
    const envelopes = missed.map(({ text }) => ({ ...(JSON.parse(text) as Untold), topic }));
    return { envelopes, complete: true, after: this.#kept[at]?.sequence };
  }

  #find(id: string): number {
    return this.#kept.findLastIndex((kept) => kept.id === id);
  }

  /** Waits until the feed has read everything that is in the stream now; does not wait for an unavailable broker. */
  async #readToTheEnd(): Promise<void> {
    const until = performance.now() + READY_MS;
    const stream = await this.#broker?.jsm.streams.info(STREAMS.events.name).catch(() => undefined);
    const lastSequence = stream?.state.last_seq ?? 0;
    while ((this.#next ?? 0) <= lastSequence && performance.now() < until) await pause(LOOK_AGAIN_MS);
  }

  /** Reads the stream from the last position, across reconnections to the broker. */
  async #follow(broker: Broker, listener: FeedListener): Promise<void> {
    const { js, jsm } = broker;
    /** Sequence from which envelopes are published; earlier ones were published by the previous process. */
    let liveFrom = 0;
    let stream = "";
    while (!this.#closed) {
      try {
        const { state, created } = await jsm.streams.info(STREAMS.events.name);
        const isOther = stream !== "" && stream !== created;
        stream = created;
        if (this.#next === undefined) {
          liveFrom = state.last_seq + 1;
          this.#next = Math.max(state.first_seq, liveFrom - KEPT.envelopes);
        } else if (isOther || this.#next > state.last_seq + 1 || this.#next < state.first_seq) {
          // The stream was replaced, or it has dropped envelopes that this feed has not read.
          this.#forgetAll();
          listener.onGap();
          liveFrom = this.#next = Math.max(1, state.first_seq);
        }
        if (this.#next >= liveFrom && liveFrom > state.last_seq) this.#beReady();
        const consumer = await js.consumers.get(STREAMS.events.name, {
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: Math.max(1, this.#next),
        });
        try {
          const messages = await consume(consumer);
          this.#messages = messages;
          for await (const message of messages) {
            this.#next = message.seq + 1;
            const { topics, untold } = readMessage(message);
            const taken = this.#takesBack(untold);
            if (taken) this.#forget(taken);
            this.#keep(topics, untold, message.seq);
            if (message.seq >= liveFrom) for (const topic of topics) listener.onEnvelope({ ...untold, topic });
            if (this.#next >= liveFrom) this.#beReady();
          }
        } finally {
          // Otherwise the broker would list it for minutes.
          await consumer.delete().catch(() => {}); // the broker may be unavailable, and the consumer deleted with it
        }
      } catch (error) {
        if (this.#closed) return;
        this.#warn(`waiting for the events stream: ${(error as Error).message}`);
      }
      if (!this.#closed) await pause(TRY_AGAIN_MS);
    }
  }

  #beReady(): void {
    this.#isUpToDate = true;
    this.#isReady.resolve();
  }

  #keep(topics: readonly string[], untold: Untold, sequence: number): void {
    const kept = { id: untold.id, topics, sequence, text: JSON.stringify(untold) };
    this.#kept.push(kept);
    this.#keptBytes += sizeOf(kept);
    while (this.#kept.length > KEPT.envelopes || this.#keptBytes > KEPT.bytes) {
      const oldest = this.#kept.shift();
      if (oldest) this.#keptBytes -= sizeOf(oldest);
    }
  }

  /**
   * Redacts buffered envelopes. A restarted feed reads the deletion after what it deletes, and redacts that as well.
   */
  #forget({ id, left }: TakenBack): void {
    for (const [i, kept] of this.#kept.entries()) {
      if (!kept.text.includes(id)) continue;
      const shorter = { ...kept, text: JSON.stringify(left(JSON.parse(kept.text) as Untold)) };
      this.#keptBytes += sizeOf(shorter) - sizeOf(kept);
      this.#kept[i] = shorter;
    }
  }

  #forgetAll(): void {
    this.#kept.length = 0;
    this.#keptBytes = 0;
  }
}

interface Kept {
  readonly id: string;
  readonly topics: readonly string[];
  readonly sequence: number;
  readonly text: string;
}

const sizeOf = ({ topics, text }: Kept): number => text.length + topics.reduce((sum, topic) => sum + topic.length, 0);

/** Envelope without its topic. */
export type Untold = Omit<Envelope, "topic">;

/** Redaction of all earlier envelopes that contain an ID: returns the redacted form of each. */
export interface TakenBack {
  readonly id: string;
  readonly left: (envelope: Untold) => Untold;
}

type TakesBack = (envelope: Untold) => TakenBack | undefined;

/** Parses a message. It names all its topics; a message of an older release names one. */
function readMessage(message: JsMsg): { readonly topics: readonly string[]; readonly untold: Untold } {
  const { topic, topics, ...untold } = message.json<Envelope & { readonly topics?: readonly string[] }>();
  return { topics: topics ?? [topic], untold: { ...untold, sequence: message.seq } };
}
