import type { GivenBeats } from "../basics/given.ts";
import { median } from "../basics/maths.ts";
import type { Metre } from "./metre.ts";
import type { Pulse } from "./pulse.ts";

/** Uses the beats of another engine unchanged, because an operator who plugs one in wants exactly its beats. */
export function givenPulse({ beats, confidence }: GivenBeats): Pulse {
  return { beats, stable: false, confidence };
}

/** Returns the bars of another engine; undefined if it gave none, so that ours are laid on its beats. */
export function givenMetre(given: GivenBeats | undefined): Metre | undefined {
  if (!given || given.downbeats.length < 2) return undefined;
  const downbeats = given.downbeats
    .map((t) => given.beats.findIndex((beat) => Math.abs(beat - t) < 0.05))
    .filter((i) => i >= 0);
  const bars = downbeats.slice(1).map((beat, i) => beat - downbeats[i]!);
  return { beatsPerBar: Math.max(1, Math.round(median(bars))), downbeats, confidence: given.confidence };
}
