import { strToU8, zipSync } from "fflate";
import { fixtureDefinitionSchema } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { FIXTURE_LIMITS, FixtureFileError, readFixtureFile } from "./index.ts";
import { bytesOf, gdtf, GDTF_DESCRIPTION, OFL, qxf, SAMPLE_FILES, SPOT } from "./testing/samples.ts";

const MB = 1024 * 1024;
const repeat = (text: string, times: number) => text.repeat(times);
const RED = '<Channel Name="R" Preset="IntensityRed"/>';
const mode = (channels: string[]) => [{ name: "a", channels }];
const mimic = (attribute: string) => SPOT.replace("<Manufacturer>", `<Manufacturer ${attribute}>`);

/** Returns a zip file whose entry may claim to be small. */
function bomb(megabytes: number, liesAboutSize: boolean): Uint8Array {
  const bytes = zipSync({ "description.xml": [new Uint8Array(megabytes * MB), { level: 9 }] });
  if (!liesAboutSize) return bytes;
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length - 4; at++) {
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 10, true);
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, 10, true);
  }
  return bytes;
}

/** References times parts times modes times channels: a few kilobytes packed. */
function manyUses(references: number, parts: number, modes: number, channels: number): Uint8Array {
  const reference = '<GeometryReference Geometry="Part"><Break DMXOffset="1"/></GeometryReference>';
  const channel = '<DMXChannel Offset="1" Geometry="P"><LogicalChannel Attribute="Dimmer"/></DMXChannel>';
  const mode = `<DMXMode Name="M" Geometry="Top"><DMXChannels>${repeat(channel, channels)}</DMXChannels></DMXMode>`;
  const geometries = `<Geometry Name="Top">${repeat(reference, references)}</Geometry><Geometry Name="Part">${repeat('<Geometry Name="P"/>', parts)}</Geometry>`; // prettier-ignore
  const packed = gdtf(`<GDTF><FixtureType Name="Many" Manufacturer="x"><Geometries>${geometries}</Geometries><DMXModes>${repeat(mode, modes)}</DMXModes></FixtureType></GDTF>`); // prettier-ignore
  expect(packed.length).toBeLessThan(6000);
  return packed;
}

