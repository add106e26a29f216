import type { ChannelKind } from "@followspot/contract";
import { valueIn, type ChannelRange, type DescribedChannel } from "./channel-of.ts";
import { fieldOf, isObject, listAt, objectAt, textAt, type JsonObject } from "./json.ts";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";
import { slowIn } from "./optics.ts";
import { colorOf, emitterOf, hexOf, isSteady } from "./words.ts";

/** Kind of a channel by the types of its capabilities, most significant first. */
const KINDS: readonly (readonly [string, ChannelKind])[] = [
  ["Maintenance", "reset"],
  ["ShutterStrobe", "shutter"],
  ["ColorIntensity", "red"],
  ["Intensity", "intensity"],
  ["ColorPreset", "colorMacro"],
  ["WheelSlot", "gobo"],
  ["WheelShake", "gobo"],
  ["WheelRotation", "gobo"],
  ["WheelSlotRotation", "goboRotation"],
  ["Pan", "pan"],
  ["Tilt", "tilt"],
  ["PanTiltSpeed", "panTiltSpeed"],
  ["ColorTemperature", "cct"],
  ["Zoom", "zoom"],
  ["Focus", "focus"],
  ["Iris", "iris"],
  ["IrisEffect", "iris"],
  ["Frost", "frost"],
  ["FrostEffect", "frost"],
  ["Prism", "prism"],
  ["PrismRotation", "prism"],
  ["Fog", "fog"],
  ["FogOutput", "fog"],
  ["FogType", "effect"],
  ["Effect", "program"],
  ["EffectSpeed", "program"],
  ["EffectDuration", "program"],
  ["EffectParameter", "program"],
  ["SoundSensitivity", "program"],
];

/** Reads a channel of an Open Fixture Library file from its capabilities. */
export function describeOflChannel(key: string, channel: JsonObject, wheels: JsonObject): DescribedChannel {
  const single = fieldOf(channel, "capability");
  const capabilities = isObject(single) ? [single] : listAt(channel, "capabilities").filter(isObject);
  if (capabilities.length > FIXTURE_LIMITS.ranges) refuse("A channel has more than 1024 ranges of values.");
  const scale = 256 ** (resolutionOf(channel) - 1);
  const kind = kindOf(capabilities, key, wheels);
  const ranges = capabilities.flatMap((capability): ChannelRange[] => {
    const [from, to] = isObject(single)
      ? [0, 255]
      : listAt(capability, "dmxRange").map((value) => byteOf(value, scale));
    if (from === undefined || to === undefined || from > to) return [];
    const meaning = meaningOf(capability, key, wheels);
    const isOpen = kind === "gobo" && meaning.does === "color";
    const range: ChannelRange = { from, to, ...meaning, ...(isOpen && { does: "open" }) };
    const inBeam = inBeamOf(capability, kind, range, slotsOf(capability, key, wheels));
    return [inBeam === undefined ? range : { ...range, inBeam }];
  });
  const isPlain = ranges.length === 1 && ranges[0]!.from === 0 && ranges[0]!.to === 255;
  const isAmount = isPlain && ranges[0]!.does === "level" && !ranges[0]!.isFalling && kind !== "zoom";
  const given = defaultOf(fieldOf(channel, "defaultValue"), scale);
  return {
    kind,
    ranges: isAmount ? [] : ranges,
    given: given ?? restOfSpeed(kind, capabilities),
    turns: turnsOf(kind, capabilities),
  };
}

/** Returns the travel of a head on its channel, if all of it is given in degrees. */
function turnsOf(kind: ChannelKind, capabilities: readonly JsonObject[]): DescribedChannel["turns"] {
  if (kind !== "pan" && kind !== "tilt") return undefined;
  const type = kind === "pan" ? "Pan" : "Tilt";
  const angles = capabilities
    .filter((capability) => textAt(capability, "type") === type)
    .flatMap((capability) => ["angle", "angleStart", "angleEnd"].map((name) => textAt(capability, name)))
    .filter((text) => text !== "");
  if (angles.length === 0 || !angles.every((text) => /^-?\d+(\.\d+)?deg$/.test(text))) return undefined;
  const degrees = angles.map((text) => Number.parseFloat(text));
  return { degrees: Math.max(...degrees) - Math.min(...degrees) };
}

/** Returns the number of bytes of a channel's values: all of its bytes unless the file specifies another. */
function resolutionOf(channel: JsonObject): number {
  const said = /^(8|16|24)bit$/.exec(textAt(channel, "dmxValueResolution"))?.[1];
  return said ? Number(said) / 8 : 1 + Math.min(3, listAt(channel, "fineChannelAliases").length);
}

