/** The rigs shows are judged on: two rows of pars, a club and a stage with moving heads. */
import type { Rig } from "../../packages/contract/src/index.ts";
import { parsRig, REFERENCE_RIGS } from "../../packages/lighting/src/index.ts";

export const RIGS: Readonly<Record<string, Rig>> = {
  pars4: parsRig(4),
  pars8: parsRig(8),
  club: REFERENCE_RIGS[1]!.rig,
  stage: REFERENCE_RIGS[2]!.rig,
};
