import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import type { Drawing } from "./lamps/scene.ts";
import { TICK_HZ, TICK_MS } from "./outputs/frame-ring.ts";

/** So long must a plan have run untouched: all flashes that count are its own by then. */
const UNTOUCHED_TICKS = Math.ceil(2 * TICK_HZ);
/** Ticks that are remembered, more than are drawn ahead. */
const REMEMBERED = 128;
/** How far from its tempo a leader may drive a song, as part of a tick. */
const RATE = 0.25;

interface Drawn {
  readonly tick: number;
  readonly scene: StageScene;
  readonly hands: Hands;
  readonly drawing: Drawing;
  /** The last tick at which something else than the plan changed the light. */
  readonly touched: number;
}

/** Knows of each tick that is drawn whether its light goes on as it was planned: nothing was pressed or sought of late. */
export class PlannedLight {
  /** By tick, as it was drawn last: ticks are drawn again. */
  readonly #drawn: (Drawn | undefined)[] = Array.from({ length: REMEMBERED });

  /** Notes what a tick is drawn from. Returns whether its light comes from a plan that has run untouched. */
  note(tick: number, scene: StageScene, hands: Hands, drawing: Drawing): boolean {
    const before = this.#drawn[(tick - 1 + REMEMBERED) % REMEMBERED];
    const goesOn = before?.tick === tick - 1 && before.hands === hands && before.drawing === drawing && follows(before.scene, scene); // prettier-ignore
    const touched = goesOn ? before.touched : tick;
    this.#drawn[tick % REMEMBERED] = { tick, scene, hands, drawing, touched };
    return tick - touched >= UNTOUCHED_TICKS;
  }
}

/** Whether a scene is the one before, a tick later. */
function follows(before: StageScene, after: StageScene): boolean {
  if (before.kind !== "show" || after.kind !== "show") return false;
  const isOfPlan = ({ live, houseMix, strobe, identify, size }: typeof after) =>
    !live && houseMix === 0 && strobe === undefined && identify === undefined && size === undefined;
  const ticks = ((after.position - before.position) * 1000) / TICK_MS;
  return isOfPlan(before) && isOfPlan(after) && before.master === after.master && Math.abs(ticks - 1) < RATE;
}
