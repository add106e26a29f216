/** View of a stage screen without an announcement. */
export type BaseView = "home" | "talk" | "leaderboard" | "player";

export interface Announcement {
  readonly text: string;
  /** Undefined if it stays until the next view is chosen. */
  readonly endsAt: Date | undefined;
}

export interface Timer {
  readonly endsAt: Date;
  /** Initial duration, s. */
  readonly seconds: number;
}

/** State of one stage screen; all times are database times. */
export interface ScreenState {
  readonly view: BaseView;
  /** A line under every view; empty for none. */
  readonly status: string;
  /** Covers the view until it ends. */
  readonly announcement: Announcement | undefined;
  /** The current talk and when it was pushed, if known. It continues behind other views until it is ended. */
  readonly talk: { readonly id: string; readonly since: Date | undefined } | undefined;
  /** Set only while the view is a player. */
  readonly playerId: string | undefined;
  /** Shown beside every view, also after it has expired. */
  readonly timer: Timer | undefined;
  /** Whether the lit stage is shown behind every view; stays on until it is switched off. */
  readonly showsLamps: boolean;
}

/** A command from a director. */
export type ScreenCommand =
  | { readonly kind: "update status"; readonly status: string }
  | { readonly kind: "announce"; readonly text: string; readonly seconds: number }
  | { readonly kind: "end announcement" }
  | { readonly kind: "push talk"; readonly talkId: string }
  | { readonly kind: "end talk" }
  | { readonly kind: "start timer"; readonly seconds: number }
  | { readonly kind: "stop timer" }
  | { readonly kind: "show leaderboard" }
  | { readonly kind: "go home" }
  | { readonly kind: "announce player"; readonly playerId: string }
  | { readonly kind: "show lamps"; readonly isShown: boolean };

export const HOME: ScreenState = {
  view: "home",
  status: "",
  announcement: undefined,
  talk: undefined,
  playerId: undefined,
  timer: undefined,
  showsLamps: false,
};

/**
 * Returns the state after a command. A command without effect returns the same object.
 *
 * @param now time of the command; announcements that ended before it are removed
 */
export function nextScreen(before: ScreenState, command: ScreenCommand, now: Date): ScreenState {
  const state = endAnnouncements(before, now);
  switch (command.kind) {
    case "update status":
      return state.status === command.status ? state : { ...state, status: command.status };
    case "announce":
      return { ...state, announcement: announcementOf(command.text, command.seconds, now) };
    case "end announcement":
      return state.announcement ? { ...state, announcement: undefined } : state;
    case "push talk":
      if (state.talk?.id === command.talkId && state.view === "talk" && !state.announcement) return state;
      return {
        ...choose(state, "talk"),
        talk: state.talk?.id === command.talkId ? state.talk : { id: command.talkId, since: now },
      };
    case "end talk":
      if (state.talk === undefined && state.view !== "talk") return state;
      return state.view === "talk"
        ? { ...choose(state, "home"), talk: undefined, announcement: state.announcement }
        : { ...state, talk: undefined };
    case "start timer":
      return { ...state, timer: { endsAt: after(now, command.seconds), seconds: command.seconds } };
    case "stop timer":
      return state.timer ? { ...state, timer: undefined } : state;
    case "show leaderboard":
      return state.view === "leaderboard" && !state.announcement ? state : choose(state, "leaderboard");
    case "go home":
      if (state.view === "home" && !state.announcement && state.talk === undefined) return state;
      return { ...choose(state, "home"), talk: undefined };
    case "announce player":
      if (state.view === "player" && state.playerId === command.playerId && !state.announcement) return state;
      return { ...choose(state, "player"), playerId: command.playerId };
    case "show lamps":
      return state.showsLamps === command.isShown ? state : { ...state, showsLamps: command.isShown };
    default:
      return command satisfies never;
  }
}

/** Removes an announcement whose time is over; returns the same object if there is none. */
export function endAnnouncements(state: ScreenState, now: Date): ScreenState {
  const endsAt = state.announcement?.endsAt;
  return endsAt && endsAt <= now ? { ...state, announcement: undefined } : state;
}

export const isTimerOver = ({ timer }: ScreenState, now: Date): boolean => timer !== undefined && timer.endsAt <= now;

/** Selects a view and removes an announcement that covers it. */
function choose(state: ScreenState, view: BaseView): ScreenState {
  return { ...state, view, announcement: undefined, playerId: undefined };
}

const announcementOf = (text: string, seconds: number, now: Date): Announcement => ({
  text,
  endsAt: seconds > 0 ? after(now, seconds) : undefined,
});

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);
