import { slotOf, UNIVERSE_SLOTS, type ChannelKind, type FixtureChannel, type FixtureMode, type Rig, type RigLight } from "@followspot/contract"; // prettier-ignore
import { headsOf, wheelChannelOf, WRITE } from "../bytes.ts";
import { fullBrightness, linearOfHex } from "../color.ts";
import { opticChannelOf } from "../optics.ts";
import type { Frame } from "../render-frame.ts";
import { litHeads } from "../resolve-targets.ts";
import { aimBeam, darkBeams, type LampBeams, type LitBeams } from "./lamp-beams.ts";

/*
 * Converts bytes to light as a fixture does: dimmer and shutter pass what its emitters, filters or wheel make. It uses
 * only the channels of a mode and is independent of how shows write them.
 */

/** A value of a fixture, read from one or two slots. */
interface Reading {
  readonly slot: number;
  /** Slot of the fine byte; -1 for an 8-bit value. */
  readonly fine: number;
  /** Values for none and for full. */
  readonly from: number;
  readonly to: number;
  /** Value that is dark whatever the range; -1 for none. */
  readonly closed: number;
  readonly isSquare: boolean;
}

/** An emitter with its color: linear, strongest channel 1. */
interface Emitter extends Reading {
  readonly color: readonly [r: number, g: number, b: number];
}

/** A shutter that closes, or the dark position of a wheel. */
interface Gate {
  readonly slot: number;
  readonly closed: number;
}

interface Wheel {
  readonly slot: number;
  readonly values: Uint8Array;
  /** r, g, b of each position. */
  readonly colors: Float32Array;
}

/** A gobo wheel: the value of each gobo, and the channel that rotates them. */
interface GoboWheel {
  readonly slot: number;
  readonly values: readonly number[];
  readonly turn: { readonly slot: number; readonly on: number } | undefined;
}

interface PlacedChannel {
  readonly channel: FixtureChannel;
  /** Slot in its universe. */
  readonly slot: number;
}

/** Channels that one head is read from. */
interface HeadReading {
  readonly universe: number;
  /** Dimmers of the head, and of the bar that it is part of. */
  readonly dimmers: readonly Reading[];
  readonly sharedDimmers: readonly Reading[];
  readonly gates: readonly Gate[];
  /** Whether the head emits light without emitter channels, whenever dimmer and shutter pass it. */
  readonly isLamp: boolean;
  /** Emitters whose light adds up. */
  readonly mixed: readonly Emitter[];
  /** White emitters. Only the strongest counts, in addition to the mixed ones. */
  readonly whites: readonly Emitter[];
  /** Emitters with a purer color than a screen can show. They are visible when the others are dark. */
  readonly others: readonly Emitter[];
  /** Filters on red, green and blue; each gives the light that it passes. */
  readonly filters: readonly (Reading | undefined)[];
  readonly hue: Reading | undefined;
  readonly saturation: Reading | undefined;
  readonly wheel: Wheel | undefined;
  readonly gobos: GoboWheel | undefined;
  readonly pan: Reading | undefined;
  readonly tilt: Reading | undefined;
  readonly zoom: Reading | undefined;
  readonly invertPan: boolean;
  readonly invertTilt: boolean;
  readonly swap: boolean;
}

const WHITE = [1, 1, 1] as const;
/** Colors of emitters as they look beside white. */
const COLORS = {
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0, 1],
  white: WHITE,
  coolWhite: WHITE,
  warmWhite: [1, 0.72, 0.42],
  amber: [1, 0.22, 0],
  lime: [0.6, 1, 0.1],
  uv: [0.25, 0, 1],
  indigo: [0.25, 0, 1],
} as const satisfies Partial<Record<ChannelKind, Emitter["color"]>>;
const PRIMARIES = ["red", "green", "blue"] as const;
const WHITES = ["white", "coolWhite", "warmWhite"] as const;
const OTHERS = ["amber", "lime", "uv", "indigo"] as const;
const FILTERS = ["cyan", "magenta", "yellow"] as const;

/**
 * Returns the beams of a rig as lit by the slots of its universes. If a universe is missing, its fixtures are dark and
 * keep their last position.
 *
 * @param frame read at every call, so that it shows what its owner writes
 */
export function litByBytes(rig: Rig, frame: Frame): LitBeams {
  const heads = rig.lights
    .filter(({ enabled, address, mode }) => enabled && slotOf(address) + mode.channels.length <= UNIVERSE_SLOTS)
    .flatMap(litHeads);
  const beams = darkBeams(
    {
      headCount: heads.length,
      lightIds: Int32Array.from(heads, ({ light }) => light.id),
      headNumbers: Int32Array.from(heads, ({ head }) => head),
    },
    rig,
  );
  const readings = heads.map(({ light, head }) => readingOf(light, head));
  return {
    beams,
    light: () => {
      for (let h = 0; h < readings.length; h++) {
        const slots = frame.get(readings[h]!.universe);
        if (slots) readHead(beams, h, readings[h]!, slots);
        else beams.colors.fill(0, 3 * h, 3 * h + 3);
      }
    },
  };
}

