/** Behavior of the music while a talk of an event is on the stage screen. */
export type MusicDuringTalks = "pauses" | "quiet" | "continues";
/** Level of quiet music during a talk, dB relative to songs without a talk. */
export const TALK_QUIET_DB = -20;