function byteOf(value: unknown, scale: number): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) return undefined;
  const byte = Math.floor(value / scale);
  return byte <= 255 ? byte : undefined;
}

function defaultOf(value: unknown, scale: number): number | undefined {
  const percent = typeof value === "string" ? /^(\d{1,3}(?:\.\d+)?)%$/.exec(value)?.[1] : undefined;
  if (percent !== undefined) return Number(percent) <= 100 ? Math.round((Number(percent) * 255) / 100) : undefined;
  return byteOf(value, scale);
}

function kindOf(capabilities: readonly JsonObject[], key: string, wheels: JsonObject): ChannelKind {
  const types = new Set(capabilities.map((capability) => textAt(capability, "type")));
  const kind = KINDS.find(([type]) => types.has(type))?.[1];
  // If a channel has a reset beside other functions, it is of their kind, and the reset is not entered.
  const other = KINDS.slice(1).find(([type]) => types.has(type))?.[1];
  if (kind === "reset" && other !== undefined && other !== "program") return named(other, capabilities, key, wheels);
  if (kind !== undefined) return named(kind, capabilities, key, wheels);
  if ([...types].every((type) => type === "NoFunction" || type === "")) return "noFunction";
  return "effect";
}

function named(kind: ChannelKind, capabilities: readonly JsonObject[], key: string, wheels: JsonObject): ChannelKind {
  if (kind === "red") {
    const color = capabilities.map((capability) => textAt(capability, "color")).find((text) => text !== "") ?? "";
    return emitterOf(color) ?? "effect";
  }
  if (kind === "reset" && /lamp/i.test(key)) return "lamp";
  if (kind !== "gobo") return kind;
  const isColour = capabilities.some((capability) =>
    slotsOf(capability, key, wheels).some((slot) => isObject(slot) && textAt(slot, "type") === "Color"),
  );
  return isColour ? "colorWheel" : "gobo";
}

/** Returns the slots of the wheel of a capability: the named one, or the one with the channel's name. */
function slotsOf(capability: JsonObject, key: string, wheels: JsonObject): readonly unknown[] {
  const name = fieldOf(capability, "wheel");
  return listAt(objectAt(wheels, typeof name === "string" ? name : key), "slots");
}

const SHUTTER = { Open: "open", Closed: "closed" } as const;

function meaningOf(capability: JsonObject, key: string, wheels: JsonObject): Omit<ChannelRange, "from" | "to"> {
  const type = textAt(capability, "type");
  switch (type) {
    case "NoFunction":
      return { does: "nothing" };
    case "ShutterStrobe": {
      const effect = textAt(capability, "shutterEffect");
      const does = effect === "Open" || effect === "Closed" ? SHUTTER[effect] : "strobe";
      return { does, hz: does === "strobe" ? hzOf(capability) : undefined };
    }
    case "Intensity":
    case "ColorIntensity":
      return brightnessOf(capability);
    case "ColorPreset": {
      const [first, second] = listAt(capability, "colors").map((color) => colourOf(color));
      const color = second === undefined ? (first ?? colorOf(textAt(capability, "comment"))) : undefined;
      return color ? { does: "color", color } : { does: "other" };
    }
    case "WheelSlot":
      return slotOf(capability, slotsOf(capability, key, wheels));
    case "WheelSlotRotation":
    case "WheelRotation":
    case "PanContinuous":
    case "TiltContinuous":
    case "PrismRotation":
    case "Rotation":
      return { does: /^(stop|0 ?(hz|rpm|%))$/i.test(textAt(capability, "speed")) ? "stop" : "other" };
    case "Pan":
    case "Tilt":
    case "Focus":
      return { does: "level" };
    case "Zoom":
      return { does: "level", widens: widensOf(capability) };
    case "Frost":
      return { does: textAt(capability, "frostIntensity") === "off" ? "nothing" : "other" };
    case "Iris":
      return { does: /^(open|100%)$/.test(textAt(capability, "openPercent")) ? "open" : "other" };
    case "Effect":
    case "Maintenance":
    case "Fog":
      return { does: "machine" };
    default:
      return { does: "other" };
  }
}

