import { slotOf, type ChannelKind, type FixtureChannel, type FixtureMode, type RigLight } from "@followspot/contract";
import {
  emittersOf,
  isOptic,
  isSubtractive,
  makesHaze,
  PART,
  wheelChannelOf,
  WRITE,
  writeOf,
  type Emitters,
  type Part,
  type Write,
} from "./bytes.ts";
import type { ChannelWrite } from "./compiled-show.ts";
import { USE, useOf } from "./haze.ts";
import { coarseKindOf } from "./fixture-formats/fine-kinds.ts";
import { opticWriteOf } from "./optics.ts";

/** A head of a fixture: its number in the fixture and its index in the show. */
interface OwnHead {
  readonly head: number;
  readonly index: number;
}

/** Channels that all heads of one fixture body share. */
const OF_BODY: ReadonlySet<ChannelKind> = new Set<ChannelKind>([
  ...["pan", "panFine", "tilt", "tiltFine", "zoom", "gobo", "goboRotation", "prism", "frost"],
] as ChannelKind[]);
const WHITES: ReadonlySet<Write> = new Set([WRITE.white, WRITE.warmWhite, WRITE.amber, WRITE.lime]);

/** Returns what each channel of a fixture is written from, in slot order. */
export function writesOf(light: RigLight, own: readonly OwnHead[]): ChannelWrite[] {
  const known = new Map<number, Emitters>();
  const emitters = (head: number) => {
    const found = known.get(head) ?? emittersOf(light.mode, head);
    known.set(head, found);
    return found;
  };
  return light.mode.channels.map((channel, i) => ({
    universe: light.universe,
    slot: slotOf(light.address) + i,
    ...writeOfChannel(light.mode, channel, own, emitters(channel.head)),
    ...hazeOf(light, channel),
  }));
}

function writeOfChannel(
  mode: FixtureMode,
  channel: FixtureChannel,
  own: readonly OwnHead[],
  emitters: Emitters,
): Omit<ChannelWrite, "universe" | "slot"> {
  const kind = coarseKindOf(channel.kind) ?? channel.kind;
  const isFine = kind !== channel.kind;
  const isBody = OF_BODY.has(kind) && own.length > 0;
  const head = own.find((h) => h.head === channel.head)?.index ?? (isBody ? own[0]!.index : -1);
  const hasOwn = (wanted: ChannelKind) => mode.channels.some((c) => c.kind === wanted && c.head === channel.head);
  const isGate = kind === "intensity" || kind === "shutter";
  const isShared = head < 0 && own.length > 0 && isGate;
  const isLit = isGate && own.length > 0;
  const turned = wheelOfBar(mode, channel, own);
  const wheelHead = turned?.index ?? -1;
  const write = turned
    ? WRITE.wheel
    : isShared
      ? WRITE.shared
      : head < 0
        ? WRITE.constant
        : writeFor(mode, channel, emitters);
  const { from, to } = scaleOf(channel, write);
  const open = kind === "shutter" ? (channel.open ?? channel.default) : isFine ? 255 : to;
  return {
    write,
    head: turned ? wheelHead : head,
    sharedBy: isShared ? own.map((h) => h.index) : [],
    value: isLit ? open : channel.default,
    closed: channel.closed ?? (kind === "shutter" ? channel.default : write === WRITE.shared ? 0 : from),
    hasDimmer: hasOwn("intensity"),
    drawsWhite: emitters.hasWhite && emitters.hasRgb,
    part: partOf(mode, channel),
    from,
    to,
    isSquare: channel.curve === "square",
    slotValues: Uint8Array.from(valuesOf(channel)),
    closes: channel.closed !== undefined && !hasOwn("intensity") && !hasClosing(mode, channel.head),
    hazeUse: USE.none,
  };
}

/** Returns the values of the slots of a color or gobo wheel. */
const valuesOf = ({ kind, slots = [], gobos = [] }: FixtureChannel): readonly number[] =>
  kind === "gobo" ? gobos : slots.map(({ value }) => value);

/** Scales haze from rest to maximum, even if the channel has another function below its range. */
function hazeOf({ mode, hazeInShows }: RigLight, channel: FixtureChannel): Partial<ChannelWrite> {
  if (!makesHaze(mode, channel)) return {};
  const value = channel.range?.to ?? 255;
  return { write: WRITE.haze, head: -1, value, closed: channel.default, hazeUse: useOf(hazeInShows) };
}

/** Whether a head has a shutter that closes. Many shutters only strobe. */
const hasClosing = (mode: FixtureMode, head: number): boolean =>
  mode.channels.some(
    (c) => c.kind === "shutter" && c.head === head && (c.closed ?? c.default) !== (c.open ?? c.default),
  );

/** Returns the head whose color a wheel shows. A wheel in front of several heads follows the first. */
function wheelOfBar(mode: FixtureMode, channel: FixtureChannel, own: readonly OwnHead[]): OwnHead | undefined {
  if (channel.slots === undefined) return undefined;
  return own.find(({ head }) => wheelChannelOf(mode, head) === channel);
}

function writeFor(mode: FixtureMode, channel: FixtureChannel, { isOneColour, hasRgb, hasCmy }: Emitters): Write {
  const optic = opticWriteOf(mode, channel);
  if (optic !== undefined) return optic;
  const write = writeOf(coarseKindOf(channel.kind) ?? channel.kind);
  if (write === WRITE.zoom) return channel.range ? write : WRITE.constant;
  if (write === WRITE.hue || write === WRITE.saturation) return hasRgb || hasCmy ? WRITE.constant : write;
  if (!isOneColour) return write;
  const isAlone = !mode.channels.some((c) => c.head === channel.head && WHITES.has(writeOf(c.kind)));
  return WHITES.has(write) || (write === WRITE.uv && isAlone) ? WRITE.only : write;
}

/**
 * Returns the values for no light and full light, or for an open beam and the optic. Subtractive colors are given by
 * their filter.
 */
function scaleOf(channel: FixtureChannel, write: Write): { readonly from: number; readonly to: number } {
  if (isOptic(write)) return { from: channel.default, to: channel.on ?? channel.default };
  const scale = channel.range ?? { from: 0, to: 255 };
  return isSubtractive(write) ? { from: scale.to, to: scale.from } : scale;
}

/** Uses 16 bits if the mode has both bytes and the range is complete. */
function partOf(mode: FixtureMode, { kind, head, range }: FixtureChannel): Part {
  const coarse = coarseKindOf(kind);
  if (coarse) return PART.fine;
  const isWhole = !range || (range.from % 255 === 0 && range.to % 255 === 0);
  if (kind === "pan" || kind === "tilt") return isWhole ? PART.coarse : PART.whole;
  const hasFine = mode.channels.some((c) => c.head === head && coarseKindOf(c.kind) === kind);
  return hasFine && isWhole ? PART.coarse : PART.whole;
}
