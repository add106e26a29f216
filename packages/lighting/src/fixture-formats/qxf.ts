import type { ChannelKind, FixtureDefinition } from "@followspot/contract";
import type { ChannelRange, DescribedChannel, PlacedChannel } from "./channel-of.ts";
import { definitionOf } from "./definition.ts";
import { fineKindOf } from "./fine-kinds.ts";
import { FIXTURE_LIMITS, refuse } from "./limits.ts";
import { withOptics, type WordedRange } from "./optics.ts";
import type { DescribedBody } from "./physical.ts";
import {
  colorOf,
  doesOf,
  emitterOf,
  hexOf,
  isClear,
  isFalling,
  isOpenGobo,
  isOpenIris,
  isSteady,
  travelOf,
  widens,
  type Does,
} from "./words.ts";
import { attributeOf, childOf, childrenOf, parseXml, textIn, type XmlElement } from "./xml.ts";

const TYPES: Readonly<Record<string, string>> = {
  "Color Changer": "par",
  "Moving Head": "moving_head",
  Scanner: "moving_head",
  "LED Bar (Beams)": "bar",
  "LED Bar (Pixels)": "bar",
  Strobe: "strobe",
  Dimmer: "dimmer",
  Laser: "laser",
  Hazer: "hazer",
  Smoke: "hazer",
};

/** Kind of a channel by its preset, and its rest value if that is not 0. */
const PRESETS: Readonly<Record<string, readonly [ChannelKind, number?]>> = {
  IntensityDimmer: ["intensity"],
  IntensityDimmerFine: ["intensityFine"],
  IntensityMasterDimmer: ["intensity"],
  IntensityMasterDimmerFine: ["intensityFine"],
  IntensityValue: ["intensity"],
  IntensityLightness: ["intensity"],
  IntensityRed: ["red"],
  IntensityRedFine: ["redFine"],
  IntensityGreen: ["green"],
  IntensityGreenFine: ["greenFine"],
  IntensityBlue: ["blue"],
  IntensityBlueFine: ["blueFine"],
  IntensityWhite: ["white"],
  IntensityWhiteFine: ["whiteFine"],
  IntensityAmber: ["amber"],
  IntensityAmberFine: ["amberFine"],
  IntensityUV: ["uv"],
  IntensityUVFine: ["uvFine"],
  IntensityLime: ["lime"],
  IntensityLimeFine: ["limeFine"],
  IntensityIndigo: ["indigo"],
  IntensityCyan: ["cyan"],
  IntensityCyanFine: ["cyanFine"],
  IntensityMagenta: ["magenta"],
  IntensityMagentaFine: ["magentaFine"],
  IntensityYellow: ["yellow"],
  IntensityYellowFine: ["yellowFine"],
  IntensityHue: ["hue"],
  IntensitySaturation: ["saturation"],
  PositionPan: ["pan"],
  PositionPanFine: ["panFine"],
  PositionTilt: ["tilt"],
  PositionTiltFine: ["tiltFine"],
  PositionXAxis: ["pan"],
  PositionYAxis: ["tilt"],
  SpeedPanTiltFastSlow: ["panTiltSpeed"],
  SpeedPanFastSlow: ["panTiltSpeed"],
  SpeedTiltFastSlow: ["panTiltSpeed"],
  SpeedPanTiltSlowFast: ["panTiltSpeed", 255],
  SpeedPanSlowFast: ["panTiltSpeed", 255],
  SpeedTiltSlowFast: ["panTiltSpeed", 255],
  ColorMacro: ["colorMacro"],
  ColorWheel: ["colorWheel"],
  ColorRGBMixer: ["colorMacro"],
  ColorCTOMixer: ["cct"],
  ColorCTCMixer: ["cct"],
  ColorCTBMixer: ["cct"],
  GoboWheel: ["gobo"],
  GoboIndex: ["goboRotation"],
  ShutterStrobeSlowFast: ["shutter"],
  ShutterStrobeFastSlow: ["shutter"],
  ShutterIrisMaxToMin: ["iris"],
  ShutterIrisMinToMax: ["iris", 255],
  BeamFocusNearFar: ["focus"],
  BeamFocusFarNear: ["focus"],
  BeamZoomSmallBig: ["zoom"],
  BeamZoomBigSmall: ["zoom"],
  NoFunction: ["noFunction"],
};

