/** One line of the log. */
export interface Entry {
  readonly id: number;
  /** Wall time in ms since 1970. */
  readonly at: number;
  readonly from: "client" | "server" | "socket";
  readonly text: string;
}

/** What went over a socket, and how much of it is shown. */
export interface Traffic {
  readonly entries: readonly Entry[];
  /** What came since the log was stopped; shown when it goes on. */
  readonly held: readonly Entry[];
  readonly isPaused: boolean;
  readonly nextId: number;
}

export type TrafficChange =
  | { readonly type: "add"; readonly entry: Omit<Entry, "id"> }
  | { readonly type: "pause" }
  | { readonly type: "resume" }
  | { readonly type: "clear" };

/** A stage alone says a dozen lines a second: older ones go. */
export const MOST_ENTRIES = 300;

export const NO_TRAFFIC: Traffic = { entries: [], held: [], isPaused: false, nextId: 0 };

export function withTraffic(traffic: Traffic, change: TrafficChange): Traffic {
  switch (change.type) {
    case "add": {
      const kept = traffic.isPaused ? "held" : "entries";
      const entry = { ...change.entry, id: traffic.nextId };
      return { ...traffic, [kept]: [...traffic[kept], entry].slice(-MOST_ENTRIES), nextId: traffic.nextId + 1 };
    }
    case "pause":
      return { ...traffic, isPaused: true };
    case "resume": {
      const entries = [...traffic.entries, ...traffic.held].slice(-MOST_ENTRIES);
      return { ...traffic, isPaused: false, held: [], entries };
    }
    case "clear":
      return { ...traffic, entries: [], held: [] };
    default:
      return change satisfies never;
  }
}

/** Entries that hold a text, whatever its case. */
export function matching(entries: readonly Entry[], query: string): readonly Entry[] {
  const wanted = query.trim().toLowerCase();
  return wanted === "" ? entries : entries.filter(({ text }) => text.toLowerCase().includes(wanted));
}
