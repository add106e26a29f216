import { browserStorage } from "../../lib/browser-storage.ts";

/** Who says where a song is: the player of this page, or one of those outside. */
export const LEADERS = ["player", "mtc", "clock", "ltc"] as const;
export type LeaderKind = (typeof LEADERS)[number];

/** What this browser remembers of leaders. */
export interface LeaderSettings {
  readonly kind: LeaderKind;
  /** Name of the MIDI input, id of the sound input; empty means any. */
  readonly midi: string;
  readonly sound: string;
  /** The time code at which a song begins, by its id. */
  readonly starts: Readonly<Record<string, string>>;
}

const STORED = "followspot.leader";
export const FIRST_START = "00:00:00:00";
/** Songs whose start is remembered. */
const MOST_STARTS = 500;

const NOTHING: LeaderSettings = { kind: "player", midi: "", sound: "", starts: {} };

/** What cannot be read is chosen again. */
export function storedLeader(storage: Pick<Storage, "getItem"> = browserStorage): LeaderSettings {
  try {
    const stored = JSON.parse(storage.getItem(STORED) ?? "{}") as Partial<LeaderSettings> | null;
    const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 500) : "");
    const starts = Object.entries(stored?.starts ?? {}).filter(([, start]) => typeof start === "string");
    return {
      kind: LEADERS.find((kind) => kind === stored?.kind) ?? "player",
      midi: text(stored?.midi),
      sound: text(stored?.sound),
      starts: Object.fromEntries(starts.slice(-MOST_STARTS)),
    };
  } catch {
    return NOTHING; // another program's text, or no storage at all
  }
}

export function storeLeader(settings: LeaderSettings, storage: Pick<Storage, "setItem"> = browserStorage): void {
  try {
    storage.setItem(STORED, JSON.stringify(settings));
  } catch {
    // Without storage it is chosen again next time.
  }
}

/** The song's own start; the last one that was set comes last, and the oldest goes. */
export function withStart(settings: LeaderSettings, songId: string, start: string): LeaderSettings {
  const others = Object.entries(settings.starts).filter(([id]) => id !== songId);
  return { ...settings, starts: Object.fromEntries([...others.slice(1 - MOST_STARTS), [songId, start]]) };
}
