import { SLOTS } from "./frame-ring.ts";

/** What left at one tick: the slots of each universe that changed. */
export interface SentTick {
  /** When it left, in `monotonicMs`. */
  readonly ms: number;
  readonly universes: readonly (readonly [universe: number, slots: Uint8Array])[];
}

/** Looks at what is sent, for recordings and previews: a universe is told when it is not what was told last. */
export class SentTap {
  readonly #told = new Map<number, Uint8Array>();

  /** Of outputs that show one universe the first counts. Undefined when nothing changed. */
  look(ms: number, rows: Iterable<readonly [universe: number, slots: Uint8Array]>): SentTick | undefined {
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
    return universes.length > 0 ? { ms, universes } : undefined;
  }
}
