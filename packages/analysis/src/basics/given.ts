import type { SongInsights } from "@followspot/contract";

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
