import type { FixtureMode, GroupType, Rig, RigGroup, RigLight } from "@followspot/contract";
import { GENERIC_FIXTURES } from "./fixtures.ts";

/** Returns a rig of `count` generic RGB pars in one group, three channels each, from address 1. */
export function parsRig(count: number): Rig {
  return rigOf([{ id: "pars", type: "par", model: "generic_rgb_par", mode: 0, count }]);
}

/** Rigs that plans are measured on: 4 pars, a club stage with 12 fixtures, and a larger stage with 32. */
export const REFERENCE_RIGS: readonly { readonly name: string; readonly rig: Rig }[] = [
  { name: "4 pars", rig: parsRig(4) },
  {
    name: "4 groups, 12 lamps",
    rig: rigOf([
      { id: "wash", type: "wash", model: "generic_rgbw_par", mode: 1, count: 4 },
      { id: "pars", type: "par", model: "generic_rgb_par", mode: 1, count: 4 },
      { id: "spots", type: "spot", model: "generic_moving_wash", mode: 0, count: 2 },
      { id: "strobes", type: "strobe", model: "generic_strobe_lamp", mode: 0, count: 2 },
    ]),
  },
  {
    name: "8 groups, 32 lamps",
    rig: rigOf([
      { id: "wash-front", type: "wash", model: "generic_rgbw_par", mode: 1, count: 4 },
      { id: "wash-back", type: "wash", model: "generic_rgbw_par", mode: 1, count: 4 },
      { id: "pars-left", type: "par", model: "generic_rgb_par", mode: 1, count: 6 },
      { id: "pars-right", type: "par", model: "generic_rgb_par", mode: 1, count: 6 },
      { id: "bars", type: "bar", model: "generic_rgb_par", mode: 0, count: 4 },
      { id: "spots-left", type: "spot", model: "generic_moving_wash", mode: 0, count: 3 },
      { id: "spots-right", type: "spot", model: "generic_moving_wash", mode: 0, count: 3 },
      { id: "strobes", type: "strobe", model: "generic_strobe_lamp", mode: 0, count: 2 },
    ]),
  },
];

/** Fixtures of one kind in one group; `mode` is an index into the modes of the fixture. */
export interface Batch {
  readonly id: string;
  readonly type: GroupType;
  readonly model: string;
  readonly mode: number;
  readonly count: number;
}

/** Builds a rig from batches of generic fixtures, packed from universe 1 on. Each batch is a group. */
export function rigOf(batches: readonly Batch[]): Rig {
  const lights: RigLight[] = [];
  const groups: RigGroup[] = [];
  let universe = 1;
  let address = 1;
  for (const batch of batches) {
    const mode = modeOf(batch.model, batch.mode);
    const lightIds: number[] = [];
    for (let i = 0; i < batch.count; i++) {
      if (address + mode.channels.length - 1 > 512) {
        universe++;
        address = 1;
      }
      const id = lights.length + 1;
      lights.push({ id, label: `${batch.id} ${i + 1}`, universe, address, mode, enabled: true });
      lightIds.push(id);
      address += mode.channels.length;
    }
    groups.push({ id: batch.id, name: batch.id, type: batch.type, lightIds, enabled: true });
  }
  return { lights, groups };
}

function modeOf(key: string, index: number): FixtureMode {
  const mode = GENERIC_FIXTURES.find((fixture) => fixture.key === key)?.modes[index];
  if (!mode) throw new RangeError(`no generic fixture ${key} with mode ${index}`);
  return mode;
}
