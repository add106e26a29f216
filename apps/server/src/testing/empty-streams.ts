import { STREAMS } from "@followspot/contract";
import { ensureStreams, type Broker } from "../platform/nats.ts";

/**
 * Empties all streams. They are not made anew: a broker whose streams go and come looks as if its files were deleted under
 * it, and ends.
 * @returns the number of a stream's n-th message from now on
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
