import type { SongInsights } from "@followspot/contract";

/** Engine of a result, as listed in `insights.engines`. */
export interface EngineName {
  readonly engine: string;
  readonly version: string;
}

/** Beats from another engine, which replace our own. */
export interface GivenBeats {
  readonly by: EngineName;
  /** 0..1 */
  readonly confidence: number;
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  /** Seconds, ascending, each one of the beats; empty if the engine does not detect bars. */
  readonly downbeats: readonly number[];
}

/** Genre and instruments from another engine. */
export interface GivenTags {
  readonly by: EngineName;
  readonly genres: readonly { readonly name: string; readonly confidence: number }[];
  readonly instruments: SongInsights["instrument_detection"]["instruments"];
}

/** Results of engines that the user has plugged in; see docs/engines.md. */
export interface GivenAnswers {
  readonly beats?: GivenBeats;
  readonly tags?: GivenTags;
  /** Reason why the chosen engine gave no result, per capability; a sentence for users. */
  readonly refused?: Readonly<Record<string, string>>;
}
