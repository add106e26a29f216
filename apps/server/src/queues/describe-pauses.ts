import { STREAMS } from "@followspot/contract";
import type { QueuePause } from "../music/queue-pauses.store.ts";

/** In sentences that stay the same while a pause goes on, for /health and those who wonder why nothing moves. */
export function describePauses(pauses: readonly QueuePause[]): readonly string[] {
  return pauses.map(({ queue, until }) => {
    const what = queue === STREAMS.stems.name ? "stems are not written" : "songs wait";
    return `${queue} is paused until ${until.toISOString().slice(11, 16)} UTC: ${what}. Resume it on Workers.`;
  });
}
