import type { ConsumerInfo, NextMsgRequest, SeqMsgRequest } from "@nats-io/jetstream";
import type { Broker } from "../platform/nats.ts";

const SAMPLE_SECONDS = 30;
const KEPT = 3600 / SAMPLE_SECONDS + 1;

/** How often {@link QueueTrend.sample} is to be called, ms. */
export const SAMPLE_MS = SAMPLE_SECONDS * 1000;

/** Messages that its consumers have not done with. */
export const waitingOf = (consumers: readonly ConsumerInfo[]): number =>
  consumers.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);

/** When the oldest message came that a consumer has not done with; undefined while nothing waits. */
export async function oldestWaiting(
  { jsm }: Broker,
  stream: string,
  consumers: readonly ConsumerInfo[],
): Promise<Date | undefined> {
  const times = await Promise.all(
    consumers
      .filter((consumer) => waitingOf([consumer]) > 0)
      .map(async ({ num_ack_pending, ack_floor, delivered }) => {
        const seq = (num_ack_pending > 0 ? ack_floor : delivered).stream_seq + 1;
        const from: SeqMsgRequest & NextMsgRequest = { seq, next_by_subj: ">" };
        return (await jsm.streams.getMessage(stream, from))?.time;
      }),
  );
  return times.reduce((oldest, time) => (oldest && (!time || oldest < time) ? oldest : time), undefined);
}

/** How much waited at some moment of the last hour. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

/** What waited in each stream over the last hour, as far as this process was there to see it. */
export class QueueTrend {
  #samples: { readonly atMs: number; readonly waiting: ReadonlyMap<string, number> }[] = [];
  readonly #now: () => number;

  /** @param now in ms, of any clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Looks once. While the broker is away nothing is seen, which leaves a gap. */
  async sample(broker: Broker | undefined): Promise<void> {
    if (!broker?.isUp()) return;
    const waiting = new Map<string, number>();
    for await (const { config } of broker.jsm.streams.list())
      waiting.set(config.name, waitingOf(await broker.jsm.consumers.list(config.name).next()));
    this.#samples.push({ atMs: this.#now(), waiting });
    this.#samples = this.#samples.slice(-KEPT);
  }

  /** Oldest first, none older than an hour. */
  of(stream: string): readonly TrendPoint[] {
    const now = this.#now();
    return this.#samples.flatMap(({ atMs, waiting }) => {
      const [secondsAgo, count] = [Math.round((now - atMs) / 1000), waiting.get(stream)];
      return count === undefined || secondsAgo > 3600 ? [] : [{ secondsAgo, waiting: count }];
    });
  }
}
