import type { Pose } from "@followspot/contract";
import { useOfKey } from "../../lib/key-table.ts";
import { PLACE_KEYS } from "./plan.keys.ts";
import type { PlanLamp } from "./use-place-editor.ts";
import type { Patches } from "./places.ts";

/** Step of an arrow key, m; `FAR` applies with Shift. `TURN` and `LEAN` are steps in degrees. */
const STEP = 0.1;
const FAR = 0.5;
const TURN = 15;
const LEAN = 5;

type Patch = (pose: Pose) => Partial<Pose>;

const PATCHES: Readonly<Record<keyof typeof PLACE_KEYS, Patch>> = {
  left: ({ x }) => ({ x: x - STEP }),
  right: ({ x }) => ({ x: x + STEP }),
  back: ({ y }) => ({ y: y - STEP }),
  front: ({ y }) => ({ y: y + STEP }),
  up: ({ z }) => ({ z: z + STEP }),
  down: ({ z }) => ({ z: z - STEP }),
  leftFar: ({ x }) => ({ x: x - FAR }),
  rightFar: ({ x }) => ({ x: x + FAR }),
  backFar: ({ y }) => ({ y: y - FAR }),
  frontFar: ({ y }) => ({ y: y + FAR }),
  upFar: ({ z }) => ({ z: z + FAR }),
  downFar: ({ z }) => ({ z: z - FAR }),
  turn: ({ turn }) => ({ turn: turn + TURN }),
  turnBack: ({ turn }) => ({ turn: turn - TURN }),
  lean: ({ lean }) => ({ lean: lean + LEAN }),
  leanBack: ({ lean }) => ({ lean: lean - LEAN }),
};

/** Returns the changes that a key makes to the selected fixtures; undefined for a key without a function here. */
export function patchesOfKey(key: Parameters<typeof useOfKey>[1], lamps: readonly PlanLamp[]): Patches | undefined {
  const use = useOfKey(PLACE_KEYS, key);
  return use && new Map(lamps.map(({ id, pose }) => [id, PATCHES[use](pose)]));
}
