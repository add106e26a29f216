import type { ChannelKind, FixtureChannel, WheelSlot } from "@followspot/contract";
import { isFineKind } from "./fine-kinds.ts";
import type { Does } from "./words.ts";

/** A range of values of a channel, 0..255, both ends included. */
export interface ChannelRange {
  readonly from: number;
  readonly to: number;
  readonly does: Does;
  /** Whether the amount falls while values rise. */
  readonly isFalling?: boolean;
  /** For a zoom: whether the beam gets wider while values rise; undefined if the file does not specify it. */
  readonly widens?: boolean | undefined;
  /** #rrggbb, for `color`; also for a range of another kind whose text names a color. */
  readonly color?: string | undefined;
  /** Whether the text mentions nothing that moves or changes automatically. */
  readonly isSteady?: boolean | undefined;
  /** Flashes per second at both ends, for `strobe`. */
  readonly hz?: readonly [number, number] | undefined;
  /**
   * For a color wheel or macro: whether the wheel passes light unchanged, or the macro leaves the fixture's own colors
   * alone.
   */
  readonly isClear?: boolean | undefined;
  /**
   * A value with exactly one static gobo, the static prism or full frost in the beam, or with a slowly rotating gobo;
   * undefined if uncertain.
   */
  readonly inBeam?: number | undefined;
}

/** A channel as a file describes it, independent of the format. */
export interface DescribedChannel {
  readonly kind: ChannelKind;
  readonly ranges: readonly ChannelRange[];
  /** Default value in the file. */
  readonly given?: number | undefined;
  /** Whether it dims what other channels dim as well. */
  readonly isMaster?: boolean;
  /** For pan and tilt: travel from end to end, degrees; and highest speed, degrees per second. */
  readonly turns?: { readonly degrees: number; readonly perSecond?: number } | undefined;
  /** For a zoom: beam angles at both ends, degrees. */
  readonly beam?: readonly [number, number] | undefined;
}

/** A channel of a mode and its head: 0 for a shared or single head, from 1 on for separate heads. */
export interface PlacedChannel {
  readonly channel: DescribedChannel;
  readonly head: number;
}

const LIGHT: ReadonlySet<ChannelKind> = new Set([
  ...["intensity", "red", "green", "blue", "white", "warmWhite", "coolWhite", "amber", "uv", "lime", "indigo"],
  ...["cyan", "magenta", "yellow", "hue", "saturation"],
] as ChannelKind[]);
const SUBTRACTIVE: ReadonlySet<ChannelKind> = new Set(["cyan", "magenta", "yellow"]);
/** Fewest values of a range that is an amount; narrower ranges are steps. */
const LEAST_LEVEL_VALUES = 16;
const MIDDLE = 128;

/** Converts a described channel to the renderer's form, with a default value that is always safe. */
export function channelOf(described: DescribedChannel, head: number): FixtureChannel {
  const { kind } = described;
  if (isFineKind(kind)) return { kind, head, default: 0 };
  if (LIGHT.has(kind)) return lightChannel(described, head);
  if (kind === "pan" || kind === "tilt") return positionChannel(described, head);
  if (kind === "shutter") return shutterChannel(described, head);
  if (kind === "colorWheel" || kind === "colorMacro") return wheelChannel(described, head);
  if (kind === "zoom") return zoomChannel(described, head);
  if (kind === "fog") return hazeChannel(described, head);
  if (kind === "focus") return { kind, head, default: middleOf(described) };
  return { kind, head, default: restOf(described), ...inBeamOf(described) };
}

function lightChannel(described: DescribedChannel, head: number): FixtureChannel {
  const { kind, ranges } = described;
  if (ranges.length === 0) return { kind, head, default: 0 };
  const level = levelOf(ranges);
  const dark = firstOf(ranges, ["closed", "nothing", "stop"]);
  const closed = dark ? valueIn(dark) : undefined;
  if (level) {
    const isPlain = level.from === 0 && level.to === 255 && !level.isFalling;
    const range = level.isFalling ? { from: level.to, to: level.from } : { from: level.from, to: level.to };
    const rest = closed ?? range.from;
    return {
      kind,
      head,
      default: SUBTRACTIVE.has(kind) ? range.from : rest,
      ...(!isPlain && { range }),
      ...(closed !== undefined && closed !== range.from && !SUBTRACTIVE.has(kind) && { closed }),
    };
  }
  const open = ranges.find(({ does }) => does === "open");
  // Either it only switches on and off, or no dimming range is known.
  if (!open) return { kind: "effect", head, default: restOf(described) };
  const value = valueIn(open);
  return { kind, head, default: closed ?? 0, range: { from: value, to: value }, closed: closed ?? 0 };
}

