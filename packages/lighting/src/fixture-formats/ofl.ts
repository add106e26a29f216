import type { ChannelKind, FixtureDefinition } from "@followspot/contract";
import { definitionOf } from "./definition.ts";
import { fineKindOf } from "./fine-kinds.ts";
import { fieldOf, isObject, listAt, objectAt, textAt, type JsonObject } from "./json.ts";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";
import { describeOflChannel } from "./ofl-channel.ts";
import { pixelsOf } from "./ofl-pixels.ts";
import type { DescribedBody } from "./physical.ts";
import type { DescribedChannel, PlacedChannel } from "./channel-of.ts";

/** Deepest nesting of arrays and objects; parsers recurse. */
const MOST_DEPTH = 24;

const TYPES: readonly (readonly [string, string])[] = [
  ["Laser", "laser"],
  ["Hazer", "hazer"],
  ["Smoke", "hazer"],
  ["Moving Head", "moving_head"],
  ["Scanner", "moving_head"],
  ["Barrel Scanner", "moving_head"],
  ["Pixel Bar", "bar"],
  ["Strobe", "strobe"],
  ["Blinder", "strobe"],
  ["Color Changer", "par"],
  ["Dimmer", "dimmer"],
];

/** A switching channel: alias → key of the channel that is used in its place. */
type Switches = ReadonlyMap<string, string>;

/**
 * Reads a fixture of the Open Fixture Library.
 *
 * @param path path of the file, whose folder names the manufacturer as in the library
 */
export function readOfl(path: string, text: string): FixtureDefinition {
  const json = parse(text);
  if (isObject(json) && textAt(json, "redirectTo") !== "") {
    return refuse("The file only says that the fixture is kept under another name there.");
  }
  if (!isObject(json) || !isObject(fieldOf(json, "availableChannels") ?? fieldOf(json, "templateChannels"))) {
    return refuse("The file is no fixture of the Open Fixture Library: it has no availableChannels.");
  }
  const categories = new Set(listAt(json, "categories"));
  const library = channelLibrary(json);
  const { places } = pixelsOf(objectAt(json, "matrix"));
  const modes = listAt(json, "modes");
  if (modes.length > FIXTURE_LIMITS.modes) refuse(`The fixture has more than ${FIXTURE_LIMITS.modes} modes.`);
  return definitionOf({
    format: "ofl",
    manufacturer: titleOf(textAt(json, "manufacturerKey") || (path.split(/[\\/]/).at(-2) ?? "")),
    model: textAt(json, "name"),
    type: TYPES.find(([category]) => categories.has(category))?.[1] ?? "effect",
    modes: modes.filter(isObject).map((mode) => ({
      name: textAt(mode, "name"),
      channels: channelsOf(mode, json, library),
      body: bodyOf({ ...objectAt(json, "physical"), ...objectAt(mode, "physical") }),
      pixels: places,
    })),
  });
}

function bodyOf(physical: JsonObject): DescribedBody {
  const focus = objectAt(physical, "focus");
  const angle = (value: unknown) => (typeof value === "number" ? value : 0);
  const [from, to] = listAt(objectAt(physical, "lens"), "degreesMinMax");
  return {
    pan: angle(fieldOf(focus, "panMax")),
    tilt: angle(fieldOf(focus, "tiltMax")),
    beam: [angle(from), angle(to)],
  };
}

function parse(text: string): unknown {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (isString) {
      if (c === "\\") i++;
      else if (c === '"') isString = false;
    } else if (c === '"') isString = true;
    else if (c === "[" || c === "{") {
      if (++depth > MOST_DEPTH) refuse(`The file is nested deeper than ${MOST_DEPTH} levels.`);
    } else if (c === "]" || c === "}") depth--;
  }
  try {
    return JSON.parse(text);
  } catch {
    return refuse("The file is not JSON.");
  }
}

/** "american-dj" → "American Dj". The library has the manufacturers' names in a separate file. */
const titleOf = (key: string) => key.replaceAll("-", " ").replaceAll(/(^| )\p{L}/gu, (letter) => letter.toUpperCase());

