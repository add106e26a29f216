import type { ConsumerInfo, NextMsgRequest, SeqMsgRequest } from "@nats-io/jetstream";
import type { Broker } from "../../platform/broker/nats.ts";

/** Length of one point in a trend, ms. */
const POINT_MS = 30_000;
const KEPT = 3_600_000 / POINT_MS + 1;

/**
 * Interval for calling {@link QueueTrend.sample}, ms; a backlog that is processed between two samples is not recorded.
 */
export const SAMPLE_MS = 5000;

/** Counts the messages that consumers have not completed. */
export const waitingOf = (consumers: readonly ConsumerInfo[]): number =>
  consumers.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);

/** Returns the time of the oldest message that a consumer has not completed; undefined if there is none. */
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

/** Largest backlog in half a minute of the last hour. */
export interface TrendPoint {
  readonly secondsAgo: number;
  readonly waiting: number;
}

/** Backlog of each stream over the last hour, as far as this process was running. */
export class QueueTrend {
  #points: { readonly fromMs: number; atMs: number; readonly highest: Map<string, number> }[] = [];
  readonly #now: () => number;

  /** @param now monotonic clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes one sample. While the broker is unavailable, the trend has a gap. */
  async sample(broker: Broker | undefined): Promise<void> {
    if (!broker?.isUp()) return;
    for await (const { config } of broker.jsm.streams.list())
      this.saw(config.name, waitingOf(await broker.jsm.consumers.list(config.name).next()));
  }

  /** Records a value that was displayed, so that the trend agrees with it. */
  saw(stream: string, waiting: number): void {
    const now = this.#now();
    const last = this.#points.at(-1);
    const isSamePoint = last !== undefined && now - last.fromMs < POINT_MS;
    const point = isSamePoint ? last : { fromMs: now, atMs: now, highest: new Map<string, number>() };
    point.atMs = now;
    point.highest.set(stream, Math.max(waiting, point.highest.get(stream) ?? 0));
    if (!isSamePoint) this.#points = [...this.#points.slice(1 - KEPT), point];
  }

  /** Returns the points, oldest first, none older than an hour. */
  of(stream: string): readonly TrendPoint[] {
    const now = this.#now();
    return this.#points.flatMap(({ atMs, highest }) => {
      const [secondsAgo, waiting] = [Math.round((now - atMs) / 1000), highest.get(stream)];
      return waiting === undefined || secondsAgo > 3600 ? [] : [{ secondsAgo, waiting }];
    });
  }
}
