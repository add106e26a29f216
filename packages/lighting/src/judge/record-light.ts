import { luminance, oklabOfLinear } from "../color.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "../flash-limiter.ts";
import { setStates } from "../head-states.ts";

/** What an audience sees, tick by tick at 44 Hz. */
export interface LightRecord {
  readonly ticks: number;
  /** Perceptual light of the rig without strobes, 0..1: square root of mean luminance. */
  readonly brightness: Float32Array;
  /** Mean linear luminance of the rig without strobes. */
  readonly luminance: Float32Array;
  /** Target → mean perceptual level of its lamps. */
  readonly targets: ReadonlyMap<string, Float32Array>;
  /** Level-weighted OKLab a and b of the rig. */
  readonly a: Float32Array;
  readonly b: Float32Array;
  /** Level-weighted chroma per tick and 30-degree hue bin, row-major. */
  readonly hues: Float32Array;
  /** Level-weighted share of light that is nearly white. */
  readonly white: Float32Array;
  /** Most flashes of the whole rig in any second, counted on what is shown. */
  readonly mostFlashes: number;
}

export const HUE_BINS = 12;
/** Recorded after the song, to see whether the show ends. */
const TAIL_SECONDS = 4;
/** A wash lights more of the stage than an accent. */
const WASH_WEIGHT = 2;

export function recordLight(show: CompiledShow, duration: number): LightRecord {
  const ticks = Math.max(1, Math.ceil((duration + TAIL_SECONDS) * GRID_HZ));
  const n = show.headCount;
  const names = [...new Set(show.headTargets)].filter((name) => name !== "");
  const targets = new Map(names.map((name) => [name, new Float32Array(ticks)]));
  const sizes = new Map(names.map((name) => [name, show.headTargets.filter((t) => t === name).length]));
  const record = {
    ticks,
    brightness: new Float32Array(ticks),
    luminance: new Float32Array(ticks),
    targets,
    a: new Float32Array(ticks),
    b: new Float32Array(ticks),
    hues: new Float32Array(ticks * HUE_BINS),
    white: new Float32Array(ticks),
    mostFlashes: 0,
  };
  const weights = Float32Array.from(show.headTargets, (name) =>
    name === "role:strobe" ? 0 : name === "role:wash" ? WASH_WEIGHT : 1,
  );
  const weightSum = Math.max(
    1e-9,
    weights.reduce((sum, w) => sum + w, 0),
  );
  const counter = new FlashLimiter(1, 4);
  for (let tick = 0; tick < ticks; tick++) {
    setStates(show, tick / GRID_HZ);
    let light = 0;
    let lit = 0;
    let level = 0;
    let lum = 0;
    let red = 0;
    for (let h = 0; h < n; h++) {
      const v = show.level[h]!;
      if (v <= 0) continue;
      const r = show.red[h]!;
      const g = show.green[h]!;
      const b = show.blue[h]!;
      const y = luminance(r, g, b);
      level += v;
      lum += v * y;
      red += v * rednessOf(r, g, b);
      light += weights[h]! * v * y;
      const name = show.headTargets[h]!;
      targets.get(name)![tick] = targets.get(name)![tick]! + Math.sqrt(v) / sizes.get(name)!;
      const weight = weights[h]! * Math.sqrt(v);
      if (weight === 0) continue;
      const lab = oklabOfLinear({ r, g, b });
      const chroma = Math.hypot(lab.a, lab.b);
      lit += weight;
      record.a[tick] = record.a[tick]! + weight * lab.a;
      record.b[tick] = record.b[tick]! + weight * lab.b;
      if (chroma < 0.04) record.white[tick] = record.white[tick]! + weight;
      else {
        const turn = (Math.atan2(lab.b, lab.a) / (2 * Math.PI) + 1) % 1;
        const bin = tick * HUE_BINS + Math.floor(turn * HUE_BINS);
        record.hues[bin] = record.hues[bin]! + weight * chroma;
      }
    }
    if (lit > 0) {
      record.a[tick] = record.a[tick]! / lit;
      record.b[tick] = record.b[tick]! / lit;
      record.white[tick] = record.white[tick]! / lit;
    }
    record.luminance[tick] = light / weightSum;
    record.brightness[tick] = Math.sqrt(light / weightSum);
    counter.commit(0, level / Math.max(1, n), lum / Math.max(1, n), red / Math.max(1, n), tick);
  }
  record.mostFlashes = counter.most;
  return record;
}
