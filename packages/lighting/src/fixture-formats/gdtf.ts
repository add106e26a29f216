import type { FixtureDefinition } from "@followspot/contract";
import { hexOfLinear } from "../color.ts";
import type { PlacedChannel } from "./channel-of.ts";
import { definitionOf } from "./definition.ts";
import { fineKindOf } from "./fine-kinds.ts";
import { describeGdtfChannel, type GdtfWheels } from "./gdtf-channel.ts";
import { FIXTURE_LIMITS, refuse, textOf } from "./limits.ts";
import { attributeOf, childOf, childrenOf, parseXml, type XmlElement } from "./xml.ts";
import { readZipEntry } from "./zip.ts";

/** One use of a geometry: the offsets of its channels per DMX break, and its head. */
interface Use {
  readonly offsets: ReadonlyMap<string, number>;
  readonly head: number;
}

const ONCE: readonly Use[] = [{ offsets: new Map(), head: 0 }];

/** Reads a GDTF fixture (DIN SPEC 15800): `description.xml` in a zip file. */
export function readGdtf(bytes: Uint8Array): FixtureDefinition {
  const root = parseXml(textOf(readZipEntry(bytes, "description.xml")));
  const fixture = childOf(root, "FixtureType");
  if (root.name !== "GDTF" || !fixture) return refuse("The file's description is no GDTF fixture.");
  const modes = childrenOf(childOf(fixture, "DMXModes") ?? fixture, "DMXMode");
  if (modes.length > FIXTURE_LIMITS.modes) refuse(`The fixture has more than ${FIXTURE_LIMITS.modes} modes.`);
  const wheels = wheelsOf(fixture);
  const usesOf = usesIn(childOf(fixture, "Geometries"));
  const place = counter("The fixture has too many channels in all of its modes.");
  const described = modes.map((mode) => ({
    name: attributeOf(mode, "Name") ?? "",
    channels: channelsOf(mode, usesOf(attributeOf(mode, "Geometry") ?? ""), wheels, place),
    body: { beam: beamOf(childOf(fixture, "Geometries")) },
  }));
  return definitionOf({
    format: "gdtf",
    manufacturer: attributeOf(fixture, "Manufacturer") ?? "",
    model: attributeOf(fixture, "Name") || attributeOf(fixture, "LongName") || "",
    type: typeOf(described.flatMap(({ channels }) => channels)),
    modes: described,
  });
}

/** Returns the first beam angle of a fixture. Its other beams are assumed to be the same. */
function beamOf(geometries: XmlElement | undefined): readonly [number, number] | undefined {
  let angle = 0;
  const look = (element: XmlElement) => {
    if (element.name === "Beam" && angle === 0) angle = Number(attributeOf(element, "BeamAngle")) || 0;
  };
  if (geometries) visit(geometries, look);
  return angle > 0 ? [angle, angle] : undefined;
}

/** Derives the fixture type from its channels, because GDTF has no type. */
function typeOf(channels: readonly PlacedChannel[]): string {
  const kinds = new Set(channels.map(({ channel }) => channel.kind));
  if (kinds.has("fog")) return "hazer";
  if (kinds.has("laser")) return "laser";
  if (kinds.has("pan") || kinds.has("tilt")) return "moving_head";
  if (channels.some(({ head }) => head > 2)) return "bar";
  if (kinds.has("red") || kinds.has("cyan")) return "par";
  if (kinds.has("shutter")) return "strobe";
  return kinds.has("intensity") ? "dimmer" : "effect";
}

function wheelsOf(fixture: XmlElement): GdtfWheels {
  const wheels = childrenOf(childOf(fixture, "Wheels") ?? fixture, "Wheel");
  return new Map(
    wheels.map((wheel) => [
      attributeOf(wheel, "Name") ?? "",
      childrenOf(wheel, "Slot").map((slot) => ({
        name: attributeOf(slot, "Name") ?? "",
        color: hexOfXyY(attributeOf(slot, "Color") ?? ""),
      })),
    ]),
  );
}

