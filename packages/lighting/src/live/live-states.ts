import type { CompiledShow } from "../compiled-show.ts";
import { setStates } from "../head-states.ts";
import { dimStates } from "../render-frame.ts";

/** Light of a show for live sound at one moment. */
export interface LiveLight {
  /** Position in its plan, seconds. */
  readonly position: number;
  /** Position of the section that fades out, and its share. */
  readonly from: { readonly position: number; readonly share: number } | undefined;
  /** Linear light, 0..1, following the loudness. */
  readonly ride: number;
  /** Values of the curves that reactive cues follow. */
  readonly bands: { readonly bass: number; readonly mid: number; readonly high: number; readonly energy: number };
}

const KEYS = ["level", "red", "green", "blue", "pan", "tilt", "zoom"] as const;
type States = Pick<CompiledShow, (typeof KEYS)[number]>;

/** Allocates the states of a second look, for crossfades. */
export function newStates({ headCount }: CompiledShow): States {
  const row = () => new Float32Array(headCount);
  return { level: row(), red: row(), green: row(), blue: row(), pan: row(), tilt: row(), zoom: row() };
}

/** Sets every head's state for live sound. Allocation free. @param spare scratch of this show, overwritten */
export function setLiveStates(show: CompiledShow, light: LiveLight, spare: States): void {
  const { bass, mid, high, energy } = light.bands;
  for (const [i, value] of [bass, mid, high, energy].entries()) show.curves[i]![0] = value;
  if (light.from && light.from.share > 0) {
    setStates(show, light.from.position);
    for (const key of KEYS) spare[key].set(show[key]);
    setStates(show, light.position);
    mixStates(show, spare, light.from.share);
  } else setStates(show, light.position);
  dimStates(show, light.ride);
}

/** Mixes two looks: levels add up, colors are weighted by the light of each, and heads move with the fade. */
function mixStates(show: CompiledShow, other: States, share: number): void {
  const { headCount, level, red, green, blue, pan, tilt, zoom } = show;
  for (let h = 0; h < headCount; h++) {
    const own = level[h]! * (1 - share);
    const leaving = other.level[h]! * share;
    const sum = own + leaving;
    const part = sum > 0 ? leaving / sum : share;
    level[h] = sum;
    red[h] = red[h]! * (1 - part) + other.red[h]! * part;
    green[h] = green[h]! * (1 - part) + other.green[h]! * part;
    blue[h] = blue[h]! * (1 - part) + other.blue[h]! * part;
    pan[h] = pan[h]! * (1 - share) + other.pan[h]! * share;
    tilt[h] = tilt[h]! * (1 - share) + other.tilt[h]! * share;
    zoom[h] = zoom[h]! * (1 - share) + other.zoom[h]! * share;
  }
}
