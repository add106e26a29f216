import { luminance, oklabOfLinear } from "../color.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "../flash-limiter.ts";
import type { LightSource, Stage } from "./stage.ts";

/** Ticks of one frame of the look: 11 frames a second. */
export const FRAME_TICKS = 4;
export const FRAME_HZ = GRID_HZ / FRAME_TICKS;
/** Bins of 10 degrees of OKLCH hue. */
export const HUE_BINS = 36;
/** Recorded after the song, to see whether the show ends. */
const TAIL_SECONDS = 4;
/** A rise is what a lamp gains within so many ticks, about 100 ms. */
const RISE_TICKS = 4;
/** Sums kept per zone and frame: level, its square, level x a, level x b, motion. */
const SUMS = 5;
/** OKLab chroma below which light counts as white. */
const WHITE_CHROMA = 0.04;

/** What an audience sees of a show, at 44 ticks a second; see {@link recordLight}. */
export interface LightRecord {
  readonly stage: Stage;
  readonly ticks: number;
  /** Perceptual light of the rig without strobes, 0..1: square root of mean luminance. */
  readonly brightness: Float32Array;
  /** Mean linear luminance of the rig without strobes. */
  readonly luminance: Float32Array;
  /** Mean perceptual level of lamps on the right less that on the left, -1..1. */
  readonly balance: Float32Array;
  /** What the zone that rises most has gained in 100 ms: mean over its lamps of the perceptual level gained. */
  readonly rise: Float32Array;
  /** The same within one tick, to time it. */
  readonly step: Float32Array;
  /** Mean perceptual level per zone. */
  readonly zones: readonly Float32Array[];
  /** Mean level of the strobes, 0..1 linear. */
  readonly strobe: Float32Array;
  /** Level-weighted OKLab a and b of the rig. */
  readonly a: Float32Array;
  readonly b: Float32Array;
  /** Level-weighted share of light that is nearly white, 0..1. */
  readonly white: Float32Array;
  /** Level-weighted saturation, 0 white .. 1 no white at all. */
  readonly saturation: Float32Array;
  readonly frames: number;
  /** Level-weighted chroma per frame and hue bin, row-major. */
  readonly hues: Float32Array;
  /** Running sums of the look per zone, row-major, from frame 0; see {@link lookOf}. */
  readonly sums: Float64Array;
  /** Most flashes in any second, of the whole rig and of its left and right half. */
  readonly mostFlashes: number;
}

