import { SLOTS } from "./frame-ring.ts";

/** What left at one tick: the slots of each universe that changed. */
export interface SentTick {
  /** When it left, in `monotonicMs`. */
  readonly ms: number;
  /** No output is set up: it is what would have left. */
  readonly isPreview: boolean;
  readonly universes: readonly (readonly [universe: number, slots: Uint8Array])[];
}

/** Looks at what is sent, for recordings and previews: a universe is told when it is not what was told last. */
export class SentTap {
  readonly #told = new Map<number, Uint8Array>();

  /** Of outputs that show one universe the first counts. */
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
    // One that is sent again later is told again, though it shows what it showed.
    for (const universe of this.#told.keys()) if (!seen.has(universe)) this.#told.delete(universe);
    return universes;
  }
}
