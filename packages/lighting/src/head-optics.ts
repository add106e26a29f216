import type { CompiledShow, Lane } from "./compiled-show.ts";
import type { CompiledCue } from "./intents.ts";
import { isDarkOnTheWay } from "./movement/head-paths.ts";
import { BEAM } from "./optics.ts";
import { DARK_TURN_FROM_SECONDS, slotAt } from "./wheels.ts";

/** Sets what stands in the beams of some heads at a moment of their lanes. Allocation free. */
export function setOptics(show: CompiledShow, heads: Int32Array, t: number): void {
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    const lane = show.headLanes[h]![0];
    const cue = lane && cueInBeam(show, h, lane, t);
    if (cue) {
      show.beam[h] = cue.beam;
      show.gobo[h] = cue.gobo;
      show.goboTurns[h] = cue.goboTurns ? 1 : 0;
    } else openBeam(show, h);
  }
}

/** Nothing stands in the beam. */
export function openBeam({ beam }: CompiledShow, h: number): void {
  beam[h] = BEAM.open;
}

/**
 * The cue whose gobo, prism or frost a head has. It changes where a cue begins, but for heads that are dark a little before or
 * after: between cues, on a long way, or in the middle of a fade in which the colour wheel turns. After the last cue there is
 * none.
 */
function cueInBeam(show: CompiledShow, h: number, lane: Lane, t: number): CompiledCue | undefined {
  const next = lane.cues[lane.at + 1];
  if (next && isDarkOnTheWay(show.paths, h, lane.at + 1, t)) return next;
  if (!lane.isLit) return lane.now.cue && t < lane.now.cue.end ? lane.now.cue : undefined;
  const before = lane.before.cue;
  const isFading = lane.blend < 0.5 && before !== undefined;
  return isFading && turnsWheel(show, h, lane) && !isDarkOnTheWay(show.paths, h, lane.at, t) ? before : lane.now.cue;
}

/** Whether a fade goes through darkness, for the colour wheel to turn. */
function turnsWheel(show: CompiledShow, h: number, lane: Lane): boolean {
  const wheel = show.wheelOf[h]!;
  if (wheel < 0 || lane.now.cue!.fadeSeconds < DARK_TURN_FROM_SECONDS) return false;
  return slotAt(lane.before, wheel, show.colorTurns[h]!) !== slotAt(lane.now, wheel, show.colorTurns[h]!);
}