/** Watch a show from 0 to 4 seconds after the song's end. */
export function recordLight(source: LightSource, stage: Stage, duration: number): LightRecord {
  const ticks = Math.max(FRAME_TICKS, Math.ceil((duration + TAIL_SECONDS) * GRID_HZ));
  const n = stage.headCount;
  const zoneCount = stage.zones.length;
  const frames = Math.floor(ticks / FRAME_TICKS);
  const width = zoneCount * SUMS;
  const curve = () => new Float32Array(ticks);
  const record = {
    stage,
    ticks,
    brightness: curve(),
    luminance: curve(),
    balance: curve(),
    rise: curve(),
    step: curve(),
    zones: stage.zones.map(curve),
    strobe: curve(),
    a: curve(),
    b: curve(),
    white: curve(),
    saturation: curve(),
    frames,
    hues: new Float32Array(frames * HUE_BINS),
    sums: new Float64Array((frames + 1) * width),
    mostFlashes: 0,
  };
  const weightSum = Math.max(
    1e-9,
    stage.weights.reduce((sum, w) => sum + w, 0),
  );
  const strobes = Math.max(
    1,
    stage.isStrobe.reduce((sum, v) => sum + v, 0),
  );
  const sides = [0, 0];
  for (let h = 0; h < n; h++) {
    if (stage.zoneOf[h]! >= 0 && stage.places[h] !== 0.5) sides[stage.places[h]! > 0.5 ? 1 : 0]!++;
  }
  const zoneSizes = stage.zones.map((zone) => zone.heads.length);
  // Perceptual levels of the last ticks, tick-major.
  const past = new Float32Array((RISE_TICKS + 1) * n);
  const paint = new PaintBox(n);
  const gained = new Float64Array(zoneCount);
  const jumped = new Float64Array(zoneCount);
  const now = new Float64Array(width);
  const counter = new FlashLimiter(3, 4);
  const { level, red, green, blue } = source;
  for (let tick = 0; tick < ticks; tick++) {
    source.light(tick / GRID_HZ);
    const at = (tick % (RISE_TICKS + 1)) * n;
    const before = ((tick + RISE_TICKS) % (RISE_TICKS + 1)) * n;
    const long = ((tick + 1) % (RISE_TICKS + 1)) * n;
    let light = 0;
    let lit = 0;
    let strobe = 0;
    let left = 0;
    let right = 0;
    gained.fill(0);
    jumped.fill(0);
    now.fill(0);
    const halves = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    const frame = Math.floor(tick / FRAME_TICKS);
    for (let h = 0; h < n; h++) {
      const v = level[h]!;
      const l = v > 0 ? Math.sqrt(v) : 0;
      past[at + h] = l;
      const zone = stage.zoneOf[h]!;
      if (zone >= 0) {
        const jump = l - past[before + h]!;
        if (jump > 0) jumped[zone]! += jump;
        now[zone * SUMS + 4]! += Math.abs(jump);
        const gain = l - past[long + h]!;
        if (gain > 0) gained[zone]! += gain;
      }
      if (v <= 0) continue;
      paint.mix(h, red[h]!, green[h]!, blue[h]!);
      const y = paint.y[h]!;
      const redness = paint.redness[h]!;
      addTo(halves, 0, v, y, redness);
      addTo(halves, stage.places[h]! > 0.5 ? 6 : 3, v, y, redness);
      if (stage.isStrobe[h]) strobe += v;
      if (zone < 0) continue;
      const weight = stage.weights[h]!;
      light += weight * v * y;
      if (stage.places[h]! > 0.5) right += l;
      else if (stage.places[h]! < 0.5) left += l;
      const k = zone * SUMS;
      const a = paint.a[h]!;
      const b = paint.b[h]!;
      now[k]! += l;
      now[k + 1]! += l * l;
      now[k + 2]! += l * a;
      now[k + 3]! += l * b;
      const share = weight * l;
      lit += share;
      record.a[tick]! += share * a;
      record.b[tick]! += share * b;
      record.saturation[tick]! += share * paint.saturation[h]!;
      if (paint.chroma[h]! < WHITE_CHROMA) record.white[tick]! += share;
      else if (frame < frames) record.hues[frame * HUE_BINS + paint.bin[h]!]! += share * paint.chroma[h]!;
    }
    if (lit > 0) {
      record.a[tick]! /= lit;
      record.b[tick]! /= lit;
      record.white[tick]! /= lit;
      record.saturation[tick]! /= lit;
    }
    record.luminance[tick] = light / weightSum;
    record.brightness[tick] = Math.sqrt(light / weightSum);
    record.strobe[tick] = strobe / strobes;
    record.balance[tick] = right / Math.max(1, sides[1]!) - left / Math.max(1, sides[0]!);
    for (let z = 0; z < zoneCount; z++) {
      const size = zoneSizes[z]!;
      record.zones[z]![tick] = now[z * SUMS]! / size;
      record.rise[tick] = Math.max(record.rise[tick]!, gained[z]! / size);
      record.step[tick] = Math.max(record.step[tick]!, jumped[z]! / size);
    }
    const heads = Math.max(1, n);
    for (let i = 0; i < 3; i++) {
      const size = i === 0 ? heads : heads / 2;
      counter.commit(i, halves[3 * i]! / size, halves[3 * i + 1]! / size, halves[3 * i + 2]! / size, tick);
    }
    if (frame >= frames) continue;
    const row = (frame + 1) * width;
    if (tick % FRAME_TICKS === 0) record.sums.copyWithin(row, row - width, row);
    for (let i = 0; i < width; i++) record.sums[row + i]! += now[i]! / zoneSizes[Math.floor(i / SUMS)]!;
  }
  record.mostFlashes = counter.most;
  return record;
}

