/** What a stage screen shows where no announcement covers it. */
export type BaseView = "home" | "talk" | "leaderboard" | "player";

export interface Announcement {
  readonly text: string;
  /** Undefined for one that stays until the next view is chosen. */
  readonly endsAt: Date | undefined;
}

export interface Timer {
  readonly endsAt: Date;
  /** How long it was when it began. */
  readonly seconds: number;
}

/** Everything one stage screen shows, by the clock of the database. */
export interface ScreenState {
  readonly view: BaseView;
  /** A line under every view; empty for none. */
  readonly status: string;
  /** Covers the view until it ends. */
  readonly announcement: Announcement | undefined;
  /** The current talk, and when it was pushed, where that was written down. It goes on behind other views until it is ended. */
  readonly talk: { readonly id: string; readonly since: Date | undefined } | undefined;
  /** Only while a player is the view. */
  readonly playerId: string | undefined;
  /** Stands beside every view, also once it has run out. */
  readonly timer: Timer | undefined;
  /** The stage behind every view, lit by what its lamps get; it stays until it is switched off. */
  readonly showsLamps: boolean;
}

/** One press of a director. */
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
 * What a screen shows after a press. A press that changes nothing gives back the very same state.
 *
 * @param now when the press is taken: announcements that ended before it are left out
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

/** Without an announcement whose time is over; the same state when there is none. */
export function endAnnouncements(state: ScreenState, now: Date): ScreenState {
  const endsAt = state.announcement?.endsAt;
  return endsAt && endsAt <= now ? { ...state, announcement: undefined } : state;
}

export const isTimerOver = ({ timer }: ScreenState, now: Date): boolean => timer !== undefined && timer.endsAt <= now;

/** A view chosen by hand uncovers itself. */
function choose(state: ScreenState, view: BaseView): ScreenState {
  return { ...state, view, announcement: undefined, playerId: undefined };
}

const announcementOf = (text: string, seconds: number, now: Date): Announcement => ({
  text,
  endsAt: seconds > 0 ? after(now, seconds) : undefined,
});

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000);
