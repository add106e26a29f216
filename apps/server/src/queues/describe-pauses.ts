import { STREAMS } from "@followspot/contract";
import type { QueuePause } from "../music/queue-pauses.store.ts";

/** A pause as /health tells it: a sentence for everybody, and what a page says it from by its reader's clock. */
interface ToldPause extends QueuePause {
  /** The same while the pause goes on. */
  readonly warning: string;
}

export function describePauses(pauses: readonly QueuePause[]): readonly ToldPause[] {
  return pauses.map(({ queue, until }) => {
    const what = queue === STREAMS.stems.name ? "stems are not written" : "songs wait";
    const time = until.toISOString().slice(11, 16);
    return { queue, until, warning: `${queue} is paused until ${time} UTC: ${what}. Resume it on Workers.` };
  });
}