function addTo(sums: number[], i: number, v: number, y: number, redness: number): void {
  sums[i]! += v;
  sums[i + 1]! += v * y;
  sums[i + 2]! += v * redness;
}

/** Colour measures per head, worked out only when the head's colour changes. */
class PaintBox {
  readonly y: Float32Array;
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly chroma: Float32Array;
  readonly saturation: Float32Array;
  readonly redness: Float32Array;
  readonly bin: Uint8Array;
  readonly #rgb: Float32Array;

  constructor(heads: number) {
    const curve = () => new Float32Array(heads);
    this.y = curve();
    this.a = curve();
    this.b = curve();
    this.chroma = curve();
    this.saturation = curve();
    this.redness = curve();
    this.bin = new Uint8Array(heads);
    this.#rgb = new Float32Array(heads * 3).fill(-1);
  }

  mix(h: number, r: number, g: number, b: number): void {
    const rgb = this.#rgb;
    if (rgb[3 * h] === r && rgb[3 * h + 1] === g && rgb[3 * h + 2] === b) return;
    rgb[3 * h] = r;
    rgb[3 * h + 1] = g;
    rgb[3 * h + 2] = b;
    const lab = oklabOfLinear({ r, g, b });
    this.y[h] = luminance(r, g, b);
    this.redness[h] = rednessOf(r, g, b);
    this.a[h] = lab.a;
    this.b[h] = lab.b;
    this.chroma[h] = Math.hypot(lab.a, lab.b);
    const most = Math.max(r, g, b);
    this.saturation[h] = most > 0 ? 1 - Math.min(r, g, b) / most : 0;
    const turn = (Math.atan2(lab.b, lab.a) / (2 * Math.PI) + 1) % 1;
    this.bin[h] = Math.min(HUE_BINS - 1, Math.floor(turn * HUE_BINS));
  }
}

/** How much colour and motion weigh beside level in a look. */
const COLOUR_SCALE = 0.5;
const MOTION_SCALE = 0.1;
const MOST_MOTION = 0.5;
/** Zones look vectors are scaled to, so that distances mean the same on every rig. */
const USUAL_ZONES = 5;

/** Numbers of a look per zone: level, its spread, colour a and b, motion. */
export const LOOK_WIDTH = 5;

/**
 * The look between two times as numbers: per zone the mean perceptual level, its deviation over lamps and time, level-weighted
 * colour and how much lamps move per second. Two looks are as different as {@link distance} says: 0.05 is hardly seen,
 * 0.35 is another look.
 */
export function lookOf(
  light: LightRecord,
  from: number,
  to: number,
  out = new Float64Array(light.zones.length * LOOK_WIDTH),
): Float64Array {
  const a = Math.min(light.frames - 1, Math.max(0, Math.round(from * FRAME_HZ)));
  const b = Math.min(light.frames, Math.max(a + 1, Math.round(to * FRAME_HZ)));
  const width = light.zones.length * SUMS;
  const ticks = (b - a) * FRAME_TICKS;
  const scale = Math.sqrt(USUAL_ZONES / Math.max(1, light.zones.length));
  for (let z = 0; z < light.zones.length; z++) {
    const sum = (k: number) => light.sums[b * width + z * SUMS + k]! - light.sums[a * width + z * SUMS + k]!;
    const level = sum(0) / ticks;
    const spread = Math.sqrt(Math.max(0, sum(1) / ticks - level * level));
    // The colour of hardly any light is hardly seen.
    const weight = Math.max(sum(0), 0.15 * ticks);
    const i = z * LOOK_WIDTH;
    out[i] = scale * level;
    out[i + 1] = scale * spread;
    out[i + 2] = (scale * COLOUR_SCALE * sum(2)) / weight;
    out[i + 3] = (scale * COLOUR_SCALE * sum(3)) / weight;
    out[i + 4] = scale * Math.min(MOST_MOTION, (MOTION_SCALE * sum(4) * GRID_HZ) / ticks);
  }
  return out;
}

export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return Math.sqrt(sum);
}

/** Cosine of two looks, 0..1 for looks that have nothing opposite. */
export function likeness(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! ** 2;
    bb += b[i]! ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : aa === bb ? 1 : 0;
}
