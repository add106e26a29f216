import { STREAMS } from "@followspot/contract";
import { ensureStreams, type Broker } from "../platform/broker/nats.ts";

/**
 * Purges all streams. They are not recreated: a broker whose streams are deleted and recreated looks as if its files
 * were deleted, and exits.
 *
 * @returns a function that returns the sequence of the n-th message published to a stream from now on
 */
export async function emptyStreams(broker: Broker): Promise<(stream: string, n: number) => number> {
  await ensureStreams(broker);
  const last = new Map<string, number>();
  for (const { name } of Object.values(STREAMS)) {
    await broker.jsm.streams.purge(name);
    last.set(name, (await broker.jsm.streams.info(name)).state.last_seq);
  }
  return (stream, n) => (last.get(stream) ?? 0) + n;
}
