import type { ChannelKind } from "@followspot/contract";
import type { ChannelRange, DescribedChannel, PlacedChannel } from "./channel-of.ts";
import type { Does } from "./words.ts";

type Placed = readonly PlacedChannel[];

/**
 * Alternative interpretations, best first, for a mode without dimmer, emitters or closing shutter. Its light then comes
 * from a macro with a dark position, a gobo wheel with a closed one, or a value that switches it on.
 */
export const SUBSTITUTES: readonly ((placed: Placed) => Placed)[] = [macros, gobos, switches, (placed) => steady(macros(placed))]; // prettier-ignore

const DARK: readonly Does[] = ["closed", "nothing"];

const hasDark = ({ ranges }: DescribedChannel): boolean => ranges.some(({ does }) => DARK.includes(does));
const coloursOf = (ranges: readonly ChannelRange[]) => new Set(ranges.flatMap(({ color }) => color ?? []));

/** Treats program channels with colors and a dark position as color macros. */
function macros(placed: Placed): Placed {
  return separateMacros(placed.map((one) => (isMacro(one.channel) ? { ...one, channel: asMacro(one.channel) } : one)));
}

/** Turns separate color macros, each with a closed position, into heads of their own. */
export function separateMacros(placed: Placed): Placed {
  const own = placed.filter(
    ({ channel }) => channel.kind === "colorMacro" && isMacro(channel) && has(channel, "closed"),
  );
  const isPlain = ({ channel, head }: PlacedChannel) =>
    head === 0 && !MIXES.has(channel.kind) && !(channel.kind === "shutter" && has(channel, "closed"));
  if (own.length < 2 || !placed.every(isPlain)) return placed;
  return placed.map((one) => (own.includes(one) ? { ...one, head: own.indexOf(one) + 1 } : one));
}

const MIXES: ReadonlySet<ChannelKind> = new Set<ChannelKind>([
  ...["intensity", "red", "green", "blue", "white", "amber", "uv", "cyan", "magenta", "yellow", "hue"],
] as ChannelKind[]);

const has = ({ ranges }: DescribedChannel, wanted: Does): boolean => ranges.some(({ does }) => does === wanted);

const MACROS: ReadonlySet<ChannelKind> = new Set<ChannelKind>(["colorMacro", "program"]);

const isMacro = (channel: DescribedChannel): boolean =>
  MACROS.has(channel.kind) && hasDark(channel) && coloursOf(channel.ranges).size > 1;

function asMacro({ ranges, ...channel }: DescribedChannel): DescribedChannel {
  const dark = ranges.find(({ does }) => does === "closed") ?? ranges.find(({ does }) => does === "nothing");
  const read = ranges.map((range): ChannelRange => {
    if (range === dark) return { ...range, does: "closed" };
    return range.does === "other" && range.color ? { ...range, does: "color" } : range;
  });
  return { ...channel, kind: "colorMacro", ranges: read };
}

/** Treats a gobo wheel with a closed position as the shutter. */
function gobos(placed: Placed): Placed {
  return withFirst(placed, (channel) =>
    channel.kind === "gobo" && has(channel, "closed") && has(channel, "open") ? channel.ranges : undefined,
  );
}

/** Treats a program channel with an on and an off position as the shutter. */
function switches(placed: Placed): Placed {
  return withFirst(placed, (channel) => {
    if (!MACROS.has(channel.kind) || !hasDark(channel)) return undefined;
    return has(channel, "open") ? closing(channel.ranges) : undefined;
  });
}

/** Treats a macro with a steady look and a dark position as the shutter. */
function steady(placed: Placed): Placed {
  return withFirst(placed, (channel) => {
    if (!MACROS.has(channel.kind) || !hasDark(channel)) return undefined;
    const look = channel.ranges.find(({ does, isSteady }) => isSteady && (does === "color" || does === "other"));
    if (!look) return undefined;
    return closing(channel.ranges).map((range) =>
      range.from === look.from
        ? { ...range, does: "open" }
        : range.does === "open"
          ? { ...range, does: "other" }
          : range,
    );
  });
}

function closing(ranges: readonly ChannelRange[]): readonly ChannelRange[] {
  if (ranges.some(({ does }) => does === "closed")) return ranges;
  return ranges.map((range) => (range.does === "nothing" ? { ...range, does: "closed" } : range));
}

/** Turns the first suitable channel into a shutter. @param rangesOf ranges of the shutter; undefined if unsuitable */
function withFirst(
  placed: Placed,
  rangesOf: (channel: DescribedChannel) => readonly ChannelRange[] | undefined,
): Placed {
  for (const [i, one] of placed.entries()) {
    const ranges = rangesOf(one.channel);
    if (ranges) return placed.with(i, { ...one, channel: { ...one.channel, kind: "shutter", ranges } });
  }
  return placed;
}
