import type { ChannelKind, FixtureChannel, FixtureMode } from "@followspot/contract";

/** Converts 0..1 to 0..255, rounded. NaN becomes 0; values out of range are clipped. */
export function byteOf(value: number): number {
  if (!(value > 0)) return 0;
  return value >= 1 ? 255 : Math.round(value * 255);
}

/** Returns the coarse byte of a 16-bit value 0..1; {@link fineByteOf} returns the fine byte. */
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

/** What a channel is written from. Small integers, so that the frame loop can switch on them. */
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
  /** The only color of a fixture, such as white or amber. It gives the requested light whatever the requested color. */
  only: 19,
  hue: 20,
  saturation: 21,
  /** Position of a color wheel. */
  wheel: 22,
  zoom: 23,
  /** Haze, and the fan that blows it: driven from the desk, and by shows if an Admin has allowed it. */
  haze: 24,
  /** Optics in the beam, see `optics.ts`. */
  gobo: 25,
  goboRotation: 26,
  prism: 27,
  frost: 28,
} as const;
export type Write = (typeof WRITE)[keyof typeof WRITE];

/** Part of a value that a channel carries: all of it in 8 bits, or one byte of 16 bits. */
export const PART = { whole: 0, coarse: 1, fine: 2 } as const;
export type Part = (typeof PART)[keyof typeof PART];

/**
 * What each kind of channel is written from. Kinds that are not listed (lamp, reset, program, fog, laser…) hold their
 * default value, so that a fade never crosses them.
 */
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
  hue: WRITE.hue,
  saturation: WRITE.saturation,
  zoom: WRITE.zoom,
};

export function writeOf(kind: ChannelKind): Write {
  return WRITES[kind] ?? WRITE.constant;
}

/** Emitters that a head can use. Shared channels (a dimmer of head 0 over pixels) count for every head. */
export interface Emitters {
  readonly hasDimmer: boolean;
  readonly hasRgb: boolean;
  readonly hasCmy: boolean;
  readonly hasWhite: boolean;
  /** Whether colors come from a wheel or macro with known positions, because no other channel makes any. */
  readonly hasWheel: boolean;
  /** Whether the head has a single color, or several kinds of white only. */
  readonly isOneColour: boolean;
  /** Whether a show cannot light the head: fog, laser, a bare relay. */
  readonly isUnlit: boolean;
}

export function emittersOf(mode: FixtureMode, head: number): Emitters {
  const channels = channelsOf(mode, head);
  const own = new Set(channels.map((c) => c.kind));
  const has = (...kinds: ChannelKind[]) => kinds.some((kind) => own.has(kind));
  const hasRgb = has("red") && has("green") && has("blue");
  const hasCmy = has("cyan") && has("magenta") && has("yellow");
  const hasWhite = has("white", "coolWhite", "warmWhite");
  const isMachine = has("fog", "laser");
  const mixes = has("red", "green", "blue", "cyan", "magenta", "yellow", "hue");
  const hasWheel = !mixes && channels.some(isWheel);
  const goesDark = has("intensity", "shutter") || channels.some((c) => isWheel(c) && c.closed !== undefined);
  return {
    hasDimmer: has("intensity"),
    hasRgb,
    hasCmy,
    hasWhite,
    hasWheel,
    isOneColour: !mixes && !hasWheel,
    isUnlit: isMachine || !(has(...LIT) || hasCmy || hasWhite || (hasWheel && goesDark)),
  };
}

const LIT: readonly ChannelKind[] = ["intensity", "red", "green", "blue", "shutter", "uv", "amber", "lime", "indigo"];

/** Whether a channel makes haze or blows it. A fan without a fog channel only cools the fixture. */
export function makesHaze(mode: FixtureMode, { kind, range, default: rest }: FixtureChannel): boolean {
  if (kind !== "fog" && kind !== "fan") return false;
  return (range?.to ?? 255) !== rest && (kind === "fog" || mode.channels.some((c) => c.kind === "fog"));
}

/** Whether a fixture in this mode makes haze. */
export const hazesIn = (mode: FixtureMode): boolean => mode.channels.some((channel) => makesHaze(mode, channel));

/** Whether a channel is a color wheel or macro with known positions. */
export const isWheel = ({ kind, slots }: FixtureChannel): boolean =>
  (kind === "colorWheel" || kind === "colorMacro") && slots !== undefined && slots.length > 1;

/** Returns the wheel that a head takes its colors from: the one with most slots. */
export function wheelChannelOf(mode: FixtureMode, head: number): FixtureChannel | undefined {
  if (!emittersOf(mode, head).hasWheel) return undefined;
  return channelsOf(mode, head)
    .filter(isWheel)
    .reduce<FixtureChannel | undefined>(
      (best, channel) => (channel.slots!.length > (best?.slots?.length ?? 0) ? channel : best),
      undefined,
    );
}

/** Returns the channels of a head, including those it shares. */
function channelsOf(mode: FixtureMode, head: number): readonly FixtureChannel[] {
  const sharesFirst = isShared(mode, 0);
  return mode.channels.filter((c) => c.head === head || (sharesFirst && c.head === 0));
}

