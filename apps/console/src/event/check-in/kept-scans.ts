import type { Event, SettledScan } from "@followspot/contract/event";
import { browserStorage } from "../../lib/browser-storage.ts";
import { errorSentence } from "../../lib/errors.ts";
import { timeOfDay, toDate } from "../../lib/formatting.ts";
import { newKey } from "../../lib/new-key.ts";
import { checkInStrings as text } from "./check-in.strings.ts";

/** Scan that this door decided offline. */
export interface UnsettledScan {
  readonly id: string;
  readonly code: string;
  /** Name of the attendee; empty for a code that this door does not know. */
  readonly name: string;
  /** Time by the server's clock, ms since 1970. */
  readonly scannedAtMs: number;
  readonly admit: boolean;
}

/** Scan whose result on the server differs from this door's decision. */
export interface Conflict {
  readonly id: string;
  readonly name: string;
  readonly said: string;
}

export interface Kept {
  readonly scans: readonly UnsettledScan[];
  readonly conflicts: readonly Conflict[];
}

const NOTHING: Kept = { scans: [], conflicts: [] };
const DOOR_KEY = "followspot.door";

/** Stores the offline scans of a door, so that they survive reloads of its page. */
export class KeptScans {
  readonly #key: string;
  readonly #storage: Pick<Storage, "getItem" | "setItem">;
  /** Copy in memory, if the browser has no storage, for example in some private windows. */
  #held: Kept | undefined;

  constructor(eventId: string, storage: Pick<Storage, "getItem" | "setItem"> = browserStorage) {
    this.#key = `${DOOR_KEY}.${eventId}`;
    this.#storage = storage;
  }

  /** Whether the scans survive a reload. */
  get isSafe(): boolean {
    return this.#held === undefined;
  }

  read(): Kept {
    if (this.#held) return this.#held;
    try {
      return readKept(this.#storage.getItem(this.#key));
    } catch {
      return NOTHING;
    }
  }

  /** Changes the stored scans. Reads them first, because another page of this browser may have changed them. */
  change(next: (kept: Kept) => Kept): Kept {
    const kept = next(this.read());
    try {
      this.#storage.setItem(this.#key, JSON.stringify(kept));
      this.#held = undefined;
    } catch {
      this.#held = kept;
    }
    return kept;
  }

  /** Returns the ID of this browser as a door. */
  door(): string {
    try {
      const kept = this.#storage.getItem(DOOR_KEY);
      if (kept) return kept;
      const made = newKey();
      this.#storage.setItem(DOOR_KEY, made);
      return made;
    } catch {
      return PAGE;
    }
  }
}

const PAGE = newKey();

/** Removes synced scans. Scans with a different result on the server become conflicts. */
export function settledKept(
  kept: Kept,
  batch: readonly UnsettledScan[],
  results: readonly SettledScan[],
  event: Event | undefined,
): Kept {
  const settled = new Map(batch.slice(0, results.length).map(({ id }, index) => [id, results[index]!]));
  const conflicts = kept.scans.flatMap((scan) => conflictOf(scan, settled.get(scan.id), event) ?? []);
  return {
    scans: kept.scans.filter(({ id }) => !settled.has(id)),
    conflicts: [...kept.conflicts, ...conflicts],
  };
}

function conflictOf(
  { id, name }: UnsettledScan,
  result: SettledScan | undefined,
  event: Event | undefined,
): Conflict | undefined {
  if (!result || result.state === "checked_in") return undefined;
  const at = toDate(result.checkedInAt);
  const said = at
    ? text.offline.elsewhere(timeOfDay(at, event?.timeZone), result.checkedInBy)
    : errorSentence(new Error(result.refused));
  return { id, name: result.userName || name || text.offline.unknownPerson, said };
}

/** Parses data stored by a page of this or an older release; invalid rows are omitted. */
function readKept(written: string | null): Kept {
  const { scans, conflicts } = JSON.parse(written ?? "{}") as Partial<Record<keyof Kept, unknown>>;
  return {
    scans: rows<UnsettledScan>(scans, ({ id, code, scannedAtMs }) => [id, code].every(isText) && isFinite(scannedAtMs)),
    conflicts: rows<Conflict>(conflicts, ({ id, name, said }) => [id, name, said].every(isText)),
  };
}

const isText = (value: unknown) => typeof value === "string";

const rows = <Row>(written: unknown, isRow: (row: Row) => boolean): readonly Row[] =>
  Array.isArray(written) ? written.filter((row: Row | null) => row !== null && isRow(row)) : [];