interface Library {
  readonly channels: ReadonlyMap<string, { readonly described: DescribedChannel; readonly head: number }>;
  readonly switches: Switches;
}

/** Returns every channel by its key, with templates repeated for every pixel, and with fine and switching channels. */
function channelLibrary(json: JsonObject): Library {
  const channels = new Map<string, { described: DescribedChannel; head: number }>();
  const switches = new Map<string, string>();
  const pixels = pixelsOf(objectAt(json, "matrix"));
  const wheels = objectAt(json, "wheels");
  const add = (key: string, channel: JsonObject, head: number, replace: (text: string) => string) => {
    if (channels.size > FIXTURE_LIMITS.allChannels) refuse("The fixture has too many channels.");
    const described = describeOflChannel(key, channel, wheels);
    channels.set(key, { described, head });
    const aliases = listAt(channel, "fineChannelAliases").filter((alias) => typeof alias === "string");
    for (const [i, alias] of aliases.slice(0, 4).entries()) {
      const kind: ChannelKind = i === 0 ? fineKindOf(described.kind) : "noFunction";
      channels.set(replace(alias), { described: { kind, ranges: [] }, head });
    }
    for (const [alias, target] of standIns(channel, described.given ?? 0))
      switches.set(replace(alias), replace(target));
  };
  const templates = Object.entries(objectAt(json, "templateChannels"));
  for (const { key: pixel, head } of pixels.all) {
    const replace = (text: string) => text.replaceAll("$pixelKey", pixel);
    for (const [key, channel] of templates) if (isObject(channel)) add(replace(key), channel, head, replace);
  }
  for (const [key, channel] of Object.entries(objectAt(json, "availableChannels"))) {
    if (isObject(channel)) add(key, channel, channels.get(key)?.head ?? 0, (text) => text);
  }
  return { channels, switches };
}

/** Returns the target of each switching channel while its switch rests at `value`. */
function standIns(channel: JsonObject, value: number): readonly (readonly [string, string])[] {
  const capabilities = listAt(channel, "capabilities").filter(isObject);
  const resting =
    capabilities.find((capability) => {
      const [from, to] = listAt(capability, "dmxRange");
      return typeof from === "number" && typeof to === "number" && value >= from && value <= to;
    }) ?? capabilities[0];
  return Object.entries(objectAt(resting ?? {}, "switchChannels")).flatMap(([alias, target]) =>
    typeof target === "string" ? [[alias, target] as const] : [],
  );
}

function channelsOf(mode: JsonObject, json: JsonObject, { channels, switches }: Library): PlacedChannel[] {
  const keys = listAt(mode, "channels").flatMap((entry) => keysOf(entry, json));
  if (keys.length > FIXTURE_LIMITS.channels) refuse(`A mode has ${keys.length} channels; a universe has 512.`);
  return keys.map((key) => {
    const found = channels.get(key) ?? channels.get(switches.get(key) ?? "");
    return { channel: found?.described ?? { kind: "noFunction", ranges: [] }, head: found?.head ?? 0 };
  });
}

/** Returns the keys of one entry of a mode: itself, or a block that repeats templates for pixels. */
function keysOf(entry: unknown, json: JsonObject): readonly string[] {
  if (typeof entry === "string") return [entry];
  // A gap: a channel without function.
  if (!isObject(entry)) return [""];
  if (textAt(entry, "insert") !== "matrixChannels") return [];
  const pixels = pixelsOf(objectAt(json, "matrix")).repeated(fieldOf(entry, "repeatFor"));
  const templates = listAt(entry, "templateChannels").slice(0, FIXTURE_LIMITS.channels);
  if (pixels.length * templates.length > FIXTURE_LIMITS.channels) refuse("A mode repeats more than 512 channels.");
  const keyOf = (template: unknown, pixel: string) =>
    typeof template === "string" ? template.replaceAll("$pixelKey", pixel) : "";
  return textAt(entry, "channelOrder") === "perChannel"
    ? templates.flatMap((template) => pixels.map((pixel) => keyOf(template, pixel)))
    : pixels.flatMap((pixel) => templates.map((template) => keyOf(template, pixel)));
}
