import type { MusicDuringTalks } from "@followspot/contract";

/** The part of the show queue that a talk changes. */
export interface TalkState {
  readonly mode: "stopped" | "playing" | "paused";
  /** Effect of the current talk: paused until it ends, or quiet until it ends. */
  readonly for_talk: "paused" | "quiet" | null;
  /** Stage screen with the talk that has the effect. */
  readonly talk_screen: string | null;
}

const NO_TALK = { for_talk: null, talk_screen: null } as const;

/** Returns the state while a talk is on a stage screen; the queue and the rehearsal follow it. */
export function duringTalk(before: TalkState, screen: string, music: MusicDuringTalks): TalkState {
  // The new talk replaces an earlier one on the same screen.
  const state = afterTalk(before, screen);
  if (music === "quiet") return { ...state, for_talk: "quiet", talk_screen: screen };
  // Music that an operator has paused before stays paused after the talk.
  if (music === "pauses" && state.mode === "playing")
    return { mode: "paused", for_talk: "paused", talk_screen: screen };
  return state;
}

/** Returns the state after the talk on a stage screen has ended. Music that an operator has paused stays paused. */
export function afterTalk(state: TalkState, screen: string): TalkState {
  if (state.talk_screen !== screen) return state;
  const isPausedForIt = state.mode === "paused" && state.for_talk === "paused";
  return { ...NO_TALK, mode: isPausedForIt ? "playing" : state.mode };
}

/** Drops the pause by a talk after a command of an operator: the end of the talk then changes nothing. */
export const withoutTalkPause = <State extends TalkState>(state: State): State =>
  state.for_talk === "paused" ? { ...state, ...NO_TALK } : state;
