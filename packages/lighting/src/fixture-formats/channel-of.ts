import type { ChannelKind, FixtureChannel, WheelSlot } from "@followspot/contract";
import { isFineKind } from "./fine-kinds.ts";
import type { Does } from "./words.ts";

/** A range of values of a channel, both ends included, 0..255. */
export interface ChannelRange {
  readonly from: number;
  readonly to: number;
  readonly does: Does;
  /** The amount goes down while values go up. */
  readonly isFalling?: boolean;
  /** Of a zoom: the beam gets wider while values go up; absent where the file does not say. */
  readonly widens?: boolean | undefined;
  /** #rrggbb, for `color`; also of a range of another kind whose words name one. */
  readonly color?: string | undefined;
  /** Its words speak of nothing that moves or changes by itself. */
  readonly isSteady?: boolean | undefined;
  /** Flashes per second at both ends, for `strobe`. */
  readonly hz?: readonly [number, number] | undefined;
  /** Of a colour wheel or macro: light passes the wheel unchanged, or the macro leaves the lamp's own colours alone. */
  readonly isClear?: boolean | undefined;
  /** A value of it that surely has one still gobo, the still prism or all of the frost in the beam, or turns a gobo slowly. */
  readonly inBeam?: number | undefined;
}

/** A channel as a file describes it, whatever the format. */
export interface DescribedChannel {
  readonly kind: ChannelKind;
  readonly ranges: readonly ChannelRange[];
  /** The value the file names as default. */
  readonly given?: number | undefined;
  /** Dims what other channels dim as well. */
  readonly isMaster?: boolean;
  /** Of pan and tilt: degrees from one end to the other, and degrees a second at the most. */
  readonly turns?: { readonly degrees: number; readonly perSecond?: number } | undefined;
  /** Of a zoom: angles of the beam at both ends, degrees. */
  readonly beam?: readonly [number, number] | undefined;
}

/** A channel of a mode and the head it belongs to: 0 shared or only, from 1 on lamps of their own. */
export interface PlacedChannel {
  readonly channel: DescribedChannel;
  readonly head: number;
}

const LIGHT: ReadonlySet<ChannelKind> = new Set([
  ...["intensity", "red", "green", "blue", "white", "warmWhite", "coolWhite", "amber", "uv", "lime", "indigo"],
  ...["cyan", "magenta", "yellow", "hue", "saturation"],
] as ChannelKind[]);
const SUBTRACTIVE: ReadonlySet<ChannelKind> = new Set(["cyan", "magenta", "yellow"]);
/** Narrower ranges are steps, not amounts. */
const LEAST_LEVEL_VALUES = 16;
const MIDDLE = 128;

/** The channel as the renderer takes it, with a default that is safe whatever else happens. */
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
  // On or off, and nothing between; or nothing we know how to dim.
  if (!open) return { kind: "effect", head, default: restOf(described) };
  const value = valueIn(open);
  return { kind, head, default: closed ?? 0, range: { from: value, to: value }, closed: closed ?? 0 };
}

/** The range an amount is written to: what says it is one, or else the widest that says nothing. */
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
  // What can stop is a motor that turns by itself, not a place to go to.
  const isMotor = ranges.some(({ does }) => does === "nothing" || does === "stop");
  if (!level || isMotor) return { kind: "effect", head, default: restOf(described) };
  const { from, to } = level;
  return { kind, head, default: (from + to) >> 1, range: { from, to } };
}

/** Driven only where the file says which end is which. */
function zoomChannel(described: DescribedChannel, head: number): FixtureChannel {
  const [widest] = described.ranges
    .filter(({ widens, from, to }) => widens !== undefined && to - from >= LEAST_LEVEL_VALUES)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (!widest) return { kind: "zoom", head, default: middleOf(described) };
  const { from, to, widens } = widest;
  const range = widens ? { from, to } : { from: to, to: from };
  return { kind: "zoom", head, default: (from + to + 1) >> 1, range };
}

/** Most gobos that are kept of a wheel. */
const MOST_GOBOS = 64;

/** The values by which a show puts something into the beam. */
function inBeamOf({ kind, ranges }: DescribedChannel): Pick<FixtureChannel, "gobos" | "on"> {
  const values = ranges.flatMap(({ inBeam }) => inBeam ?? []);
  if (values.length === 0) return {};
  if (kind === "gobo") return { gobos: values.slice(0, MOST_GOBOS) };
  // Of several places of a frost the last is the strongest; of prisms and turns the first will do.
  return { on: kind === "frost" ? values.at(-1)! : values[0]! };
}

/** What makes haze, or blows it: at rest, with the value for all of it as the end of its range where that is not 255. */
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

/** A value that lets light through; the slowest strobe where a lamp has nothing else. Undefined: this is no shutter. */
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
  // A macro at "white" would cover what the lamp mixes itself; a wheel has no other way to be out of the way.
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

/** 1 for white: how much of its strongest channel the weakest has. */
function whiteness(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return Math.min(...channels) / Math.max(1, ...channels);
}

/** A beam neither wide nor narrow. */
function middleOf(described: DescribedChannel): number {
  if (described.ranges.length === 0) return MIDDLE;
  const level = levelOf(described.ranges);
  return level ? (level.from + level.to + 1) >> 1 : restOf(described);
}

/** What light goes through: it rests where the light passes, whatever a file's own default shows. */
const PASSED: ReadonlySet<ChannelKind> = new Set<ChannelKind>([
  "colorWheel",
  "colorMacro",
  "gobo",
  "prism",
  "iris",
  "frost",
]);

/**
 * Where a channel rests for good. Open goes before what says that it has no function, and that before what stops, which
 * leaves a wheel wherever it was. What a file names as default is for channels that no light goes through. Lamps, resets,
 * programs and strobes are not entered while there is anything else.
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

/** The first range of the first of these kinds there is. */
function firstOf(ranges: readonly ChannelRange[], kinds: readonly Does[]): ChannelRange | undefined {
  for (const kind of kinds) {
    const found = ranges.find(({ does }) => does === kind);
    if (found) return found;
  }
  return undefined;
}

/** A value no range names. */
function freeValue(ranges: readonly ChannelRange[]): number | undefined {
  for (let value = 0; value < 256; value++) {
    if (!ranges.some(({ from, to }) => value >= from && value <= to)) return value;
  }
  return undefined;
}

/** A value well inside of a range: an end of the scale where the range reaches it, the middle elsewhere. */
export function valueIn({ from, to }: ChannelRange): number {
  if (from === 0) return 0;
  return to === 255 ? 255 : (from + to) >> 1;
}
