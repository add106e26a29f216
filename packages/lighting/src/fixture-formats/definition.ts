import type { ChannelKind, FixtureChannel, FixtureDefinition, FixtureMode } from "@followspot/contract";
import { followsOf } from "../driven.ts";
import { channelOf, hazeChannel, type DescribedChannel, type PlacedChannel } from "./channel-of.ts";
import { pairedKinds } from "./fine-kinds.ts";
import { cleanName, FIXTURE_LIMITS, refuse } from "./limits.ts";
import { physicalOf, type DescribedBody } from "./physical.ts";
import { separateMacros, SUBSTITUTES } from "./substitutes.ts";

export type FixtureFormat = "qlc" | "ofl" | "gdtf";

/** A fixture as a file describes it, independent of the format. */
export interface DescribedFixture {
  readonly format: FixtureFormat;
  readonly manufacturer: string;
  readonly model: string;
  readonly type: string;
  readonly modes: readonly {
    readonly name: string;
    readonly channels: readonly PlacedChannel[];
    readonly body?: DescribedBody | undefined;
    /** Positions of the heads of a matrix. */
    readonly pixels?: FixtureMode["pixels"];
  }[];
}

/**
 * Converts a described fixture to a definition: names cleaned, limits checked, one representation for all formats.
 *
 * @throws FixtureFileError
 */
export function definitionOf(fixture: DescribedFixture): FixtureDefinition {
  const manufacturer = cleanName(fixture.manufacturer) || "Unknown";
  const model = cleanName(fixture.model);
  if (model === "") refuse("The file names no model.");
  if (fixture.modes.length > FIXTURE_LIMITS.modes) refuse(`The fixture has more than ${FIXTURE_LIMITS.modes} modes.`);
  const names = new Set<string>();
  let channels = 0;
  let bytes = 0;
  const modes = fixture.modes
    .filter((mode) => mode.channels.length > 0)
    .map((mode, i): FixtureMode => {
      const name = uniqueName(cleanName(mode.name) || `Mode ${i + 1}`, names);
      channels += mode.channels.length;
      if (mode.channels.length > FIXTURE_LIMITS.channels) {
        refuse(`The mode ${name} has ${mode.channels.length} channels; a universe has ${FIXTURE_LIMITS.channels}.`);
      }
      if (channels > FIXTURE_LIMITS.allChannels) refuse("The fixture has too many channels in all of its modes.");
      const made = arrange(mode.channels, fixture.type);
      bytes += made.reduce((sum, { slots = [], gobos = [] }) => sum + 100 + 40 * slots.length + 4 * gobos.length, 0);
      if (bytes > FIXTURE_LIMITS.definitionBytes) refuse("The fixture has too many modes and wheel positions.");
      return { name, channels: made, ...physicalOf(mode.channels, mode.body), ...pixelsIn(made, mode.pixels) };
    });
  if (modes.length === 0) refuse("The fixture has no mode with channels.");
  const name = `${manufacturer} ${model}`;
  return { key: keyOf(fixture.format, manufacturer, model), manufacturer, model, name, type: fixture.type, modes };
}

/** Returns the positions of a mode's heads; none if some of the heads are rows or halves of the matrix. */
function pixelsIn(
  channels: readonly FixtureChannel[],
  pixels: FixtureMode["pixels"] = [],
): Pick<FixtureMode, "pixels"> {
  const heads = new Set(channels.map(({ head }) => head).filter((head) => head > 0));
  const own = pixels.filter(({ head }) => heads.has(head));
  return own.length > 0 && own.length === heads.size ? { pixels: own } : {};
}

/**
 * Returns the key of a fixture type: the same for every file about it. It consists of manufacturer, model and format;
 * the light table shows the first two and splits a type at its underscores.
 */
export function keyOf(format: string, manufacturer: string, model: string): string {
  return `${slug(manufacturer)}_${slug(model)}_${format}`;
}

/** Removes the word separators of a key, which programs set differently: "LED Par 56", "LED-PAR56". */
export const compactKey = (key: string): string => key.replaceAll("-", "");

function slug(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.replaceAll("+", " plus ").replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return words.replaceAll(/^-+|-+$/g, "").slice(0, 80) || "x";
}

function uniqueName(name: string, names: Set<string>): string {
  let unique = name;
  for (let n = 2; names.has(unique); n++) unique = `${name} (${n})`;
  names.add(unique);
  return unique;
}

