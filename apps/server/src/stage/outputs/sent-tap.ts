import { SLOTS } from "./frame-ring.ts";

/** Sent slots of one tick: those of each universe that changed. */
export interface SentTick {
  /** Time of sending, in `monotonicMs`. */
  readonly ms: number;
  /** True if no output is set up: the slots would have been sent. */
  readonly isPreview: boolean;
  readonly universes: readonly (readonly [universe: number, slots: Uint8Array])[];
}

/** Finds the universes whose slots changed since the last report, for recordings and previews. */
export class SentTap {
  readonly #told = new Map<number, Uint8Array>();

  /** Returns the changed universes. Of several outputs with one universe the first counts. */
  changesOf(rows: Iterable<readonly [universe: number, slots: Uint8Array]>): SentTick["universes"] {
    const universes: [number, Uint8Array][] = [];
    const seen = new Set<number>();
    for (const [universe, slots] of rows) {
      if (seen.has(universe)) continue;
      seen.add(universe);
      const told = this.#told.get(universe);
      if (told && Buffer.compare(told, slots) === 0) continue;
      const copy = new Uint8Array(SLOTS);
      copy.set(slots);
      this.#told.set(universe, copy);
      universes.push([universe, copy]);
    }
    // A universe that is sent again later is reported again, even with the same slots.
    for (const universe of this.#told.keys()) if (!seen.has(universe)) this.#told.delete(universe);
    return universes;
  }
}
