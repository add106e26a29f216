import { STREAMS } from "@followspot/contract";
import type { QueuePause } from "../../songs/processing/queue-pauses.store.ts";

/** A pause as shown in /health: a sentence for everyone, and the data with which a page formats it in local time. */
interface ToldPause extends QueuePause {
  /** The sentence, while the pause is in effect. */
  readonly warning: string;
}

export function describePauses(pauses: readonly QueuePause[]): readonly ToldPause[] {
  return pauses.map(({ queue, until }) => {
    const what = queue === STREAMS.stems.name ? "stems are not written" : "songs wait";
    const time = until.toISOString().slice(11, 16);
    return { queue, until, warning: `${queue} is paused until ${time} UTC: ${what}. Resume it on Workers.` };
  });
}