/** Whether a head is a shared head 0, which often carries the dimmer and shutter of a whole bar. */
function isShared(mode: FixtureMode, head: number): boolean {
  if (head !== 0) return false;
  return !mode.channels.some((c) => c.head === 0 && COLOURS.has(c.kind));
}

const COLOURS = new Set<ChannelKind>([
  ...["red", "green", "blue", "white", "warmWhite", "coolWhite", "amber"],
  ...["uv", "lime", "indigo", "cyan", "magenta", "yellow", "hue"],
] as ChannelKind[]);

/** Returns the heads of a mode that emit light of their own, in order. A shared head 0 is left out. */
export function headsOf(mode: FixtureMode): readonly number[] {
  const heads = [...new Set(mode.channels.map((c) => c.head))].sort((a, b) => a - b);
  return heads.length > 1 && isShared(mode, 0) ? heads.filter((h) => h !== 0) : heads;
}

/** Returns the white part of RGB: what all three channels share. */
export function whiteOf(r: number, g: number, b: number): number {
  return Math.min(r, g, b);
}

/**
 * Returns the amber part of RGB after white is removed: red with at most half as much green (#ff8000 in linear ≈ 1 :
 * 0.22).
 */
export function amberOf(r: number, g: number, b: number): number {
  const w = Math.min(r, g, b);
  return Math.min(r - w, (g - w) / 0.22) * (b - w > 0.05 ? 0 : 1);
}

/**
 * Returns the amount that a channel needs for a head's linear light, 0..1; `byteOf` converts it to 8 bits. `dim` is 1
 * if the fixture has a dimmer channel, which then carries the level. Otherwise `dim` is the level (virtual dimmer).
 * Subtractive colors return the light that they let through. Full white uses all emitters that contain white. Any other
 * white comes from the white emitter if there is one, with the purest colors beside it.
 */
export function amountOf(
  write: Write,
  level: number,
  dim: number,
  r: number,
  g: number,
  b: number,
  drawsWhite: boolean,
  isFullWhite = false,
): number {
  if (write === WRITE.intensity) return level;
  if (!(level > 0)) return 0;
  const w = drawsWhite && !isFullWhite ? whiteOf(r, g, b) : 0;
  switch (write) {
    case WRITE.red:
      return (r - w) * dim;
    case WRITE.green:
      return (g - w) * dim;
    case WRITE.blue:
      return (b - w) * dim;
    case WRITE.white:
    case WRITE.warmWhite:
      return whiteOf(r, g, b) * dim;
    case WRITE.amber:
      return (isFullWhite ? whiteOf(r, g, b) : amberOf(r, g, b) * 0.5) * dim;
    case WRITE.lime:
      return whiteOf(r, g, b) * (isFullWhite ? 1 : 0.5) * dim;
    case WRITE.uv:
      // UV is added to violet only: blue with red and hardly any green.
      return Math.max(0, Math.min(r, b) - 2 * g) * dim;
    case WRITE.cyan:
      return r * dim;
    case WRITE.magenta:
      return g * dim;
    case WRITE.yellow:
      return b * dim;
    case WRITE.only:
      return dim;
    case WRITE.hue:
      return hueOf(r, g, b);
    case WRITE.saturation:
      return saturationOf(r, g, b);
    default:
      return 0;
  }
}

/** Whether a channel is a subtractive color, which gives full light at zero. */
export const isSubtractive = (write: Write): boolean => write >= WRITE.cyan && write <= WRITE.yellow;

/** Whether a channel is an optic in the beam: gobo, prism or frost. */
export const isOptic = (write: Write): boolean => write >= WRITE.gobo && write <= WRITE.frost;

/** Returns the hue of linear light, 0..1: 0 and 1 red, 1/3 green, 2/3 blue; 0 for gray. */
export function hueOf(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  const span = most - Math.min(r, g, b);
  if (span <= 0) return 0;
  const sixth = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return (sixth < 0 ? sixth + 6 : sixth) / 6;
}

/** Returns the saturation of linear light: 0 gray .. 1 pure. */
export function saturationOf(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  return most > 0 ? 1 - Math.min(r, g, b) / most : 0;
}

/** Properties of a channel that convert an amount to a byte. */
interface Scale {
  readonly part: Part;
  /** Values for none and for full. */
  readonly from: number;
  readonly to: number;
  /** Value for none if it differs from `from`. */
  readonly closed: number;
  readonly isSquare: boolean;
}

/** Converts an amount 0..1 to a byte. NaN counts as none; values out of range are clipped. */
export function scaledByte(amount: number, { part, from, to, closed, isSquare }: Scale): number {
  const light = isSquare ? Math.sqrt(amount) : amount;
  if (part === PART.coarse) return coarseByteOf(from > to ? 1 - light : light);
  if (part === PART.fine) return fineByteOf(from > to ? 1 - light : light);
  if (!(light > 0)) return closed;
  if (from === 0 && to === 255) return byteOf(light);
  return Math.round(from + Math.min(1, light) * (to - from));
}