const HOSTILE: readonly (readonly [string, string, () => Uint8Array])[] = [
  ["entities that double ten times", "a.qxf", () => bytesOf(`<!DOCTYPE x [<!ENTITY a "lol">${Array.from({ length: 10 }, (_, i) => `<!ENTITY b${i} "&a;&a;">`).join("")}]><x>&b9;</x>`)], // prettier-ignore
  [
    "an entity that is a file",
    "a.qxf",
    () => bytesOf('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
  ],
  ["a document type elsewhere", "a.qxf", () => bytesOf('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd"><x/>')],
  ["an undefined entity", "a.qxf", () => bytesOf(SPOT.replace("Spot 250", "&secret;"))],
  ["elements nested 100,000 deep", "a.qxf", () => bytesOf(repeat("<a>", 100_000))],
  ["JSON nested 1,000,000 deep", "a.json", () => bytesOf(repeat("[", 1_000_000))],
  ["a million elements", "a.qxf", () => bytesOf(`<a>${repeat("<b/>", 1_000_000)}</a>`)],
  [
    "a million attributes",
    "a.qxf",
    () => bytesOf(`<a ${Array.from({ length: 300_000 }, (_, i) => `b${i}=""`).join(" ")}></b>`),
  ],
  ["a file of 5 MB", "a.qxf", () => new Uint8Array(5 * MB)],
  ["zeros", "a.json", () => new Uint8Array(MB)],
  ["nothing", "a.gdtf", () => new Uint8Array(0)],
  ["600 channels", "a.qxf", () => bytesOf(qxf({ channels: RED, modes: mode(Array.from({ length: 600 }, () => "R")) }))],
  [
    "300 modes",
    "a.qxf",
    () => bytesOf(qxf({ channels: RED, modes: Array.from({ length: 300 }, () => mode(["R"])[0]!) })),
  ],
  ["250 modes of 500 channels", "a.qxf", () => bytesOf(qxf({ channels: RED, modes: Array.from({ length: 250 }, () => mode(Array.from({ length: 500 }, () => "R"))[0]!) }).slice(0, 4 * MB))], // prettier-ignore
  ["no modes", "a.qxf", () => bytesOf(qxf({ channels: RED, modes: [] }))],
  ["no model", "a.qxf", () => bytesOf(SPOT.replace("Spot 250", " \u200b "))],
  ["other XML", "a.qxf", () => bytesOf("<html><body>no</body></html>")],
  ["a web page", "a.json", () => bytesOf("<!doctype html><html></html>")],
  ["JSON that is no fixture", "a.json", () => bytesOf('{"name":"x","modes":[]}')],
  ["a prototype as a field", "a.json", () => bytesOf('{"__proto__":{"availableChannels":{}},"name":"x","modes":[]}')],
  ["a million pixels", "a.json", () => bytesOf(JSON.stringify({ ...OFL, matrix: { pixelCount: [100, 100, 100] } }))],
  ["pixels times templates", "a.json", () => bytesOf(JSON.stringify({ ...OFL, matrix: { pixelCount: [512, 1, 1] } }))],
  ["UTF-16 that calls itself UTF-8", "a.qxf", () => Uint8Array.from([...SPOT].flatMap((c) => [c.charCodeAt(0), 0]))],
  ["an unsupported encoding", "a.qxf", () => bytesOf(SPOT.replace("UTF-8", "EBCDIC-CP-US"))],
  ["broken UTF-8", "a.json", () => Uint8Array.of(0x7b, 0xc3, 0x28, 0x7d)],
  ["a zip bomb", "a.gdtf", () => bomb(200, false)],
  ["a zip bomb that lies", "a.gdtf", () => bomb(100, true)],
  ["5,000 packed files", "a.gdtf", () => zipSync(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${i}`, new Uint8Array(0)])))], // prettier-ignore
  ["a zip without description", "a.gdtf", () => zipSync({ "../description.xml": strToU8(GDTF_DESCRIPTION) })],
  ["a zip that is cut off", "a.gdtf", () => gdtf(GDTF_DESCRIPTION).slice(0, 600)],
  ["text in place of a zip", "a.gdtf", () => bytesOf(GDTF_DESCRIPTION)],
  ["geometries that refer to themselves, with channels far away", "a.gdtf", () => gdtf(GDTF_DESCRIPTION.replace('<Beam Name="Lens"/>', '<GeometryReference Name="Lens" Geometry="Pixel"/>').replaceAll('DMXOffset="4"', 'DMXOffset="4000"'))], // prettier-ignore
  ["500 uses of 1,000 parts in each of 250 modes", "a.gdtf", () => manyUses(500, 1000, 250, 0)],
  ["60 channels on 500 uses in each of 250 modes", "a.gdtf", () => manyUses(500, 1, 250, 60)],
  ["no ending", "fixture", () => bytesOf(SPOT)],
  ["an unsupported ending", "a.qxw", () => bytesOf(SPOT)],
];

interface CpuUsage {
  /** Microseconds. */
  readonly user: number;
  readonly system: number;
}
/** Tests run in Node, but the package has no types of it. Processor time does not depend on what else the machine does. */
declare const process: { cpuUsage(since?: CpuUsage): CpuUsage };

describe("hostile files", () => {
  // kept: Stage and lamps | A GDTF file of one kilobyte took 20 s and a gigabyte, and one such file made the whole
  // upload fail | failed on the old code
  it.each(HOSTILE)("rejects %s with a sentence, within 3 s of processor time", (_what, name, make) => {
    const bytes = make();
    const start = process.cpuUsage();
    const reason = reasonFor(name, bytes);
    const { user, system } = process.cpuUsage(start);
    expect(reason).toMatch(/^[A-Z].{5,200}\.$/);
    expect((user + system) / 1e6).toBeLessThan(3);
  });

  it.each([
    ["an attribute named like Object's own", mimic('constructor="x" __proto__="y" toString="z"')],
    ["a channel named __proto__", SPOT.replaceAll(">Programs<", ">__proto__<").replace('"Programs"', '"__proto__"')],
    ["invalid numbers", SPOT.replaceAll('Min="0"', 'Min="-1"').replaceAll('Max="255"', 'Max="1e9"')],
    ["missing heads", SPOT.replace("</Mode>", `${repeat("<Head><Channel>99999</Channel></Head>", 2000)}</Mode>`)],
  ])("reads unusual but valid files: %s", (_what, text) => {
    expect(fixtureDefinitionSchema.safeParse(readFixtureFile("a.qxf", bytesOf(text)).definition).success).toBe(true);
  });

  it("gives a valid definition or a reason for 10,000 corrupted files", () => {
    const random = randomStream(20_260);
    let refused = 0;
    for (let n = 0; n < 10_000; n++) {
      const sample = SAMPLE_FILES[n % SAMPLE_FILES.length]!;
      const bytes = spoil(sample.bytes, random);
      // Sometimes with the name of another format.
      const { name } = n % 17 === 0 ? SAMPLE_FILES[(n + 5) % SAMPLE_FILES.length]! : sample;
      try {
        const { definition } = readFixtureFile(name, bytes);
        const { success, error } = fixtureDefinitionSchema.safeParse(definition);
        expect(error).toBeUndefined();
        expect(success && definition.modes.every(({ channels }) => channels.length <= FIXTURE_LIMITS.channels)).toBe(
          true,
        );
      } catch (error) {
        if (!(error instanceof FixtureFileError)) throw error;
        expect(error.message).toMatch(/^[A-Z].{5,300}\.$/s);
        expect(error.cause).toBeUndefined();
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(2000);
  });
});

function reasonFor(name: string, bytes: Uint8Array): string {
  try {
    readFixtureFile(name, bytes);
    return "";
  } catch (error) {
    if (!(error instanceof FixtureFileError)) throw error;
    return error.message;
  }
}

/** Returns bytes that are cut, flipped, doubled, removed, or have difficult values inserted. */
function spoil(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = () => Math.floor(random() * bytes.length);
  const [a, b] = [at(), at()].toSorted((x, y) => x - y) as [number, number];
  const insert = (text: string) => Uint8Array.from([...bytes.subarray(0, a), ...strToU8(text), ...bytes.subarray(a)]);
  switch (Math.floor(random() * 7)) {
    case 0:
      return bytes.slice(0, a);
    case 1: {
      const flipped = bytes.slice();
      for (let k = 0; k < 1 + random() * 20; k++) flipped[at()] = Math.floor(random() * 256);
      return flipped;
    }
    case 2:
      return Uint8Array.from([...bytes.subarray(0, b), ...bytes.subarray(a)]);
    case 3:
      return Uint8Array.from([...bytes.subarray(0, a), ...bytes.subarray(b)]);
    case 4:
      return insert(ODD[Math.floor(random() * ODD.length)]!);
    case 5: {
      // Replaces numbers in the text.
      const text = String.fromCharCode(...bytes);
      const odd = ODD[Math.floor(random() * ODD.length)]!;
      return strToU8(
        text.replace(/\d+/g, (digits) => (random() < 0.05 ? odd : digits)),
        true,
      );
    }
    default:
      return strToU8(
        String.fromCharCode(...bytes).replaceAll(/"[^"]{1,12}"/g, (word) => (random() < 0.1 ? '""' : word)),
        true,
      );
  }
}

const ODD = [
  "-1",
  "1e999",
  "NaN",
  "999999999999",
  "\0",
  "&x;",
  "<!--",
  "]]>",
  "null",
  "{}",
  "[[",
  "\u202e",
  "0x10",
  '"',
  "<",
  "𝟙",
];