/** Reads a fixture definition of QLC+. */
export function readQxf(text: string): FixtureDefinition {
  const root = parseXml(text);
  if (root.name !== "FixtureDefinition") refuse("The file is no QLC+ fixture definition.");
  const channels = new Map(
    childrenOf(root, "Channel").map((channel) => [attributeOf(channel, "Name") ?? "", describe(channel)]),
  );
  const modes = childrenOf(root, "Mode");
  if (modes.length > FIXTURE_LIMITS.modes) refuse(`The fixture has more than ${FIXTURE_LIMITS.modes} modes.`);
  return definitionOf({
    format: "qlc",
    manufacturer: textIn(root, "Manufacturer"),
    model: textIn(root, "Model"),
    type: lookUp(TYPES, textIn(root, "Type")) ?? "effect",
    modes: modes.map((mode) => ({
      name: attributeOf(mode, "Name") ?? "",
      channels: placedChannels(mode, channels),
      body: bodyOf(childOf(mode, "Physical") ?? childOf(root, "Physical")),
    })),
  });
}

/** Reads the physical data of a mode, or of the whole fixture if the mode has none. */
function bodyOf(physical: XmlElement | undefined): DescribedBody {
  const [focus, lens] = ["Focus", "Lens"].map((name) => physical && childOf(physical, name));
  const angle = (element: XmlElement | undefined, name: string) => Number((element && attributeOf(element, name)) ?? 0);
  return {
    pan: angle(focus, "PanMax"),
    tilt: angle(focus, "TiltMax"),
    // Lenses without zoom often give their angle as the largest one only.
    beam: [angle(lens, "DegreesMin") || angle(lens, "DegreesMax"), angle(lens, "DegreesMax")],
  };
}

const UNKNOWN: DescribedChannel = { kind: "noFunction", ranges: [] };

function placedChannels(mode: XmlElement, channels: ReadonlyMap<string, DescribedChannel>): PlacedChannel[] {
  const heads = headsOf(mode);
  const named = childrenOf(mode, "Channel");
  if (named.length > FIXTURE_LIMITS.channels) refuse(`A mode has ${named.length} channels; a universe has 512.`);
  return named
    .map((element, i) => ({ element, number: wholeNumber(attributeOf(element, "Number")) ?? i }))
    .toSorted((a, b) => a.number - b.number)
    .map(({ element, number }) => ({
      channel: channels.get(element.text.trim()) ?? UNKNOWN,
      head: heads.get(number) ?? 0,
    }));
}

/**
 * Maps channel numbers to heads, from 1 on. A channel of several heads is shared by all. A single head is the fixture
 * itself.
 */
function headsOf(mode: XmlElement): ReadonlyMap<number, number> {
  const heads = new Map<number, number>();
  const elements = childrenOf(mode, "Head");
  if (elements.length < 2) return heads;
  for (const [i, head] of elements.slice(0, FIXTURE_LIMITS.channels).entries()) {
    for (const channel of childrenOf(head, "Channel").slice(0, FIXTURE_LIMITS.channels)) {
      const number = wholeNumber(channel.text.trim());
      if (number !== undefined) heads.set(number, heads.has(number) ? 0 : i + 1);
    }
  }
  return heads;
}

function describe(channel: XmlElement): DescribedChannel {
  const name = attributeOf(channel, "Name") ?? "";
  const given = byteOf(attributeOf(channel, "Default"));
  const presetName = attributeOf(channel, "Preset");
  const preset = presetName === undefined ? undefined : lookUp(PRESETS, presetName);
  const ranges = rangesOf(channel);
  if (/\blasers?\b/i.test(name)) return { kind: "effect", ranges: ranges.map(restingLaser), given };
  if (preset) {
    const [kind, rest] = preset;
    const zoom: ChannelRange = { from: 0, to: 255, does: "level", widens: presetName === "BeamZoomSmallBig" };
    const strobe: ChannelRange = { from: 0, to: 255, does: "strobe", isFalling: presetName!.endsWith("FastSlow") };
    const whole = kind === "shutter" ? [strobe] : kind === "zoom" ? [zoom] : [];
    return {
      kind,
      ranges: ranges.length === 0 ? whole : kind === "iris" ? irisRanges(ranges) : withOptics(kind, ranges),
      given: given ?? rest,
      isMaster: presetName!.startsWith("IntensityMaster"),
    };
  }
  // The fine channel of a kind that is never driven.
  if (presetName !== undefined) return UNKNOWN;
  const group = childOf(channel, "Group");
  const groupName = group?.text.trim() ?? "";
  // A channel with ranges of its own is not a fine channel, whatever the file specifies.
  const isFine = group !== undefined && attributeOf(group, "Byte") === "1" && ranges.length < 2;
  const kind = kindOf(groupName, textIn(channel, "Colour"), name, ranges);
  if (isFine) return { kind: fineKindOf(kind), ranges: [], given };
  return { kind, ranges: kind === "iris" ? irisRanges(ranges) : withOptics(kind, ranges), given };
}

/** Keeps a laser beside other emitters off: it rests in its closed range. */
const restingLaser = (range: WordedRange): ChannelRange =>
  range.does === "closed" ? { ...range, does: "nothing" } : range;

