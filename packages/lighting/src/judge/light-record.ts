import { luminance, oklabOfLinear } from "../color.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "../flash-limiter.ts";
import type { LightSource, Stage } from "./stage.ts";

/** Ticks per frame of the look: 11 frames per second. */
export const FRAME_TICKS = 4;
export const FRAME_HZ = GRID_HZ / FRAME_TICKS;
/** Hue bins of 10 degrees in OKLCH. */
export const HUE_BINS = 36;
/** Time recorded after the song, to check that the show ends, seconds. */
const TAIL_SECONDS = 4;
/** Window of a rise in level, ticks: about 100 ms. */
const RISE_TICKS = 4;
/** Sums per zone and frame: level, its square, level x a, level x b, motion. */
const SUMS = 5;
/** OKLab chroma below which light counts as white. */
const WHITE_CHROMA = 0.04;

/** The visible light of a show at 44 ticks per second, see {@link recordLight}. */
export interface LightRecord {
  readonly stage: Stage;
  readonly ticks: number;
  /**
   * Brightness of the rig without strobes, 0..1: mean drive of its heads, lit and unlit. The drive of a head is the
   * square root of its strongest emitter, whatever its color: a full blue is full.
   */
  readonly brightness: Float32Array;
  /** Luminance of the brightest head, strobes excluded; 1 is full white. */
  readonly brightest: Float32Array;
  /** Mean drive of heads on the right minus that on the left, -1..1. */
  readonly balance: Float32Array;
  /** Rise within 100 ms of the zone that rises most: mean over its heads of the gain in perceptual level. */
  readonly rise: Float32Array;
  /** The same rise within one tick, for its exact time. */
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
  /** Level-weighted saturation: 0 white .. 1 no white at all. */
  readonly saturation: Float32Array;
  readonly frames: number;
  /** Level-weighted chroma per frame and hue bin, row-major. */
  readonly hues: Float32Array;
  /** Color quality of lit heads, see {@link Colourfulness}. */
  readonly colour: Colourfulness;
  /** Mean drive, color and movement per bar and head; row-major, see {@link barsApart}. */
  readonly bars: Float32Array;
  /** Lowest and highest drive per bar and head. */
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
  /** Movement of heads while lit. */
  readonly heads: HeadMotion;
  /** Running sums of the look per zone, row-major, from frame 0; see {@link lookOf}. */
  readonly sums: Float64Array;
  /** Most flashes in any second, of the whole rig and of its left and right half. */
  readonly mostFlashes: number;
}

/** Sums per tick over the lit heads, weighted by drive; strobes and front light on the singer are excluded. */
export interface Colourfulness {
  readonly drive: Float32Array;
  /** Chroma as a share of the maximum for its hue. */
  readonly vivid: Float32Array;
  /** Drive of heads with less than half of that. */
  readonly pale: Float32Array;
}

/** Head movement, in degrees by the travel in the rig's definitions. */
export interface HeadMotion {
  /** Head-ticks in which a lit head moves, and those in which it would have to move faster than it can. */
  readonly moving: number;
  readonly tooFast: number;
  /** Steps of more than {@link JUMP_DEGREES} within a tick while lit before and after. */
  readonly jumps: number;
}

/** Numbers per head and bar: drive, drive x OKLab a and b, pan and tilt in half turns. */
const HEAD_LOOK = 5;
const JUMP_DEGREES = 20;
/** Drive from which a head counts as lit. */
const LIT_DRIVE = 0.05;
/** Rounding error of a position in single precision from tick to tick. */
const ROUNDING_DEGREES = 0.01;

