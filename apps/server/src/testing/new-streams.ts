import { STREAMS } from "@followspot/contract";
import { ensureStreams, type Broker } from "../platform/nats.ts";

/**
 * Empty streams whose messages are counted from 1. One is made anew after the other: a broker without any looks as if its
 * files were deleted under it, and ends.
 */
export async function makeNewStreams(broker: Broker): Promise<void> {
  await ensureStreams(broker);
  for (const { name } of Object.values(STREAMS)) {
    await broker.jsm.streams.delete(name);
    await ensureStreams(broker);
  }
}
