import type { Pose } from "@followspot/contract";
import type { PlanLamp } from "./use-place-editor.ts";
import type { Patches } from "./places.ts";

/** Metres of an arrow, and with Shift; degrees of a turn and of a lean. */
const STEP = 0.1;
const LARGE_STEP = 0.5;
const TURN = 15;
const LEAN = 5;

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** What a key does to the chosen lamps; undefined for a key that does nothing to them. */
export function patchesOfKey(key: Key, lamps: readonly PlanLamp[]): Patches | undefined {
  const patch = patchOfKey(key);
  return patch && new Map(lamps.map(({ id, pose }) => [id, patch(pose)]));
}

function patchOfKey({ key, shiftKey }: Key): ((pose: Pose) => Partial<Pose>) | undefined {
  const step = shiftKey ? LARGE_STEP : STEP;
  const back = shiftKey ? -1 : 1;
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case "ArrowLeft":
      return ({ x }) => ({ x: x - step });
    case "ArrowRight":
      return ({ x }) => ({ x: x + step });
    case "ArrowUp":
      return ({ y }) => ({ y: y - step });
    case "ArrowDown":
      return ({ y }) => ({ y: y + step });
    case "PageUp":
      return ({ z }) => ({ z: z + step });
    case "PageDown":
      return ({ z }) => ({ z: z - step });
    case "r":
      return ({ turn }) => ({ turn: turn + back * TURN });
    case "l":
      return ({ lean }) => ({ lean: lean + back * LEAN });
    default:
      return undefined;
  }
}
