import type { ChannelKind } from "@followspot/contract";
import type { ChannelRange, DescribedChannel } from "./channel-of.ts";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";
import { withOptics, type WordedRange } from "./optics.ts";
import { colorOf, doesOf, isClear, isOpenGobo, type Does } from "./words.ts";
import { attributeOf, childrenOf, type XmlElement } from "./xml.ts";

/** Slots of each wheel, in order. */
export type GdtfWheels = ReadonlyMap<string, readonly { readonly name: string; readonly color: string | undefined }[]>;

/** Kind of an attribute, and the function of its whole range unless its sets specify another; first match first. */
const ATTRIBUTES: readonly (readonly [RegExp, ChannelKind, Does])[] = [
  [/^Dimmer$/, "intensity", "level"],
  [/^(ColorAdd|ColorRGB)_(R|Red)$/, "red", "level"],
  [/^(ColorAdd|ColorRGB)_(G|Green)$/, "green", "level"],
  [/^(ColorAdd|ColorRGB)_(B|Blue)$/, "blue", "level"],
  [/^ColorAdd_W$/, "white", "level"],
  [/^ColorAdd_WW$/, "warmWhite", "level"],
  [/^ColorAdd_CW$/, "coolWhite", "level"],
  // A yellow LED shines like an amber one; additive cyan, magenta and pink have no kind.
  [/^ColorAdd_(A|RY|Y)$/, "amber", "level"],
  [/^ColorAdd_(L|GY)$/, "lime", "level"],
  [/^ColorAdd_UV$/, "uv", "level"],
  [/^ColorAdd_(BM|I)$/, "indigo", "level"],
  [/^(ColorSub|ColorRGB)_(C|Cyan)$/, "cyan", "level"],
  [/^(ColorSub|ColorRGB)_(M|Magenta)$/, "magenta", "level"],
  [/^(ColorSub|ColorRGB)_(Y|Yellow)$/, "yellow", "level"],
  [/^HSB_Hue$/, "hue", "level"],
  [/^HSB_Saturation$/, "saturation", "level"],
  [/^HSB_Brightness$/, "intensity", "level"],
  [/^Pan$/, "pan", "level"],
  [/^Tilt$/, "tilt", "level"],
  [/^Shutter\d*$/, "shutter", "open"],
  [/^(Shutter\d*Strobe|StrobeFrequency|StrobeMode|StrobeDuration|StrobeRate)/, "shutter", "strobe"],
  [/^Color\d+(WheelIndex)?$/, "colorWheel", "other"],
  [/^Color\d+/, "colorWheel", "other"],
  [/^ColorMacro/, "colorMacro", "other"],
  [/^(CTO|CTC|CTB|Tint)/, "cct", "other"],
  [/^Gobo\d+(WheelIndex)?$/, "gobo", "other"],
  [/^Gobo\d+(Select|Wheel|Pos|Spin|Shake|Rotate)/, "goboRotation", "other"],
  [/^Prism\d*/, "prism", "other"],
  [/^Zoom(\d*|Mode.*)$/, "zoom", "level"],
  [/^Focus\d*(Adjust|Distance)?$/, "focus", "level"],
  [/^Iris$/, "iris", "other"],
  [/^Frost\d*/, "frost", "other"],
  [/^(PositionMSpeed|PanTiltSpeed|.*MSpeed$)/, "panTiltSpeed", "other"],
  [/^(Fog|Haze)\d*/, "fog", "other"],
  [/^(Fan|Blower)/, "fan", "other"],
  [/^(Laser|NoLaser)/i, "laser", "other"],
  [/^Lamp/, "lamp", "machine"],
  [/reset|calibrat/i, "reset", "machine"],
  [/^(Control|Function|FixtureGlobal|Effects|Macro|Video|Display)/, "program", "other"],
  [/^NoFeature$/, "noFunction", "nothing"],
];