function arrange(placed: readonly PlacedChannel[], type: string): FixtureChannel[] {
  if (type === "laser") return placed.map(({ channel }) => atRest(channel, "laser"));
  if (type === "hazer") return arrangeHazer(placed.map(({ channel }) => channel));
  const plain = separateMacros(separateDimmers(withDimmers(paired(placed))));
  const channelsFrom = (read: readonly PlacedChannel[]) =>
    withoutLoneFine(read.map(({ channel, head }) => channelOf(channel, head)));
  const dims = (channels: FixtureChannel[]) => followsOf({ name: "", channels }) === "light";
  const first = channelsFrom(plain);
  if (dims(first)) return first;
  return SUBSTITUTES.map((substitute) => channelsFrom(substitute(plain))).find(dims) ?? first;
}

/** Pairs every fine channel with its coarse one. */
function paired(placed: readonly PlacedChannel[]): readonly PlacedChannel[] {
  const kinds = pairedKinds(placed.map(({ channel, head }) => ({ kind: channel.kind, head })));
  return placed.map(({ channel, head }, i) => ({ channel: { ...channel, kind: kinds[i]! }, head }));
}

/** Removes the function of fine channels whose coarse channel was read as another kind. */
function withoutLoneFine(channels: readonly FixtureChannel[]): FixtureChannel[] {
  const kinds = pairedKinds(channels);
  return channels.map((channel, i) => (kinds[i] === channel.kind ? channel : { ...channel, kind: "noFunction" }));
}

/** Returns a channel that is never driven. */
const atRest = (channel: DescribedChannel, kind: ChannelKind): FixtureChannel => ({
  ...channelOf({ ...channel, kind: "effect" }, 0),
  kind,
});

/**
 * Arranges the channels of a hazer. Haze and fan are driven from the desk, and by shows if an Admin has allowed it.
 * Heaters, timers and programs rest. If the file does not specify what makes the haze, everything rests.
 */
function arrangeHazer(channels: readonly DescribedChannel[]): FixtureChannel[] {
  const makesHaze = ({ kind }: DescribedChannel) => kind === "fog" || kind === "intensity";
  const made = channels.map((channel) => {
    if (makesHaze(channel)) return hazeChannel({ ...channel, kind: "fog" }, 0);
    return channel.kind === "fan" ? hazeChannel(channel, 0) : atRest(channel, "effect");
  });
  if (made.some(({ kind }) => kind === "fog")) return made;
  return channels.map((channel) => {
    const still = atRest(channel, "fog");
    return { ...still, range: { from: still.default, to: still.default } };
  });
}

/** Treats a shutter that dims as the dimmer of a fixture that has no other. */
function withDimmers(placed: readonly PlacedChannel[]): readonly PlacedChannel[] {
  const dimmed = new Set(placed.filter(({ channel }) => channel.kind === "intensity").map(({ head }) => head));
  return placed.map((one): PlacedChannel => {
    const dims = one.channel.kind === "shutter" && one.channel.ranges.some(({ does }) => does === "level");
    if (!dims || dimmed.has(one.head) || dimmed.has(0)) return one;
    dimmed.add(one.head);
    return { ...one, channel: { ...one.channel, kind: "intensity" } };
  });
}

/**
 * Separates several dimmers. Those of a dimmer pack become heads of their own. A master above others is only opened,
 * because it would dim the light twice.
 */
function separateDimmers(placed: readonly PlacedChannel[]): readonly PlacedChannel[] {
  const dimmers = placed.filter(({ channel }) => channel.kind === "intensity" && !channel.isMaster);
  const masters = placed.filter(({ channel, head }) => channel.isMaster && head === 0);
  const isPack =
    dimmers.length > 1 &&
    placed.every(({ channel, head }) => head === 0 && !COLOUR_OR_MOVE.has(channel.kind)) &&
    dimmers.every(({ channel }) => channel.ranges.length < 2);
  let nth = 0;
  return placed.map((one, i): PlacedChannel => {
    const isFineOfPack = isPack && one.channel.kind === "intensityFine";
    if (isFineOfPack && placed[i - 1]?.channel.kind === "intensity") return { ...one, head: nth };
    if (one.channel.kind !== "intensity") return one;
    if (isPack) return one.channel.isMaster ? one : { ...one, head: ++nth };
    const isAbove = masters.includes(one) && dimmers.some(({ head }) => head === 0);
    return isAbove ? { ...one, channel: { ...one.channel, ranges: GATE } } : one;
  });
}

/** Fully open or closed. */
const GATE = [
  { from: 0, to: 0, does: "closed" },
  { from: 255, to: 255, does: "open" },
] as const;

const COLOUR_OR_MOVE: ReadonlySet<string> = new Set([
  ...["red", "green", "blue", "white", "warmWhite", "coolWhite", "amber", "uv", "lime", "cyan", "magenta", "yellow"],
  ...["hue", "colorWheel", "colorMacro", "pan", "tilt"],
]);
