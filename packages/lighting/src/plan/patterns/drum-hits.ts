import type { Drum } from "../drums.ts";
import type { Pattern } from "./pattern.ts";

/** Hits with all fixtures on the strokes of a drum whose rhythm carries the song. */
export const DRUM_HITS: Readonly<Record<Drum, Pattern>> = { kick: hitsWith("kick"), snare: hitsWith("snare") };

function hitsWith(drum: Drum): Pattern {
  return {
    name: drum,
    says: `all together with the ${drum} drum`,
    share: 0.3,
    cycle: 1,
    travels: false,
    isOwnRhythm: true,
    intent: "drum_pulse",
    params: () => ({ drum, decay_beats: 0.9 }),
  };
}