/** Reads a channel from its first logical channel: its functions and their sets, in 8 bits. */
export function describeGdtfChannel(element: XmlElement, width: number, wheels: GdtfWheels): DescribedChannel {
  const [logical] = childrenOf(element, "LogicalChannel");
  const functions = logical ? childrenOf(logical, "ChannelFunction") : [];
  if (functions.length > FIXTURE_LIMITS.ranges) refuse("A channel has more than 1024 ranges of values.");
  const main = attributeOf(logical ?? element, "Attribute") ?? "";
  const [kind] = meaningOf(functions, main);
  const starts = functions.map((one) => byteOf(attributeOf(one, "DMXFrom"), width) ?? 0);
  const ranges = functions.flatMap((one, i) => {
    const next = starts.filter((start) => start > starts[i]!);
    const to = next.length > 0 ? Math.min(...next) - 1 : 255;
    return rangesOf(one, starts[i]!, to, width, wheels);
  });
  if (ranges.length > FIXTURE_LIMITS.ranges) refuse("A channel has more than 1024 ranges of values.");
  const [only] = ranges;
  const isPlain =
    ranges.length === 1 && only!.does === "level" && only!.from === 0 && only!.to === 255 && kind !== "zoom";
  return {
    kind,
    ranges: isPlain && !only!.isFalling ? [] : ranges,
    given: defaultOf(element, functions, width),
    ...anglesOf(kind, functions),
  };
}

/**
 * Returns travel and speed of a head, or the beam angles of a zoom, degrees, if a file gives both ends of its function.
 */
function anglesOf(kind: ChannelKind, functions: readonly XmlElement[]): Pick<DescribedChannel, "turns" | "beam"> {
  const words = { pan: /^Pan$/, tilt: /^Tilt$/, zoom: /^Zoom\d*$/ }[kind as "pan" | "tilt" | "zoom"]; // undefined for others
  const own = words && functions.find((one) => words.test(attributeOf(one, "Attribute") ?? ""));
  const ends = own && [attributeOf(own, "PhysicalFrom"), attributeOf(own, "PhysicalTo")].map(Number);
  if (!ends?.every(Number.isFinite)) return {};
  const [from, to] = [ends[0]!, ends[1]!];
  if (kind === "zoom") return { beam: [from, to] };
  const degrees = Math.abs(to - from);
  const seconds = Number(attributeOf(own!, "RealFade"));
  return { turns: { degrees, ...(seconds > 0 && { perSecond: degrees / seconds }) } };
}

function meaningOf(functions: readonly XmlElement[], main: string): readonly [ChannelKind, Does] {
  const attributes = [...functions.map((one) => attributeOf(one, "Attribute") ?? ""), main];
  // A dimmer that strobes at its end is a dimmer; a shutter that resets at its end is a shutter.
  for (const attribute of attributes) {
    const found = ATTRIBUTES.find(([words]) => words.test(attribute));
    if (found && found[2] !== "nothing" && found[2] !== "machine") return [found[1], found[2]];
  }
  const found = ATTRIBUTES.find(([words]) => words.test(main));
  return found ? [found[1], found[2]] : ["effect", "other"];
}

function rangesOf(one: XmlElement, from: number, to: number, width: number, wheels: GdtfWheels): ChannelRange[] {
  const attribute = attributeOf(one, "Attribute") ?? "";
  const [, kind, does] = ATTRIBUTES.find(([words]) => words.test(attribute)) ?? [undefined, "effect", "other" as Does];
  const slots = wheels.get(attributeOf(one, "Wheel") ?? "") ?? [];
  const sets = childrenOf(one, "ChannelSet").slice(0, FIXTURE_LIMITS.ranges);
  const widens = kind === "zoom" ? widensIn(one) : undefined;
  const isFalling = does === "level" && isFallingIn(one);
  const named = sets.filter((set) => (attributeOf(set, "Name") ?? "").trim() !== "");
  if (does === "level" || named.length === 0) {
    return from <= to ? [{ from, to, does, isFalling, widens, inBeam: frostIn(one, to) }] : [];
  }
  const starts = sets.map((set) => byteOf(attributeOf(set, "DMXFrom"), width) ?? from);
  const worded = sets.flatMap((set, i): WordedRange[] => {
    const last = Math.min(to, (starts[i + 1] ?? to + 1) - 1);
    if (starts[i]! < from || starts[i]! > last) return [];
    const text = (attributeOf(set, "Name") ?? "").trim();
    const slot = slots[Number(attributeOf(set, "WheelSlotIndex") ?? 0) - 1];
    const preset = slot && !isOpenGobo(slot.name) ? "GoboMacro" : "";
    return [{ from: starts[i]!, to: last, ...setMeaning(set, kind, does, slots), text, preset }];
  });
  const optic = OPTICS.find(([words]) => words.test(attribute));
  return optic ? [...withOptics(optic[1], worded)] : worded;
}