/** Returns the range that carries an amount: one described as such, otherwise the widest undescribed one. */
function levelOf(ranges: readonly ChannelRange[]): ChannelRange | undefined {
  const widest = (does: Does) =>
    ranges
      .filter((range) => range.does === does && range.to - range.from >= LEAST_LEVEL_VALUES)
      .toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)[0];
  return widest("level") ?? widest("other") ?? widest("color");
}

function positionChannel(described: DescribedChannel, head: number): FixtureChannel {
  const { kind, ranges } = described;
  const level = levelOf(ranges);
  if (ranges.length === 0 || (level && level.from === 0 && level.to === 255)) {
    return { kind, head, default: described.given ?? MIDDLE };
  }
  // A range with a stop is a continuous rotation, not a position.
  const isMotor = ranges.some(({ does }) => does === "nothing" || does === "stop");
  if (!level || isMotor) return { kind: "effect", head, default: restOf(described) };
  const { from, to } = level;
  return { kind, head, default: (from + to) >> 1, range: { from, to } };
}

/** A zoom is driven only if the file specifies which end is wide. */
function zoomChannel(described: DescribedChannel, head: number): FixtureChannel {
  const [widest] = described.ranges
    .filter(({ widens, from, to }) => widens !== undefined && to - from >= LEAST_LEVEL_VALUES)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (!widest) return { kind: "zoom", head, default: middleOf(described) };
  const { from, to, widens } = widest;
  const range = widens ? { from, to } : { from: to, to: from };
  return { kind: "zoom", head, default: (from + to + 1) >> 1, range };
}

/** Most gobos stored per wheel. */
const MOST_GOBOS = 64;

/** Returns the values with which a show puts an optic into the beam. */
function inBeamOf({ kind, ranges }: DescribedChannel): Pick<FixtureChannel, "gobos" | "on"> {
  const values = ranges.flatMap(({ inBeam }) => inBeam ?? []);
  if (values.length === 0) return {};
  if (kind === "gobo") return { gobos: values.slice(0, MOST_GOBOS) };
  // The last of several frost values is the strongest; for prisms and rotations the first one is used.
  return { on: kind === "frost" ? values.at(-1)! : values[0]! };
}

/** Returns a channel that makes or blows haze, at rest. Its range ends at the maximum output if that is not 255. */
export function hazeChannel(described: DescribedChannel, head: number): FixtureChannel {
  const { kind, ranges } = described;
  const rest = restOf(described);
  const level = levelOf(ranges);
  const on = ranges.find(({ does }) => does === "open");
  const most = level ? (level.isFalling ? level.from : level.to) : on ? valueIn(on) : ranges.length === 0 ? 255 : rest;
  return { kind, head, default: rest, ...((rest !== 0 || most !== 255) && { range: { from: rest, to: most } }) };
}

function shutterChannel(described: DescribedChannel, head: number): FixtureChannel {
  const { ranges } = described;
  const closed = ranges.find(({ does }) => does === "closed");
  const strobe = ranges.find(({ does, hz }) => does === "strobe" && hz !== undefined);
  const open = openValue(ranges);
  if (open === undefined) return { kind: "effect", head, default: restOf(described) };
  return {
    kind: "shutter",
    head,
    default: closed ? valueIn(closed) : open,
    open,
    ...(closed && { closed: valueIn(closed) }),
    ...(strobe?.hz && {
      strobe: { from: strobe.from, to: strobe.to, fromHz: strobe.hz[0], toHz: strobe.hz[1] },
    }),
  };
}

/**
 * Returns a value that lets light through; the slowest strobe if the fixture has nothing else. Undefined if this is no
 * shutter.
 */
