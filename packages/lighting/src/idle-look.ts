import type { IdleLook } from "@followspot/contract";
import { panAt, tiltAt } from "./aims.ts";
import { fullBrightness, hexOfOklch, linearOfHex, maxChroma } from "./color.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { openBeam } from "./head-optics.ts";
import { WASH_ZOOM } from "./intents.ts";
import { shineIn } from "./wheels.ts";

/** Linear light of the house look, for fixtures in wash groups, or for all if there are none. */
const HOUSE_LEVEL = 0.2;
/** Linear light of the wandering color, and the amplitude of its breathing: far below a flash. */
const COLOR_LEVEL = 0.27;
const BREATH = 0.03;
/** Beats in which the color travels once around the hue circle; and the distance on it between both ends of a row. */
const CIRCLE_BEATS = 64;
const SPREAD = 0.15;

/** r, g, b around the hue circle, strongest channel 1. */
const HUES = huesAround(180);

/**
 * Mixes the idle look into the current states, and sends heads to their home position with a wide beam. Allocation
 * free.
 *
 * @param mix   0 = the states, 1 = the idle look
 * @param beats time of the wandering color, beats
 */
export function mixIdleLook(show: CompiledShow, look: IdleLook, mix: number, beats: number): void {
  if (mix <= 0) return;
  const hasWash = show.isWash.includes(1);
  const breath = COLOR_LEVEL + BREATH * Math.cos(2 * Math.PI * beats);
  for (let h = 0; h < show.headCount; h++) {
    show.pan[h] = show.pan[h]! + (panAt(show.aims, h, 0) - show.pan[h]!) * mix;
    show.tilt[h] = show.tilt[h]! + (tiltAt(show.aims, h, 0) - show.tilt[h]!) * mix;
    show.zoom[h] = show.zoom[h]! + (WASH_ZOOM - show.zoom[h]!) * mix;
    if (mix >= 0.5) openBeam(show, h);
    if (look === "house") {
      const level = !hasWash || show.isWash[h] === 1 ? HOUSE_LEVEL : 0;
      mixLight(show, h, mix, level, 1, 0.6, 0.25);
    } else if (look === "color" && show.isStrobe[h] === 0) {
      const turn = beats / CIRCLE_BEATS + show.places[h]! * SPREAD;
      const at = 3 * Math.floor((turn - Math.floor(turn)) * (HUES.length / 3));
      mixLight(show, h, mix, breath, HUES[at]!, HUES[at + 1]!, HUES[at + 2]!);
    } else mixLight(show, h, mix, 0, 1, 1, 1);
  }
}

/** Mixes two lights: levels add up, colors are weighted by the light of each. */
function mixLight(show: CompiledShow, h: number, mix: number, level: number, r: number, g: number, b: number): void {
  const light = show.level[h]! * (1 - mix);
  const idle = level * mix;
  const sum = light + idle;
  show.level[h] = sum;
  if (sum <= 0) return;
  const share = idle / sum;
  const own = 1 - share;
  shineIn(show, h, show.red[h]! * own + r * share, show.green[h]! * own + g * share, show.blue[h]! * own + b * share);
}

function huesAround(steps: number): Float32Array {
  const l = 0.68;
  const hues = Array.from({ length: steps }, (_, i) => (i * 360) / steps);
  return Float32Array.from(
    hues.flatMap((h) => {
      const { r, g, b } = fullBrightness(linearOfHex(hexOfOklch({ l, c: maxChroma(l, h), h })));
      return [r, g, b];
    }),
  );
}
