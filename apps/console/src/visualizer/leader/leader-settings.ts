import { SETTABLE_RATES, type SettableRate } from "@followspot/lighting";
import { browserStorage } from "../../lib/browser-storage.ts";

/** Sources of the song position: the player of this page, or an external one. */
export const LEADERS = ["player", "mtc", "clock", "ltc"] as const;
export type LeaderKind = (typeof LEADERS)[number];

/** Leader settings that this browser stores. */
export interface LeaderSettings {
  readonly kind: LeaderKind;
  /** Chosen inputs: `midi` by name, `sound` by ID; empty for any. */
  readonly midi: string;
  readonly sound: string;
  /** Frame rate of time code; empty to detect it. */
  readonly frameRate: SettableRate | "";
  /** Time code at which each song starts, by song ID. */
  readonly starts: Readonly<Record<string, string>>;
}

const STORED = "followspot.leader";
export const FIRST_START = "00:00:00:00";
/** Maximum number of songs with a stored start time code. */
const MOST_STARTS = 500;

const NOTHING: LeaderSettings = { kind: "player", midi: "", sound: "", frameRate: "", starts: {} };

/** Loads the settings. Invalid values are replaced by the defaults. */
export function storedLeader(storage: Pick<Storage, "getItem"> = browserStorage): LeaderSettings {
  try {
    const stored = JSON.parse(storage.getItem(STORED) ?? "{}") as Partial<LeaderSettings> | null;
    const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 500) : "");
    const starts = Object.entries(stored?.starts ?? {}).filter(([, start]) => typeof start === "string");
    return {
      kind: LEADERS.find((kind) => kind === stored?.kind) ?? "player",
      midi: text(stored?.midi),
      sound: text(stored?.sound),
      frameRate: SETTABLE_RATES.find((rate) => rate === stored?.frameRate) ?? "",
      starts: Object.fromEntries(starts.slice(-MOST_STARTS)),
    };
  } catch {
    return NOTHING; // text of another program, or no storage at all
  }
}

export function storeLeader(settings: LeaderSettings, storage: Pick<Storage, "setItem"> = browserStorage): void {
  try {
    storage.setItem(STORED, JSON.stringify(settings));
  } catch {
    // Without storage the settings last until the page is closed.
  }
}

/** Stores the start time code of a song. The oldest one is dropped at the limit. */
export function withStart(settings: LeaderSettings, songId: string, start: string): LeaderSettings {
  const others = Object.entries(settings.starts).filter(([id]) => id !== songId);
  return { ...settings, starts: Object.fromEntries([...others.slice(1 - MOST_STARTS), [songId, start]]) };
}
