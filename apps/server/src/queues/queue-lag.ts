import type { ConsumerInfo, NextMsgRequest, SeqMsgRequest } from "@nats-io/jetstream";
import type { Broker } from "../platform/nats.ts";

/** Looks within so long are one point of a trend. */
const POINT_MS = 30_000;
const KEPT = 3_600_000 / POINT_MS + 1;

/** How often {@link QueueTrend.sample} is to be called, ms: a heap that is worked off between two looks is not seen. */
export const SAMPLE_MS = 5000;

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

/** How much waited at some moment of the last hour: the most that was seen in the half minute before. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

/** What waited in each stream over the last hour, as far as this process was there to see it. */
export class QueueTrend {
  #points: { readonly fromMs: number; atMs: number; readonly highest: Map<string, number> }[] = [];
  readonly #now: () => number;

  /** @param now in ms, of any clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Looks once. While the broker is away nothing is seen, which leaves a gap. */
  async sample(broker: Broker | undefined): Promise<void> {
    if (!broker?.isUp()) return;
    for await (const { config } of broker.jsm.streams.list())
      this.saw(config.name, waitingOf(await broker.jsm.consumers.list(config.name).next()));
  }

  /** What a person is shown counts as seen, too. */
  saw(stream: string, waiting: number): void {
    const now = this.#now();
    const last = this.#points.at(-1);
    const isSamePoint = last !== undefined && now - last.fromMs < POINT_MS;
    const point = isSamePoint ? last : { fromMs: now, atMs: now, highest: new Map<string, number>() };
    point.atMs = now;
    point.highest.set(stream, Math.max(waiting, point.highest.get(stream) ?? 0));
    if (!isSamePoint) this.#points = [...this.#points.slice(1 - KEPT), point];
  }

  /** Oldest first, none older than an hour. */
  of(stream: string): readonly TrendPoint[] {
    const now = this.#now();
    return this.#points.flatMap(({ atMs, highest }) => {
      const [secondsAgo, waiting] = [Math.round((now - atMs) / 1000), highest.get(stream)];
      return waiting === undefined || secondsAgo > 3600 ? [] : [{ secondsAgo, waiting }];
    });
  }
}
