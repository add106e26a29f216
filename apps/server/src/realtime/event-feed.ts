import { setTimeout as pause } from "node:timers/promises";
import { DeliverPolicy, type ConsumerMessages, type JsMsg } from "@nats-io/jetstream";
import { STREAMS, type Envelope } from "@followspot/contract";
import { consume, type Broker } from "../platform/nats.ts";
import type { Replay } from "./events-connection.ts";

/** What a client that was away can be told later; beyond it, it is told to read everything again. */
const KEPT = { envelopes: 10_000, bytes: 8 * 1024 * 1024 };
/** How long a client that comes back waits for a feed that is just starting. */
const READY_MS = 5000;
const TRY_AGAIN_MS = 500;
const LOOK_AGAIN_MS = 20;

interface FeedListener {
  readonly onEnvelope: (envelope: Envelope) => void;
  /** Envelopes were lost between what was told before and what comes next. */
  readonly onGap: () => void;
}

/**
 * Every envelope of the EVENTS stream, to this process; each replica of the API sees all of them. The last ones are
 * kept here, so that a thousand clients that come back at once cost the broker nothing.
 */
export class EventFeed {
  readonly #warn: (message: string) => void;
  readonly #takesBack: TakesBack;
  /** As text: parsed they would take several times the room. */
  readonly #kept: Kept[] = [];
  #keptBytes = 0;
  #broker: Broker | undefined;
  #messages: ConsumerMessages | undefined;
  /** Sequence of the next envelope. */
  #next: number | undefined;
  #closed = false;
  #isReady = Promise.withResolvers<void>();
  #isUpToDate = false;

  /** @param takesBack what must not be told any more after an envelope */
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

  /** Id of the last envelope that everybody was told; undefined while none is known. */
  get newest(): string | undefined {
    return this.#isUpToDate ? this.#kept.at(-1)?.id : undefined;
  }

  /** What was said on `topic` after the envelope `afterId`; incomplete when that is too long ago. */
  async replay(topic: string, afterId: string): Promise<Replay> {
    await Promise.race([this.#isReady.promise, pause(READY_MS)]);
    let at = this.#find(afterId);
    if (at < 0) {
      // It may be one that another replica has told already.
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

  /** Waits until everything was read that is in the stream by now, but not for a broker that is away. */
  async #readToTheEnd(): Promise<void> {
    const until = performance.now() + READY_MS;
    const stream = await this.#broker?.jsm.streams.info(STREAMS.events.name).catch(() => undefined);
    const lastSequence = stream?.state.last_seq ?? 0;
    while ((this.#next ?? 0) <= lastSequence && performance.now() < until) await pause(LOOK_AGAIN_MS);
  }

  /** Reads the stream from where it was left, however often the connection to the broker is lost. */
  async #follow(broker: Broker, listener: FeedListener): Promise<void> {
    const { js, jsm } = broker;
    /** Envelopes before this sequence were told by the process before. */
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
          // Another stream than before, or one that has thrown away what was missed.
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
          // Left alone it would stay in the broker's list for minutes.
          await consumer.delete().catch(() => {}); // the broker may be away, and the consumer with it
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

  /** A feed that starts anew reads the deletion behind what it deletes, and forgets it as well. */
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

/** An envelope before it is said on which topic. */
export type Untold = Omit<Envelope, "topic">;

/** What an envelope takes back of all before it that hold an id: what is left of each. */
export interface TakenBack {
  readonly id: string;
  readonly left: (envelope: Untold) => Untold;
}

type TakesBack = (envelope: Untold) => TakenBack | undefined;

/** A message names all topics it is told on; one that was written by an older release names one. */
function readMessage(message: JsMsg): { readonly topics: readonly string[]; readonly untold: Untold } {
  const { topic, topics, ...untold } = message.json<Envelope & { readonly topics?: readonly string[] }>();
  return { topics: topics ?? [topic], untold: { ...untold, sequence: message.seq } };
}