/** Attributes that put an optic into the beam and do nothing else. */
const OPTICS: readonly (readonly [RegExp, ChannelKind])[] = [
  [/^Gobo\d+$/, "gobo"],
  [/^Gobo\d+PosRotate$/, "goboRotation"],
  [/^Prism\d+$/, "prism"],
  [/^Frost\d+$/, "frost"],
];

/** Returns the value of full frost for a frost without sets, if the file specifies which end that is. */
function frostIn(one: XmlElement, to: number): number | undefined {
  const isFrost = /^Frost\d+$/.test(attributeOf(one, "Attribute") ?? "");
  return isFrost && Number(attributeOf(one, "PhysicalFrom")) < Number(attributeOf(one, "PhysicalTo")) ? to : undefined;
}

/** Returns undefined unless the file gives both angles; the standard's defaults, 0 and 1, are no angles. */
function widensIn(one: XmlElement): boolean | undefined {
  const [from, to] = [Number(attributeOf(one, "PhysicalFrom")), Number(attributeOf(one, "PhysicalTo"))];
  return from < to ? true : from > to ? false : undefined;
}

const isFallingIn = (one: XmlElement): boolean =>
  Number(attributeOf(one, "PhysicalFrom") ?? 0) > Number(attributeOf(one, "PhysicalTo") ?? 1);

function setMeaning(
  set: XmlElement,
  kind: ChannelKind,
  whole: Does,
  slots: readonly { readonly name: string; readonly color: string | undefined }[],
): Omit<ChannelRange, "from" | "to"> {
  const name = attributeOf(set, "Name") ?? "";
  if (whole === "machine") return { does: doesOf(name) === "nothing" ? "nothing" : "machine" };
  if (kind === "colorWheel" || kind === "colorMacro") {
    const index = Number(attributeOf(set, "WheelSlotIndex") ?? 0);
    const slot = slots[index - 1];
    const color = slot?.color ?? colorOf(slot?.name ?? name);
    // A set without a slot scrolls, or is between two slots.
    const passes = isClear(name) || isClear(slot?.name ?? "");
    if (color && (slot !== undefined || slots.length === 0)) return { does: "color", color, isClear: passes };
    return { does: doesOf(name) };
  }
  const does = doesOf(name);
  if (kind === "shutter") return { does: does === "other" || does === "nothing" ? whole : does };
  return { does: kind === "gobo" && isOpenGobo(name) ? "open" : does };
}

function defaultOf(element: XmlElement, functions: readonly XmlElement[], width: number): number | undefined {
  const own = byteOf(attributeOf(element, "Default"), width);
  if (own !== undefined) return own;
  const wanted = attributeOf(element, "InitialFunction")?.split(".").at(-1);
  const initial = functions.find((one) => attributeOf(one, "Name") === wanted) ?? functions[0];
  return initial && byteOf(attributeOf(initial, "Default"), width);
}

/** Converts "value/bytes" to 8 bits. A value without bytes has those of its channel. */
function byteOf(text: string | undefined, width: number): number | undefined {
  const [, value, bytes] = /^(\d{1,10})(?:\/([1-4])s?)?$/.exec(text?.trim() ?? "") ?? [];
  if (value === undefined) return undefined;
  const byte = Math.floor(Number(value) / 256 ** (Number(bytes ?? width) - 1));
  return byte <= 255 ? byte : undefined;
}
