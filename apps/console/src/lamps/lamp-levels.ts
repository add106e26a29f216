import type { Rig } from "@followspot/contract";
import { litByBytes } from "@followspot/lighting";

/** Summary of the fixtures' output. */
export interface LampLevels {
  /** Number of fixtures with any light. */
  readonly lit: number;
  /** Number of enabled fixtures. */
  readonly all: number;
  /** Brightness by universe: the mean drive of its heads, 0..1. */
  readonly byUniverse: ReadonlyMap<number, number>;
}

/** Linear light below which a channel counts as dark; the lowest step of an 8-bit dimmer is lower. */
const DARK = 1e-4;

/**
 * Returns a function that computes levels from the current DMX values.
 * @param universes slots of each universe; later writes by their owner are included
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
      const universe = universeOf.get(lightId)!; // The beams were created from these lights.
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