/** Records a show from 0 to 4 seconds after the song's end. @param lines bar lines of the song, seconds, ascending */
export function recordLight(
  source: LightSource,
  stage: Stage,
  duration: number,
  lines: readonly number[] = [],
): LightRecord {
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
    brightest: curve(),
    balance: curve(),
    rise: curve(),
    step: curve(),
    zones: stage.zones.map(curve),
    strobe: curve(),
    a: curve(),
    b: curve(),
    white: curve(),
    saturation: curve(),
    colour: { drive: curve(), vivid: curve(), pale: curve() },
    bars: new Float32Array(Math.max(0, lines.length - 1) * n * HEAD_LOOK),
    lowest: new Float32Array(Math.max(0, lines.length - 1) * n).fill(1),
    highest: new Float32Array(Math.max(0, lines.length - 1) * n),
    heads: { moving: 0, tooFast: 0, jumps: 0 },
    frames,
    hues: new Float32Array(frames * HUE_BINS),
    sums: new Float64Array((frames + 1) * width),
    mostFlashes: 0,
  };
  const seen = Math.max(
    1,
    stage.zoneOf.reduce((sum, zone) => sum + (zone >= 0 ? 1 : 0), 0),
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
  const { level, red, green, blue, isSingersLight } = source;
  const barOf = barPerTick(lines, ticks);
  const barTicks = new Uint32Array(Math.max(0, lines.length - 1));
  const motion = new MotionWatch(source, stage);
  for (let tick = 0; tick < ticks; tick++) {
    source.light(tick / GRID_HZ);
    motion.see();
    const bar = barOf[tick]!;
    if (bar >= 0) barTicks[bar]!++;
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
      if (bar >= 0) {
        const drive = l * Math.sqrt(Math.max(red[h]!, green[h]!, blue[h]!));
        record.lowest[bar * n + h] = Math.min(record.lowest[bar * n + h]!, drive);
        record.highest[bar * n + h] = Math.max(record.highest[bar * n + h]!, drive);
      }
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
      const drive = Math.sqrt(v * Math.max(red[h]!, green[h]!, blue[h]!));
      light += drive;
      record.brightest[tick] = Math.max(record.brightest[tick]!, v * y);
      if (isSingersLight?.[h] !== 1) {
        const worth = vividness(paint.a[h]!, paint.b[h]!);
        record.colour.drive[tick]! += drive;
        record.colour.vivid[tick]! += drive * worth;
        if (worth < PALE) record.colour.pale[tick]! += drive;
      }
      if (bar >= 0) {
        const at = (bar * n + h) * HEAD_LOOK;
        record.bars[at]! += drive;
        record.bars[at + 1]! += drive * paint.a[h]!;
        record.bars[at + 2]! += drive * paint.b[h]!;
        record.bars[at + 3]! += drive * (source.pan?.[h] ?? 0) * (stage.travel[2 * h]! / 180);
        record.bars[at + 4]! += drive * (source.tilt?.[h] ?? 0) * (stage.travel[2 * h + 1]! / 180);
      }
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
    record.brightness[tick] = light / seen;
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
  for (let i = 0; i < record.bars.length; i++)
    record.bars[i]! /= Math.max(1, barTicks[Math.floor(i / (n * HEAD_LOOK))]!);
  return { ...record, heads: motion.sums };
}

/** Returns the bar index of each tick; -1 outside all bars. */
function barPerTick(lines: readonly number[], ticks: number): Int32Array {
  const bars = new Int32Array(ticks).fill(-1);
  for (let i = 0; i + 1 < lines.length; i++)
    bars.fill(
      i,
      Math.min(ticks, Math.round(lines[i]! * GRID_HZ)),
      Math.min(ticks, Math.round(lines[i + 1]! * GRID_HZ)),
    );
  return bars;
}

/**
 * Returns how much two bars differ in what single heads do. It is the root mean square over the fixtures, whose heads
 * share one weight, of the distances in drive, color (weighted by brightness) and position. From 0.08 on the picture
 * looks different.
 */
export function barsApart(light: LightRecord, i: number, k: number): number {
  const n = light.stage.headCount;
  const { zoneOf, lampShares } = light.stage;
  let sum = 0;
  let lamps = 0;
  for (let h = 0; h < n; h++) {
    if (zoneOf[h]! < 0) continue;
    const share = lampShares[h]!;
    lamps += share;
    for (let part = 0; part < HEAD_LOOK; part++) {
      const apart = light.bars[(i * n + h) * HEAD_LOOK + part]! - light.bars[(k * n + h) * HEAD_LOOK + part]!;
      sum += share * (apart * HEAD_LOOK_SCALE[part]!) ** 2;
    }
  }
  return lamps > 0 ? Math.sqrt(sum / lamps) : 0;
}

/** Weights per value of a head: OKLab distances are small relative to levels. */
const HEAD_LOOK_SCALE = [1, 2, 2, 1, 1];

/** Counts the movement of lit heads from tick to tick. */
class MotionWatch {
  readonly sums = { moving: 0, tooFast: 0, jumps: 0 };
  readonly #source: LightSource;
  readonly #stage: Stage;
  readonly #before: Float64Array;
  readonly #wasLit: Uint8Array;

  constructor(source: LightSource, stage: Stage) {
    this.#source = source;
    this.#stage = stage;
    this.#before = new Float64Array(2 * stage.headCount);
    this.#wasLit = new Uint8Array(stage.headCount);
  }

  see(): void {
    const { pan, tilt, level } = this.#source;
    if (!pan || !tilt) return;
    const { travel, topSpeed, headCount } = this.#stage;
    for (let h = 0; h < headCount; h++) {
      if (travel[2 * h] === 0) continue;
      const isLit = Math.sqrt(level[h]!) >= LIT_DRIVE;
      const at = [pan[h]! * travel[2 * h]!, tilt[h]! * travel[2 * h + 1]!];
      if (isLit && this.#wasLit[h] === 1) {
        const steps = at.map((degrees, axis) => Math.abs(degrees - this.#before[2 * h + axis]!));
        if (Math.max(...steps) > 0.02) this.sums.moving++;
        const most = (axis: number) => topSpeed[2 * h + axis]! / GRID_HZ + ROUNDING_DEGREES;
        if (steps.some((step, axis) => step > most(axis))) this.sums.tooFast++;
        if (steps.some((step) => step > JUMP_DEGREES)) this.sums.jumps++;
      }
      this.#before.set(at, 2 * h);
      this.#wasLit[h] = isLit ? 1 : 0;
    }
  }
}

/** Share of the maximum chroma below which light is pale. */
const PALE = 0.5;

/**
 * Maximum OKLab chroma of a fixture at full by hue, in steps of one degree. Over all colors with one emitter at 1 and
 * one at 0, which is the edge of the gamut of red, green and blue.
 */
const MOST_CHROMA = mostChroma();

function mostChroma(): Float64Array {
  const most = new Float64Array(360);
  const steps = 600;
  for (let side = 0; side < 6; side++) {
    for (let i = 0; i <= steps; i++) {
      const x = i / steps;
      // Around the hexagon of hues: red, yellow, green, cyan, blue, magenta.
      const mixed = [[1, x, 0], [1 - x, 1, 0], [0, 1, x], [0, 1 - x, 1], [x, 0, 1], [1, 0, 1 - x]][side]!; // prettier-ignore
      const { a, b } = oklabOfLinear({ r: mixed[0]!, g: mixed[1]!, b: mixed[2]! });
      const hue = Math.floor(((Math.atan2(b, a) / (2 * Math.PI) + 1) % 1) * 360);
      most[hue] = Math.max(most[hue]!, Math.hypot(a, b));
    }
  }
  for (let hue = 0; hue < 360; hue++) if (most[hue] === 0) most[hue] = most[(hue + 359) % 360]!;
  return most;
}

function vividness(a: number, b: number): number {
  const hue = Math.floor(((Math.atan2(b, a) / (2 * Math.PI) + 1) % 1) * 360) % 360;
  return Math.min(1, Math.hypot(a, b) / MOST_CHROMA[hue]!);
}

function addTo(sums: number[], i: number, v: number, y: number, redness: number): void {
  sums[i]! += v;
  sums[i + 1]! += v * y;
  sums[i + 2]! += v * redness;
}

/** Color values per head, computed only when the head's color changes. */
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

/** Weights of color and motion relative to level in a look. */
const COLOUR_SCALE = 0.5;
const MOTION_SCALE = 0.1;
const MOST_MOTION = 0.5;
/** Number of zones that look vectors are scaled to, so that distances are comparable between rigs. */
const USUAL_ZONES = 5;

/** Numbers per zone in a look: level, its spread, color a and b, motion. */
export const LOOK_WIDTH = 5;

/**
 * Returns the look between two times in seconds as numbers. Per zone: mean perceptual level, its deviation over
 * fixtures and time, level-weighted color, and movement of the level per second. {@link distance} compares two looks:
 * 0.05 is hardly visible, 0.35 is a different look.
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
    // The color of very dim light is hardly visible.
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

/** Returns the cosine of two looks; 0..1 for looks without opposite values. */
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