function readingOf(light: RigLight, head: number): HeadReading {
  const { mode, aim } = light;
  const first = slotOf(light.address);
  const isShared = head !== 0 && !headsOf(mode).includes(0);
  const all: readonly PlacedChannel[] = mode.channels.map((channel, i) => ({ channel, slot: first + i }));
  const own = all.filter(({ channel }) => channel.head === head);
  const shared = isShared ? all.filter(({ channel }) => channel.head === 0) : [];
  const reach = [...own, ...shared];
  const read = (of: readonly PlacedChannel[], kind: ChannelKind): Reading[] =>
    of.filter(({ channel }) => channel.kind === kind).map((placed) => readingOfChannel(placed, all));
  const emit = (kinds: readonly (keyof typeof COLORS)[]): Emitter[] =>
    kinds.flatMap((kind) => read(reach, kind).map((reading) => ({ ...reading, color: COLORS[kind] })));
  const body = (kind: ChannelKind) => read(own, kind)[0] ?? read(all, kind)[0];

  const mixed = emit(PRIMARIES);
  const hasRgb = PRIMARIES.every((kind) => reach.some(({ channel }) => channel.kind === kind));
  const filters = mixed.length > 0 ? [] : FILTERS.map((kind) => read(reach, kind)[0]);
  const wheel = reach.find(({ channel }) => channel === wheelChannelOf(mode, head));
  const isColoured = mixed.length > 0 || filters.some(Boolean) || reach.some(({ channel }) => channel.kind === "hue");
  const others = emit(hasRgb ? OTHERS : [...WHITES, ...OTHERS]);
  return {
    universe: light.universe,
    dimmers: read(own, "intensity"),
    sharedDimmers: read(shared, "intensity"),
    gates: reach.flatMap(({ channel, slot }) => gatesOf(channel, slot, channel === wheel?.channel)),
    isLamp: mixed.length === 0 && (isColoured || wheel !== undefined || others.length === 0),
    mixed,
    whites: hasRgb ? emit(WHITES) : [],
    others,
    filters,
    hue: mixed.length === 0 && !filters.some(Boolean) ? read(reach, "hue")[0] : undefined,
    saturation: read(reach, "saturation")[0],
    wheel: wheel && wheelOf(wheel.channel, wheel.slot),
    gobos: gobosOf(mode, head, first),
    pan: body("pan"),
    tilt: body("tilt"),
    zoom: all.some(({ channel }) => channel.kind === "zoom" && channel.range) ? body("zoom") : undefined,
    invertPan: aim?.invertPan ?? false,
    invertTilt: aim?.invertTilt ?? false,
    swap: aim?.swap ?? false,
  };
}

function readingOfChannel(
  { channel: { kind, head, range, closed, curve }, slot }: PlacedChannel,
  all: readonly PlacedChannel[],
): Reading {
  const { from, to } = range ?? { from: 0, to: 255 };
  const isWhole = Math.min(from, to) === 0 && Math.max(from, to) === 255;
  const low = isWhole ? all.find(({ channel }) => channel.kind === `${kind}Fine` && channel.head === head) : undefined;
  const turns = kind === "pan" || kind === "tilt";
  return {
    slot,
    fine: low?.slot ?? -1,
    from: turns && isWhole ? 0 : from,
    to: turns && isWhole ? 255 : to,
    closed: low || turns || kind === "zoom" ? -1 : (closed ?? -1),
    isSquare: curve === "square",
  };
}

function gatesOf({ kind, closed, default: rest, open = rest }: FixtureChannel, slot: number, isWheel: boolean): Gate[] {
  if (isWheel) return closed === undefined ? [] : [{ slot, closed }];
  if (kind !== "shutter") return [];
  const shut = closed ?? rest;
  return shut === open ? [] : [{ slot, closed: shut }];
}

function wheelOf({ slots = [] }: FixtureChannel, slot: number): Wheel {
  return {
    slot,
    values: Uint8Array.from(slots, ({ value }) => value),
    colors: Float32Array.from(
      slots.flatMap(({ color }) => {
        const { r, g, b } = fullBrightness(linearOfHex(color));
        return [r, g, b];
      }),
    ),
  };
}

function gobosOf(mode: FixtureMode, head: number, first: number): GoboWheel | undefined {
  const wheel = opticChannelOf(mode, head, WRITE.gobo);
  const turn = opticChannelOf(mode, head, WRITE.goboRotation);
  const slotIn = (channel: FixtureChannel) => first + mode.channels.indexOf(channel);
  return (
    wheel && {
      slot: slotIn(wheel),
      values: wheel.gobos!,
      turn: turn && { slot: slotIn(turn), on: turn.on! },
    }
  );
}

/** Scratch: red, green and blue of the head being read. */
const LIGHT = new Float64Array(3);