function brightnessOf(capability: JsonObject): Omit<ChannelRange, "from" | "to"> {
  const fixed = textAt(capability, "brightness");
  if (fixed !== "")
    return { does: /^(off|0(%|lm)?)$/.test(fixed) ? "closed" : /^(bright|100%)$/.test(fixed) ? "open" : "other" };
  const start = brightness(textAt(capability, "brightnessStart") || "off");
  return { does: "level", isFalling: start > brightness(textAt(capability, "brightnessEnd") || "bright") };
}

/** Returns undefined for a fixed angle, and if the file gives none. */
function widensOf(capability: JsonObject): boolean | undefined {
  const degrees = (name: string) => {
    const text = textAt(capability, name);
    return text === "narrow" ? 0 : text === "wide" ? 360 : Number.parseFloat(text);
  };
  const [from, to] = [degrees("angleStart"), degrees("angleEnd")];
  return from < to ? true : from > to ? false : undefined;
}

function brightness(text: string): number {
  const words: Readonly<Record<string, number>> = { off: 0, dark: 1, bright: 100 };
  return Object.hasOwn(words, text) ? words[text]! : Number.parseFloat(text) || 0;
}

function slotOf(capability: JsonObject, slots: readonly unknown[]): Omit<ChannelRange, "from" | "to"> {
  const number = fieldOf(capability, "slotNumber");
  // A fraction is between two slots; an array or no number is a movement.
  if (typeof number !== "number" || !Number.isInteger(number)) return { does: "other" };
  const slot = slots[number - 1];
  const type = isObject(slot) ? textAt(slot, "type") : "";
  if (type === "Closed") return { does: "closed" };
  if (type === "Open") return { does: "color", color: "#ffffff", isClear: true };
  if (!isObject(slot) || type !== "Color") return { does: "other" };
  const [first, second] = listAt(slot, "colors").map((color) => colourOf(color));
  const color = second === undefined ? (first ?? colorOf(textAt(slot, "name"))) : undefined;
  return color ? { does: "color", color } : { does: "other" };
}

/** Returns `inBeam` of a range. */
function inBeamOf(
  capability: JsonObject,
  kind: ChannelKind,
  range: ChannelRange,
  slots: readonly unknown[],
): number | undefined {
  const says = (name: string) => textAt(capability, name);
  const isNamed = (...names: readonly string[]) => names.some((name) => fieldOf(capability, name) !== undefined);
  switch (`${kind} ${says("type")}`) {
    case "gobo WheelSlot": {
      const number = fieldOf(capability, "slotNumber");
      const slot = Number.isInteger(number) ? slots[Number(number) - 1] : undefined;
      return isObject(slot) && textAt(slot, "type") === "Gobo" && isSteady(says("comment"))
        ? valueIn(range)
        : undefined;
    }
    case "prism Prism":
      return isNamed("speed", "speedStart", "angle", "angleStart") ? undefined : valueIn(range);
    case "frost Frost": {
      const isAll = (name: string) => /^(high|100%)$/.test(says(name));
      if (isAll("frostIntensity")) return valueIn(range);
      return isAll("frostIntensityEnd") ? range.to : isAll("frostIntensityStart") ? range.from : undefined;
    }
    case "goboRotation WheelSlotRotation":
      if (says("speed") === "slow CW") return valueIn(range);
      if (says("speedStart") === "slow CW" && says("speedEnd") === "fast CW") return slowIn(range.from, range.to);
      return says("speedStart") === "fast CW" && says("speedEnd") === "slow CW"
        ? slowIn(range.to, range.from)
        : undefined;
    default:
      return undefined;
  }
}

const colourOf = (color: unknown): string | undefined =>
  typeof color === "string" ? (hexOf(color) ?? colorOf(color)) : undefined;

function hzOf(capability: JsonObject): readonly [number, number] | undefined {
  const hz = (name: string) => Number(/^(\d{1,3}(?:\.\d+)?)Hz$/.exec(textAt(capability, name))?.[1] ?? Number.NaN);
  const [from, to] = [hz("speedStart"), hz("speedEnd")];
  if (from <= 100 && to <= 100) return [from, to];
  const fixed = hz("speed");
  return fixed <= 100 ? [fixed, fixed] : undefined;
}

/** Heads move as fast as they can, because cues determine the speed. */
function restOfSpeed(kind: ChannelKind, capabilities: readonly JsonObject[]): number | undefined {
  if (kind !== "panTiltSpeed") return undefined;
  const [first] = capabilities;
  return first && /^(slow|1%)$/.test(textAt(first, "speedStart")) && capabilities.length === 1 ? 255 : undefined;
}