/** Words in the names of channels that share a group with others, first match first. */
const NAMED: Readonly<Record<string, readonly (readonly [RegExp, ChannelKind])[]>> = {
  Intensity: [
    [/fan|pump/i, "fan"],
    [/fog|haze|smoke/i, "fog"],
    [/colou?r.?temp|\bct[ob]\b|\bcct\b|\bctc\b|tint|\d{4}k/i, "cct"],
    [/lamp control|lamp on/i, "lamp"],
    [
      /program|auto|chase|macro|preset|effect|sound|sensitiv|speed|mode|curve|shape|synchron|time|extra power|control/i,
      "program",
    ],
  ],
  Shutter: [
    [/iris/i, "iris"],
    [/blade|frame|framing|frost|zoom|pattern/i, "effect"],
  ],
  Gobo: [[/rotat|index|spin|shake/i, "goboRotation"]],
  Speed: [
    [/pan|tilt|p\/t|movement|^(head|vector) speed/i, "panTiltSpeed"],
    [/gobo/i, "goboRotation"],
    [/fan/i, "fan"],
  ],
  Beam: [
    [/frost/i, "frost"],
    [/iris/i, "iris"],
    [/zoom(?!.*(function|rot))/i, "zoom"],
    [/focus(?!.*function)|edge/i, "focus"],
  ],
  Effect: [
    [/frost/i, "frost"],
    [/smoke|fog|haze/i, "fog"],
    [/^fan\b/i, "fan"],
    [/prism/i, "prism"],
    [/gobo.*rotat/i, "goboRotation"],
    [/^zoom(ing)?$/i, "zoom"],
  ],
  Maintenance: [
    [/lamp/i, "lamp"],
    [/^fan\b/i, "fan"],
    [/program|auto|macro|sound|mode|curve|speed|time/i, "program"],
  ],
};

const BY_GROUP: Readonly<Record<string, ChannelKind>> = {
  Intensity: "intensity",
  Colour: "colorMacro",
  Shutter: "shutter",
  Gobo: "gobo",
  Speed: "effect",
  Beam: "effect",
  Effect: "program",
  Prism: "prism",
  Maintenance: "reset",
  Pan: "pan",
  Tilt: "tilt",
  Nothing: "noFunction",
};

function kindOf(group: string, colour: string, name: string, ranges: readonly ChannelRange[]): ChannelKind {
  if (group === "Intensity") {
    const own = emitterOf(colour);
    if (own) return own;
  }
  if (group === "Colour" && /wheel/i.test(name)) return "colorWheel";
  // Strobe channels appear in many groups. One with an open range is the shutter.
  const opens = ranges.some(({ does }) => does === "open") && ranges.some(({ does }) => does === "strobe");
  if ((group === "Effect" || group === "Speed") && /strobe|shutter/i.test(name) && opens) return "shutter";
  const named = (lookUp(NAMED, group) ?? []).find(([words]) => words.test(name));
  return named?.[1] ?? lookUp(BY_GROUP, group) ?? "noFunction";
}

/** Marks the open end of an iris that has no separate range for open. */
function irisRanges(ranges: readonly WordedRange[]): ChannelRange[] {
  const hasOpen = ranges.some(({ text }) => isOpenIris(text));
  return ranges.map((range): ChannelRange => {
    const travel = hasOpen ? 0 : travelOf(range.text);
    const end = travel > 0 ? range.to : range.from;
    if (travel !== 0) return { from: end, to: end, does: "open" };
    return { ...range, does: isOpenIris(range.text) ? "open" : range.does === "open" ? "other" : range.does };
  });
}

function rangesOf(channel: XmlElement): WordedRange[] {
  const capabilities = childrenOf(channel, "Capability");
  if (capabilities.length > FIXTURE_LIMITS.ranges) refuse("A channel has more than 1024 ranges of values.");
  const group = textIn(channel, "Group");
  const ranges = capabilities.flatMap((capability) => {
    const from = byteOf(attributeOf(capability, "Min"));
    const to = byteOf(attributeOf(capability, "Max"));
    if (from === undefined || to === undefined || from > to) return [];
    const text = capability.text.trim();
    const preset = attributeOf(capability, "Preset") ?? "";
    return [{ from, to, isSteady: isSteady(text), ...meaningOf(capability, group), text, preset }];
  });
  if (ranges.some(({ does }) => does === "open")) return ranges;
  // Some files call the strobe's off range a closed shutter, and some call a shutter a lamp that is switched.
  const meant = ({ does, text }: { does: Does; text: string }): Does => {
    if (does === "closed" && /^(strobe )?off$|no (flash|strobe)/i.test(text)) return "nothing";
    if (does !== "machine" || group !== "Shutter") return does;
    return /^lamp on\b/i.test(text) ? "open" : /^lamp off$/i.test(text) ? "closed" : does;
  };
  return ranges.map((range) => ({ ...range, does: meant(range) }));
}

