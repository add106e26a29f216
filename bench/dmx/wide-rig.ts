import type { Rig } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";

/** So many pars in each universe, four addresses apart. */
export function wideRig(universes: number, lamps: number): Rig {
  const rig = parsRig(universes * lamps);
  const lights = rig.lights.map((light, i) => ({
    ...light,
    universe: 1 + Math.floor(i / lamps),
    address: 1 + 4 * (i % lamps),
  }));
  return { ...rig, lights };
}