function openValue(ranges: readonly ChannelRange[]): number | undefined {
  if (ranges.length === 0) return 0;
  const open = firstOf(ranges, ["open", "nothing", "stop"]);
  if (open) return valueIn(open);
  const level = ranges.find(({ does }) => does === "level");
  if (level) return level.isFalling ? level.from : level.to;
  const strobe = ranges.find(({ does }) => does === "strobe");
  return strobe && (strobe.isFalling ? strobe.to : strobe.from);
}

function wheelChannel(described: DescribedChannel, head: number): FixtureChannel {
  const { kind, ranges } = described;
  const seen = new Set<string>();
  const slots = ranges
    .flatMap((range): WheelSlot[] => {
      if (range.does !== "color" || range.color === undefined || seen.has(range.color)) return [];
      seen.add(range.color);
      return [{ value: valueIn(range), color: range.color }];
    })
    .slice(0, 128);
  const closed = ranges.find(({ does }) => does === "closed");
  // A macro at white would override the fixture's color mixing, while a wheel has no other neutral position.
  const isOff = kind === "colorMacro" || ranges.some(({ does, isClear }) => does === "nothing" || isClear);
  const white = slots.toSorted((a, b) => whiteness(b.color) - whiteness(a.color))[0];
  const rest = !isOff && white && whiteness(white.color) > 0.8 ? white.value : restOf(described);
  return {
    kind,
    head,
    default: rest,
    ...(slots.length > 1 && { slots }),
    ...(slots.length > 1 && closed && { closed: valueIn(closed) }),
  };
}

/** Returns the ratio of the weakest to the strongest channel; 1 for white. */
function whiteness(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return Math.min(...channels) / Math.max(1, ...channels);
}

/** Returns a value for a medium beam. */
function middleOf(described: DescribedChannel): number {
  if (described.ranges.length === 0) return MIDDLE;
  const level = levelOf(described.ranges);
  return level ? (level.from + level.to + 1) >> 1 : restOf(described);
}

/** Channels in the light path. They rest where light passes, whatever default the file gives. */
const PASSED: ReadonlySet<ChannelKind> = new Set<ChannelKind>([
  "colorWheel",
  "colorMacro",
  "gobo",
  "prism",
  "iris",
  "frost",
]);

/**
 * Returns the value at which a channel rests permanently. An open range takes precedence over one without function, and
 * that over a stop, which leaves a wheel wherever it was. The file's default is used for channels outside the light
 * path. Ranges for lamp, reset, programs and strobe are avoided if there is any other.
 */
export function restOf({ kind, ranges, given }: DescribedChannel): number {
  const at = (value: number) => ranges.find(({ from, to }) => value >= from && value <= to);
  const isSafe = (range: ChannelRange | undefined) => range?.does !== "machine" && range?.does !== "strobe";
  const isGiven = given !== undefined && isSafe(at(given));
  const clear = ranges.find(({ isClear }) => isClear);
  const passes = clear ?? firstOf(ranges, ["open", "nothing"]);
  if (PASSED.has(kind) && passes) return isGiven && at(given)?.does === passes.does && !clear ? given : valueIn(passes);
  if (isGiven) return given;
  const still = firstOf(ranges, ["nothing", "stop", "open"]);
  if (still) return valueIn(still);
  if (isSafe(at(0))) return 0;
  const safe = ranges.find((range) => isSafe(range));
  return safe ? valueIn(safe) : (freeValue(ranges) ?? 0);
}

/** Returns the first range of the first kind that exists. */
function firstOf(ranges: readonly ChannelRange[], kinds: readonly Does[]): ChannelRange | undefined {
  for (const kind of kinds) {
    const found = ranges.find(({ does }) => does === kind);
    if (found) return found;
  }
  return undefined;
}

/** Returns a value outside all ranges. */
function freeValue(ranges: readonly ChannelRange[]): number | undefined {
  for (let value = 0; value < 256; value++) {
    if (!ranges.some(({ from, to }) => value >= from && value <= to)) return value;
  }
  return undefined;
}

/** Returns a value well inside a range: an end of the scale if the range reaches it, otherwise the middle. */
export function valueIn({ from, to }: ChannelRange): number {
  if (from === 0) return 0;
  return to === 255 ? 255 : (from + to) >> 1;
}
