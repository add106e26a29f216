import type { CompiledShow } from "../compiled-show.ts";
import { setStates } from "../head-states.ts";
import { dimStates } from "../render-frame.ts";

/** What a show for live sound shines with at one moment. */
export interface LiveLight {
  /** Seconds of its plan. */
  readonly position: number;
  /** The section that is left, and how much of it still shows. */
  readonly from: { readonly position: number; readonly share: number } | undefined;
  /** Linear light, 0..1: it rides on the loudness. */
  readonly ride: number;
  /** What reactive cues follow. */
  readonly bands: { readonly bass: number; readonly mid: number; readonly high: number; readonly energy: number };
}

type States = Pick<CompiledShow, "level" | "red" | "green" | "blue" | "pan" | "tilt">;
const KEYS = ["red", "green", "blue", "pan", "tilt"] as const;

/** Room for one look beside the one that is drawn. */
export function newStates({ headCount }: CompiledShow): States {
  const row = () => new Float32Array(headCount);
  return { level: row(), red: row(), green: row(), blue: row(), pan: row(), tilt: row() };
}

/** Sets every head's state for live sound. Allocation free. @param spare of this show, overwritten */
export function setLiveStates(show: CompiledShow, light: LiveLight, spare: States): void {
  const { bass, mid, high, energy } = light.bands;
  for (const [i, value] of [bass, mid, high, energy].entries()) show.curves[i]![0] = value;
  if (light.from && light.from.share > 0) {
    setStates(show, light.from.position);
    spare.level.set(show.level);
    for (const key of KEYS) spare[key].set(show[key]);
    setStates(show, light.position);
    mixStates(show, spare, light.from.share);
  } else setStates(show, light.position);
  dimStates(show, light.ride);
}

/** Two looks at once: levels add, colours by how much light each gives. */
function mixStates(show: CompiledShow, other: States, share: number): void {
  for (let h = 0; h < show.headCount; h++) {
    const own = show.level[h]! * (1 - share);
    const leaving = other.level[h]! * share;
    const sum = own + leaving;
    const part = sum > 0 ? leaving / sum : share;
    show.level[h] = sum;
    for (let k = 0; k < KEYS.length; k++) {
      const key = KEYS[k]!;
      // Heads travel with the fade, colours with the light.
      const mix = key === "pan" || key === "tilt" ? share : part;
      show[key][h] = show[key][h]! * (1 - mix) + other[key][h]! * mix;
    }
  }
}