function readHead(beams: LampBeams, h: number, reading: HeadReading, slots: Uint8Array): void {
  const dim = isOpen(reading.gates, slots) ? least(reading.dimmers, slots) * least(reading.sharedDimmers, slots) : 0;
  if (dim > 0) setLight(reading, slots);
  for (let c = 0; c < 3; c++) beams.colors[3 * h + c] = dim > 0 ? dim * Math.min(1, LIGHT[c]!) : 0;
  readGobo(beams, h, reading, slots);
  readAim(beams, h, reading, slots);
}

/** A value that is not a gobo counts as open. */
function readGobo(beams: LampBeams, h: number, { gobos }: HeadReading, slots: Uint8Array): void {
  if (!gobos) return;
  beams.gobos[h] = gobos.values.indexOf(slots[gobos.slot]!) + 1;
  beams.goboTurns[h] = gobos.turn && slots[gobos.turn.slot] === gobos.turn.on ? 1 : 0;
}

function setLight(
  { isLamp, mixed, whites, others, filters, hue, saturation, wheel }: HeadReading,
  slots: Uint8Array,
): void {
  LIGHT.fill(isLamp ? 1 : 0);
  for (let i = 0; i < mixed.length; i++) add(mixed[i]!, valueOf(mixed[i]!, slots));
  addWhitest(whites, slots);
  for (let c = 0; c < filters.length; c++) {
    const filter = filters[c];
    if (filter) LIGHT[c] = LIGHT[c]! * (1 - valueOf(filter, slots));
  }
  if (hue) setHue(valueOf(hue, slots), saturation ? valueOf(saturation, slots) : 1);
  if (wheel) passWheel(wheel, slots);
  for (let i = 0; i < others.length; i++) show(others[i]!, valueOf(others[i]!, slots));
}

function add({ color }: Emitter, value: number): void {
  for (let c = 0; c < 3; c++) LIGHT[c] = LIGHT[c]! + value * color[c]!;
}

function show({ color }: Emitter, value: number): void {
  for (let c = 0; c < 3; c++) LIGHT[c] = Math.max(LIGHT[c]!, value * color[c]!);
}

/** Adds the strongest white. Several kinds of white are alternatives for the same light. */
function addWhitest(whites: readonly Emitter[], slots: Uint8Array): void {
  let best = 0;
  for (let i = 1; i < whites.length; i++) if (valueOf(whites[i]!, slots) > valueOf(whites[best]!, slots)) best = i;
  const white = whites[best];
  if (white) add(white, valueOf(white, slots));
}

/** Sets the pure color of a hue, mixed with white according to the saturation. */
function setHue(hue: number, saturation: number): void {
  for (let c = 0; c < 3; c++) {
    // Distance of the hue from red, green or blue, in sixths of the circle.
    const away = Math.abs(((6 * hue - 2 * c + 9) % 6) - 3);
    const pure = Math.min(1, Math.max(0, 2 - away));
    LIGHT[c] = 1 - saturation * (1 - pure);
  }
}

/** Filters the light by the wheel position that is nearest to the value. */
function passWheel({ slot, values, colors }: Wheel, slots: Uint8Array): void {
  const value = slots[slot]!;
  let at = 0;
  for (let i = 1; i < values.length; i++) if (Math.abs(values[i]! - value) < Math.abs(values[at]! - value)) at = i;
  for (let c = 0; c < 3; c++) LIGHT[c] = LIGHT[c]! * colors[3 * at + c]!;
}

/** Reverses the mapping of the aim: channels are swapped, then inverted. */
function readAim(beams: LampBeams, h: number, reading: HeadReading, slots: Uint8Array): void {
  const { pan, tilt, zoom, invertPan, invertTilt, swap } = reading;
  const acrossChannel = pan ? turned(valueOf(pan, slots), invertPan) : 0.5;
  const upChannel = tilt ? turned(valueOf(tilt, slots), invertTilt) : 0.5;
  aimBeam(
    beams,
    h,
    swap ? upChannel : acrossChannel,
    swap ? acrossChannel : upChannel,
    zoom ? valueOf(zoom, slots) : 0.5,
  );
}

const turned = (value: number, isInverted: boolean): number => (isInverted ? 1 - value : value);

function isOpen(gates: readonly Gate[], slots: Uint8Array): boolean {
  for (let i = 0; i < gates.length; i++) if (slots[gates[i]!.slot] === gates[i]!.closed) return false;
  return true;
}

/** Returns the lowest of several dimmers; 1 without any. */
function least(dimmers: readonly Reading[], slots: Uint8Array): number {
  let dim = 1;
  for (let i = 0; i < dimmers.length; i++) dim = Math.min(dim, valueOf(dimmers[i]!, slots));
  return dim;
}

/** Returns the value of a reading, 0..1. */
function valueOf({ slot, fine, from, to, closed, isSquare }: Reading, slots: Uint8Array): number {
  const byte = slots[slot]!;
  if (byte === closed) return 0;
  if (from === to) return 1;
  const share = fine < 0 ? (byte - from) / (to - from) : (256 * byte + slots[fine]!) / 65535;
  const value = Math.min(1, Math.max(0, fine >= 0 && from > to ? 1 - share : share));
  return isSquare ? value * value : value;
}
