import type { ChannelKind, FixtureMode } from "@followspot/contract";

/** 0..1 → 0..255, rounded; NaN and out-of-range values are defined: NaN is 0, the rest clips. */
export function byteOf(value: number): number {
  if (!(value > 0)) return 0;
  return value >= 1 ? 255 : Math.round(value * 255);
}

/** Coarse byte of a 16-bit value 0..1; {@link fineByteOf} is the other half. */
export function coarseByteOf(value: number): number {
  return word(value) >> 8;
}

export function fineByteOf(value: number): number {
  return word(value) & 255;
}

function word(value: number): number {
  if (!(value > 0)) return 0;
  return value >= 1 ? 65535 : Math.round(value * 65535);
}

/** What one channel reads from the state of its head; small integers so the frame loop can switch. */
export const WRITE = {
  constant: 0,
  intensity: 1,
  red: 2,
  green: 3,
  blue: 4,
  white: 5,
  warmWhite: 6,
  amber: 7,
  uv: 8,
  lime: 9,
  cyan: 10,
  magenta: 11,
  yellow: 12,
  pan: 13,
  panFine: 14,
  tilt: 15,
  tiltFine: 16,
  shutter: 17,
  /** Dimmer or shutter of a whole bar: open while any of its heads is lit. */
  shared: 18,
} as const;
export type Write = (typeof WRITE)[keyof typeof WRITE];

/** Channels not listed hold their default: lamp, reset, program, fog, laser… are never crossed by a fade. */
const WRITES: Partial<Record<ChannelKind, Write>> = {
  intensity: WRITE.intensity,
  red: WRITE.red,
  green: WRITE.green,
  blue: WRITE.blue,
  white: WRITE.white,
  coolWhite: WRITE.white,
  warmWhite: WRITE.warmWhite,
  amber: WRITE.amber,
  uv: WRITE.uv,
  indigo: WRITE.uv,
  lime: WRITE.lime,
  cyan: WRITE.cyan,
  magenta: WRITE.magenta,
  yellow: WRITE.yellow,
  pan: WRITE.pan,
  panFine: WRITE.panFine,
  tilt: WRITE.tilt,
  tiltFine: WRITE.tiltFine,
  shutter: WRITE.shutter,
};

export function writeOf(kind: ChannelKind): Write {
  return WRITES[kind] ?? WRITE.constant;
}

/** Which emitters a head can use; shared channels (head 0 dimmer over pixels) count for every head. */
export interface Emitters {
  readonly hasDimmer: boolean;
  readonly hasRgb: boolean;
  readonly hasCmy: boolean;
  readonly hasWhite: boolean;
  readonly hasAmber: boolean;
  /** True when nothing here makes planned light: fog, laser, a bare relay. */
  readonly isUnlit: boolean;
}

export function emittersOf(mode: FixtureMode, head: number): Emitters {
  const own = new Set(mode.channels.filter((c) => c.head === head || isShared(mode, c.head)).map((c) => c.kind));
  const has = (...kinds: ChannelKind[]) => kinds.some((kind) => own.has(kind));
  const hasRgb = has("red") && has("green") && has("blue");
  const hasCmy = has("cyan") && has("magenta") && has("yellow");
  const hasWhite = has("white", "coolWhite", "warmWhite");
  const isMachine = has("fog", "laser");
  return {
    hasDimmer: has("intensity"),
    hasRgb,
    hasCmy,
    hasWhite,
    hasAmber: has("amber"),
    isUnlit: isMachine || !(has("intensity", "red", "green", "blue", "shutter", "uv") || hasCmy || hasWhite),
  };
}

/** Head 0 of a fixture with several heads often carries the dimmer and shutter of the whole bar. */
function isShared(mode: FixtureMode, head: number): boolean {
  if (head !== 0) return false;
  return !mode.channels.some((c) => c.head === 0 && COLOURS.has(c.kind));
}

const COLOURS = new Set<ChannelKind>(["red", "green", "blue", "white", "warmWhite", "coolWhite", "amber"]);

/** Heads of a mode that are lamps of their own, in order. A shared head 0 is not one. */
export function headsOf(mode: FixtureMode): readonly number[] {
  const heads = [...new Set(mode.channels.map((c) => c.head))].sort((a, b) => a - b);
  return heads.length > 1 && isShared(mode, 0) ? heads.filter((h) => h !== 0) : heads;
}

/** White drawn out of RGB: the part all three share. */
export function whiteOf(r: number, g: number, b: number): number {
  return Math.min(r, g, b);
}

/** Amber drawn out of what is left after white: red with at most half as much green (#ff8000 in linear ≈ 1 : 0.22). */
export function amberOf(r: number, g: number, b: number): number {
  const w = Math.min(r, g, b);
  return Math.min(r - w, (g - w) / 0.22) * (b - w > 0.05 ? 0 : 1);
}

/**
 * One channel's byte from a head's linear light.
 * `dim` is 1 when the fixture dims by its own channel (the level is written there) and the level when it has none: the virtual dimmer.
 */
export function emitterByte(
  write: Write,
  level: number,
  dim: number,
  r: number,
  g: number,
  b: number,
  drawsWhite: boolean,
): number {
  const w = drawsWhite ? whiteOf(r, g, b) : 0;
  switch (write) {
    case WRITE.intensity:
      return byteOf(level);
    case WRITE.red:
      return level > 0 ? byteOf((r - w) * dim) : 0;
    case WRITE.green:
      return level > 0 ? byteOf((g - w) * dim) : 0;
    case WRITE.blue:
      return level > 0 ? byteOf((b - w) * dim) : 0;
    case WRITE.white:
    case WRITE.warmWhite:
      return level > 0 ? byteOf(whiteOf(r, g, b) * dim) : 0;
    case WRITE.amber:
      return level > 0 ? byteOf(amberOf(r, g, b) * 0.5 * dim) : 0;
    case WRITE.lime:
      return level > 0 ? byteOf(whiteOf(r, g, b) * 0.5 * dim) : 0;
    case WRITE.uv:
      // UV rides with violet only: blue with red and hardly any green.
      return level > 0 ? byteOf(Math.max(0, Math.min(r, b) - 2 * g) * dim) : 0;
    case WRITE.cyan:
      return level > 0 ? 255 - byteOf(r * dim) : 255;
    case WRITE.magenta:
      return level > 0 ? 255 - byteOf(g * dim) : 255;
    case WRITE.yellow:
      return level > 0 ? 255 - byteOf(b * dim) : 255;
    default:
      return 0;
  }
}
