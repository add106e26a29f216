import type { Rig } from "@followspot/contract";
import { litByBytes } from "@followspot/lighting";

/** What lamps do, in a few numbers. */
export interface LampLevels {
  /** Lamps with any light. */
  readonly lit: number;
  /** All that are turned on. */
  readonly all: number;
  /** Brightness by universe: the mean drive of its heads, 0..1. */
  readonly byUniverse: ReadonlyMap<number, number>;
}

/** Linear light of a channel that is still called dark: the lowest step of an eight-bit dimmer is below. */
const DARK = 1e-4;

/**
 * Reads the bytes that lamps get as levels, each time it is called.
 * @param universes slots of each universe; what their owner writes into them is read
 */
export function lampLevels(rig: Rig, universes: ReadonlyMap<number, Uint8Array>): () => LampLevels {
  const { beams, light } = litByBytes(rig, universes);
  const universeOf = new Map(rig.lights.map(({ id, universe }) => [id, universe]));
  const all = rig.lights.filter(({ enabled }) => enabled).length;
  return () => {
    light(0);
    const lit = new Set<number>();
    const sums = new Map<number, { drive: number; heads: number }>();
    for (const [head, lightId] of beams.lightIds.entries()) {
      const linear = Math.max(...beams.colors.subarray(3 * head, 3 * head + 3));
      if (linear > DARK) lit.add(lightId);
      const universe = universeOf.get(lightId)!; // the beams were made of these lights
      const sum = sums.get(universe) ?? { drive: 0, heads: 0 };
      sums.set(universe, { drive: sum.drive + Math.sqrt(Math.min(1, linear)), heads: sum.heads + 1 });
    }
    return {
      lit: lit.size,
      all,
      byUniverse: new Map([...sums].map(([universe, { drive, heads }]) => [universe, drive / heads])),
    };
  };
}