const BY_PRESET: readonly (readonly [RegExp, Does])[] = [
  [/^ShutterOpen$/, "open"],
  [/^ShutterClose$/, "closed"],
  [/^(Strobe|Pulse|RampUp|RampDown|Lightning)/, "strobe"],
  [/^(Reset|Lamp)/, "machine"],
  [/^RotationStop$/, "stop"],
  [/^PrismEffectOff$/, "open"],
  [/^SilentModeOff$/, "nothing"],
  [/^(ColorDoubleMacro|GoboShakeMacro|Rotation|PrismEffectOn|SilentModeOn)/, "other"],
];

function meaningOf(capability: XmlElement, group: string): Omit<ChannelRange, "from" | "to"> {
  const text = capability.text.trim();
  const preset = attributeOf(capability, "Preset") ?? "";
  const known = BY_PRESET.find(([words]) => words.test(preset))?.[1];
  if (known) {
    const does = agreed(known, preset, text);
    return { does, isFalling: preset.endsWith("FastToSlow"), hz: does === "strobe" ? hzOf(capability) : undefined };
  }
  const color = hexOf(
    attributeOf(capability, "Color") ?? attributeOf(capability, "Res1") ?? attributeOf(capability, "Res"),
  );
  if (preset === "ColorMacro") return colourMeaning(color ?? colorOf(text), text);
  const travel = group === "Shutter" ? travelOf(text) : 0;
  if (travel !== 0) return { does: "level", isFalling: travel < 0 };
  if (preset === "GoboMacro" || group === "Gobo") {
    const picture = preset === "GoboMacro" ? (attributeOf(capability, "Res1") ?? attributeOf(capability, "Res")) : "";
    if (isOpenGobo(text, picture)) return { does: "open" };
  }
  const does = doesOf(text);
  if (preset === "GoboMacro") return { does: does === "nothing" || does === "closed" ? does : "other" };
  if (group === "Prism" && /^(no prism|out$|swing out|open|hole)|\bprism out/i.test(text)) return { does: "open" };
  if ((group === "Gobo" || group === "Prism") && does === "open") return { does: "other" };
  if (group === "Colour" && (does === "other" || does === "open")) {
    const isSplit = attributeOf(capability, "Color2") !== undefined || attributeOf(capability, "Res2") !== undefined;
    return colourMeaning(isSplit ? undefined : (color ?? colorOf(text)), text);
  }
  const isAmount = does === "other" && AMOUNT.test(text);
  return {
    does: isAmount ? "level" : does,
    color: does === "other" ? (color ?? colorOf(text)) : undefined,
    isFalling: isFalling(text),
    widens: does === "other" ? widens(text) : undefined,
  };
}

/**
 * Combines the meaning of a preset with its text. Files use the lamp preset for a strobe's off range, and the open
 * shutter preset for sound activation. A clear text wins.
 */
function agreed(known: Does, preset: string, text: string): Does {
  const said = doesOf(text);
  if (preset.startsWith("Lamp")) return ["nothing", "stop", "open"].includes(said) ? said : known;
  if (known === "stop") return said === "open" || said === "nothing" ? said : known;
  if (known !== "open") return known;
  // Some files use the open shutter preset for "lamp on".
  if (/\breset\b|shade|slow gobo/i.test(text)) return said;
  return /\b(audio|music|sound)\b/i.test(text) ? "machine" : known;
}

const AMOUNT = /dim(m|[- ]|$)|intensit|bright|0 ?%? *(\W|to)+ *100|min\W+max|\blevel\b|\bblack\b.*full/i;

function colourMeaning(color: string | undefined, text: string): Omit<ChannelRange, "from" | "to"> {
  if (color) return { does: "color", color, isClear: isClear(text) };
  return { does: doesOf(text), isClear: isClear(text) };
}

function hzOf(capability: XmlElement): readonly [number, number] | undefined {
  const first = Number.parseFloat(attributeOf(capability, "Res1") ?? attributeOf(capability, "Res") ?? "");
  const second = Number.parseFloat(attributeOf(capability, "Res2") ?? "");
  if (!(first >= 0 && first <= 100)) return undefined;
  return [first, second >= 0 && second <= 100 ? second : first];
}

function byteOf(text: string | undefined): number | undefined {
  const value = wholeNumber(text);
  return value !== undefined && value <= 255 ? value : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Looks up a row of a table by a text from a file, ignoring names that Object inherits. */
function lookUp<Row>(table: Readonly<Record<string, Row>>, key: string): Row | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
