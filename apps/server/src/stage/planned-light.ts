import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import type { Drawing } from "./lamps/scene.ts";
import { TICK_HZ, TICK_MS } from "./outputs/frame-ring.ts";

/** Ticks that a plan must have run untouched: after that all flashes that count are its own. */
const UNTOUCHED_TICKS = Math.ceil(2 * TICK_HZ);
/** Ticks remembered, more than are rendered ahead. */
const REMEMBERED = 128;
/** Largest deviation from a song's tempo that still counts as planned, as a fraction of a tick. */
const RATE = 0.25;

interface Drawn {
  readonly tick: number;
  readonly scene: StageScene;
  readonly hands: Hands;
  readonly drawing: Drawing;
  /** Last tick at which something other than the plan changed the light. */
  readonly touched: number;
}

/** Determines for each rendered tick whether its light follows the plan, without presses or seeks shortly before. */
export class PlannedLight {
  /** By tick, as last rendered: ticks are rendered more than once. */
  readonly #drawn: (Drawn | undefined)[] = Array.from({ length: REMEMBERED });

  /** Records the inputs of a tick. Returns whether its light comes from a plan that has run untouched. */
  note(tick: number, scene: StageScene, hands: Hands, drawing: Drawing): boolean {
    const before = this.#drawn[(tick - 1 + REMEMBERED) % REMEMBERED];
    const goesOn = before?.tick === tick - 1 && before.hands === hands && before.drawing === drawing && follows(before.scene, scene); // prettier-ignore
    const touched = goesOn ? before.touched : tick;
    this.#drawn[tick % REMEMBERED] = { tick, scene, hands, drawing, touched };
    return tick - touched >= UNTOUCHED_TICKS;
  }
}

/** Whether a scene is the preceding one, one tick later. */
function follows(before: StageScene, after: StageScene): boolean {
  if (before.kind !== "show" || after.kind !== "show") return false;
  const isOfPlan = ({ live, houseMix, strobe, identify, size }: typeof after) =>
    !live && houseMix === 0 && strobe === undefined && identify === undefined && size === undefined;
  const ticks = ((after.position - before.position) * 1000) / TICK_MS;
  return isOfPlan(before) && isOfPlan(after) && before.master === after.master && Math.abs(ticks - 1) < RATE;
}
