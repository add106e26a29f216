import type { SongInsights } from "@followspot/contract";
import { median } from "./basics/maths.ts";
import type { Metre } from "./pulse/metre.ts";
import type { Pulse } from "./pulse/pulse.ts";

/** Who answered, as `insights.engines` shows it. */
export interface EngineName {
  readonly engine: string;
  readonly version: string;
}

/** Beats that another engine has found; they take the place of our own. */
export interface GivenBeats {
  readonly by: EngineName;
  /** 0..1 */
  readonly confidence: number;
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  /** Seconds, ascending, each one of the beats; empty when the engine does not know bars. */
  readonly downbeats: readonly number[];
}

/** Genre and instruments that another engine has heard. */
export interface GivenTags {
  readonly by: EngineName;
  readonly genres: readonly { readonly name: string; readonly confidence: number }[];
  readonly instruments: SongInsights["instrument_detection"]["instruments"];
}

/** What engines a user plugged in have answered before the recipe begins; see docs/engines.md. */
export interface GivenAnswers {
  readonly beats?: GivenBeats;
  readonly tags?: GivenTags;
  /** Capability → why the engine chosen for it did not answer, for a person. */
  readonly refused?: Readonly<Record<string, string>>;
}

/** Beats of another engine as they are: whoever plugs one in wants its beats, not ours near them. */
export function givenPulse({ beats, confidence }: GivenBeats): Pulse {
  return { beats, stable: false, confidence };
}

/** The bars another engine has counted; undefined when it gave none, so that ours are laid on its beats. */
export function givenMetre(given: GivenBeats | undefined): Metre | undefined {
  if (!given || given.downbeats.length < 2) return undefined;
  const downbeats = given.downbeats
    .map((t) => given.beats.findIndex((beat) => Math.abs(beat - t) < 0.05))
    .filter((i) => i >= 0);
  const bars = downbeats.slice(1).map((beat, i) => beat - downbeats[i]!);
  return { beatsPerBar: Math.max(1, Math.round(median(bars))), downbeats, confidence: given.confidence };
}