/** Converts CIE 1931 "x,y,Y" to #rrggbb at full brightness; undefined for other text, and for black. */
export function hexOfXyY(text: string): string | undefined {
  const [x, y, luminance] = text.split(",").map(Number);
  if (!(x! >= 0 && x! <= 1 && y! > 0 && y! <= 1 && luminance! > 0)) return undefined;
  const [X, Z] = [x! / y!, (1 - x! - y!) / y!];
  const linear = {
    r: 3.2406 * X - 1.5372 - 0.4986 * Z,
    g: -0.9689 * X + 1.8758 + 0.0415 * Z,
    b: 0.0557 * X - 0.204 + 1.057 * Z,
  };
  const peak = Math.max(linear.r, linear.g, linear.b);
  return peak > 0 ? hexOfLinear({ r: linear.r / peak, g: linear.g / peak, b: linear.b / peak }) : undefined;
}

type Uses = ReadonlyMap<string, readonly Use[]>;

/** Returns a counter of uses. @throws FixtureFileError above the limit, because references multiply */
function counter(tooMany: string): () => void {
  let count = 0;
  return () => void (++count > FIXTURE_LIMITS.uses && refuse(tooMany));
}

/** Returns a lookup from the top geometry of a mode to its uses, computed once for all modes that share it. */
function usesIn(geometries: XmlElement | undefined): (top: string) => Uses {
  const roots = geometries?.children ?? [];
  const known = new Map<XmlElement, Uses>();
  const count = counter("The fixture refers to its geometries too often.");
  return (top) => {
    const body = roots.find((root) => attributeOf(root, "Name") === top) ?? roots[0];
    if (!body) return new Map();
    const uses = known.get(body) ?? usesOf(body, roots, count);
    known.set(body, uses);
    return uses;
  };
}

/**
 * Returns the uses of each geometry of a mode: one, or one per reference. Each reference is a head. References within
 * references would be heads of heads and are not read.
 */
function usesOf(body: XmlElement, roots: readonly XmlElement[], count: () => void): Uses {
  const uses = new Map<string, Use[]>();
  let head = 0;
  visit(body, (element) => {
    if (element.name !== "GeometryReference") return;
    const breaks = childrenOf(element, "Break");
    const offsets = new Map(
      breaks.map((part) => [
        attributeOf(part, "DMXBreak") ?? "1",
        (wholeNumber(attributeOf(part, "DMXOffset")) ?? 1) - 1,
      ]),
    );
    head++;
    if (head > FIXTURE_LIMITS.channels) refuse("The fixture has more heads than a universe has channels.");
    const target = roots.find((root) => attributeOf(root, "Name") === attributeOf(element, "Geometry"));
    const own = head;
    if (!target) return;
    visit(target, (part) => {
      count();
      push(uses, attributeOf(part, "Name") ?? "", { offsets, head: own });
    });
  });
  return uses;
}

function visit(element: XmlElement, look: (element: XmlElement) => void): void {
  look(element);
  for (const child of element.children) visit(child, look);
}

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const items = map.get(key);
  if (items) items.push(item);
  else map.set(key, [item]);
}

function channelsOf(mode: XmlElement, uses: Uses, wheels: GdtfWheels, place: () => void): PlacedChannel[] {
  const slots: PlacedChannel[] = [];
  const put = (offset: number, channel: PlacedChannel) => {
    place();
    if (offset < 1 || offset > FIXTURE_LIMITS.channels) {
      refuse(`A mode has a channel at ${offset}; a universe has ${FIXTURE_LIMITS.channels}.`);
    }
    slots[offset - 1] = channel;
  };
  const channels = childrenOf(childOf(mode, "DMXChannels") ?? mode, "DMXChannel");
  for (const element of channels.slice(0, FIXTURE_LIMITS.channels + 1)) {
    const places = (attributeOf(element, "Offset") ?? "").split(",").map((part) => wholeNumber(part.trim()));
    // A channel without an offset is virtual and sends nothing.
    if (places.length > 4 || places.some((place) => place === undefined)) continue;
    const described = describeGdtfChannel(element, places.length, wheels);
    const fine = fineKindOf(described.kind);
    for (const { offsets, head } of uses.get(attributeOf(element, "Geometry") ?? "") ?? ONCE) {
      const moved = offsets.get(attributeOf(element, "DMXBreak") ?? "1") ?? 0;
      for (const [i, offset] of places.entries()) {
        const channel = i === 0 ? described : { kind: i === 1 ? fine : ("noFunction" as const), ranges: [] };
        put(offset! + moved, { channel, head });
      }
    }
  }
  const hole: PlacedChannel = { channel: { kind: "noFunction", ranges: [] }, head: 0 };
  return Array.from(slots, (slot) => slot ?? hole);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}
