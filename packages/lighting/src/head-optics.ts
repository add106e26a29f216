import type { CompiledShow, Lane } from "./compiled-show.ts";
import type { CompiledCue } from "./intents.ts";
import { isDarkOnTheWay } from "./movement/head-paths.ts";
import { BEAM } from "./optics.ts";
import { DARK_TURN_FROM_SECONDS, slotAt } from "./wheels.ts";

/** Sets the beam optics of heads from their lanes at a moment. Allocation free. */
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

/** Removes gobo, prism and frost from the beam. */
export function openBeam({ beam }: CompiledShow, h: number): void {
  beam[h] = BEAM.open;
}

/**
 * Returns the cue that sets the optics of a head. Optics change at the start of a cue. Heads that are dark shortly
 * before or after change while dark: between cues, on a long move, or in the middle of a fade in which the color wheel
 * turns. After the last cue there is none.
 */
function cueInBeam(show: CompiledShow, h: number, lane: Lane, t: number): CompiledCue | undefined {
  const next = lane.cues[lane.at + 1];
  if (next && isDarkOnTheWay(show.paths, h, lane.at + 1, t)) return next;
  if (!lane.isLit) return lane.now.cue && t < lane.now.cue.end ? lane.now.cue : undefined;
  const before = lane.before.cue;
  const isFading = lane.blend < 0.5 && before !== undefined;
  return isFading && turnsWheel(show, h, lane) && !isDarkOnTheWay(show.paths, h, lane.at, t) ? before : lane.now.cue;
}

/** Whether a fade goes dark in the middle so that the color wheel can turn. */
function turnsWheel(show: CompiledShow, h: number, lane: Lane): boolean {
  const wheel = show.wheelOf[h]!;
  if (wheel < 0 || lane.now.cue!.fadeSeconds < DARK_TURN_FROM_SECONDS) return false;
  return slotAt(lane.before, wheel, show.colorTurns[h]!) !== slotAt(lane.now, wheel, show.colorTurns[h]!);
}
