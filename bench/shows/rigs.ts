/** The rigs shows are judged on: two rows of pars, a club and a stage with moving heads. */
import type { FixtureChannel, Rig } from "../../packages/contract/src/index.ts";
import { parsRig, REFERENCE_RIGS } from "../../packages/lighting/src/index.ts";
import { rigOf } from "../../packages/lighting/src/reference-rigs.ts";

export const RIGS: Readonly<Record<string, Rig>> = {
  pars4: parsRig(4),
  pars8: parsRig(8),
  club: REFERENCE_RIGS[1]!.rig,
  stage: REFERENCE_RIGS[2]!.rig,
};

const OPTICS: readonly FixtureChannel[] = [
  { kind: "gobo", head: 0, default: 0, gobos: [15, 45, 75, 105, 135, 165, 195, 225] },
  { kind: "goboRotation", head: 0, default: 0, on: 140 },
  { kind: "prism", head: 0, default: 0, on: 128 },
];

/** The rigs of the look book: what a band owns, what a club has hung, lamps of many heads, and a hall for a thousand. */
export const LOOK_BOOK_RIGS: Readonly<Record<string, { readonly says: string; readonly rig: Rig }>> = {
  pars8: { says: "eight pars", rig: parsRig(8) },
  club: {
    says: "a club with four movers",
    rig: rigOf([
      { id: "wash", type: "wash", model: "generic_rgbw_par", mode: 1, count: 4 },
      { id: "pars", type: "par", model: "generic_rgb_par", mode: 1, count: 8 },
      { id: "movers", type: "spot", model: "generic_moving_wash", mode: 0, count: 4 },
      { id: "strobes", type: "strobe", model: "generic_strobe_lamp", mode: 0, count: 2 },
    ]),
  },
  bars: {
    says: "bars and washes",
    rig: rigOf([
      { id: "wash", type: "wash", model: "generic_rgbw_par", mode: 1, count: 6 },
      { id: "bars", type: "bar", model: "generic_rgb_bar", mode: 1, count: 8 },
    ]),
  },
  hall: {
    says: "a hall with 24 movers, bars and washes",
    rig: withOptics(
      rigOf([
        { id: "wash", type: "wash", model: "generic_rgbw_par", mode: 1, count: 8 },
        { id: "pars", type: "par", model: "generic_rgb_par", mode: 1, count: 8 },
        { id: "movers", type: "spot", model: "generic_moving_wash", mode: 0, count: 24 },
        { id: "bars", type: "bar", model: "generic_rgb_bar", mode: 1, count: 6 },
        { id: "strobes", type: "strobe", model: "generic_strobe_lamp", mode: 0, count: 4 },
      ]),
      "movers",
    ),
  },
};

/** The heads of a group as makers build them for halls: with a wheel of eight gobos that turn, and a prism. */
function withOptics(rig: Rig, groupId: string): Rig {
  const ids = rig.groups.find(({ id }) => id === groupId)?.lightIds ?? [];
  const lastUniverse = Math.max(...rig.lights.map(({ universe }) => universe));
  const lights = rig.lights.map((light) => {
    const place = ids.indexOf(light.id);
    if (place < 0) return light;
    const channels = [...light.mode.channels, ...OPTICS];
    // More channels do not fit where the head was: they are patched anew.
    const perUniverse = Math.floor(512 / channels.length);
    const universe = lastUniverse + 1 + Math.floor(place / perUniverse);
    return {
      ...light,
      universe,
      address: 1 + (place % perUniverse) * channels.length,
      mode: { ...light.mode, channels },
    };
  });
  return { ...rig, lights };
}
