import { fixtureDefinitionSchema, type FixtureChannel, type FixtureMode } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { hazesIn } from "../bytes.ts";
import { hexOfXyY } from "./gdtf.ts";
import { FIXTURE_LIMITS, readFixtureFile } from "./index.ts";
import { BAR, bytesOf, DIMMER_PACK, gdtf, GDTF_DESCRIPTION, HAZER, LASER, OFL, qxf, SAMPLE_FILES, SCANNER, SPOT } from "./testing/samples.ts"; // prettier-ignore
import { colorOf, doesOf } from "./words.ts";

const read = (name: string, text: string) => readFixtureFile(name, bytesOf(text)).definition;
const kindsOf = (mode: FixtureMode | undefined) => mode?.channels.map(({ kind }) => kind);
const headsIn = (mode: FixtureMode | undefined) => mode?.channels.map(({ head }) => head);
function channelAt(mode: FixtureMode | undefined, slot: number): FixtureChannel {
  const channel = mode?.channels[slot - 1];
  if (!channel) throw new RangeError(`no channel ${slot}`);
  return channel;
}

describe("a QLC+ file", () => {
  const spot = read("spot.qxf", SPOT);
  const [long, short] = spot.modes;

  it("names the lamp by maker, model and format, in words the light table can show", () => {
    expect(spot).toMatchObject({
      key: "wharf-co_spot-250_qlc",
      manufacturer: "Wharf & Co",
      model: "Spot 250",
      name: "Wharf & Co Spot 250",
      type: "moving_head",
    });
    expect(spot.modes.map(({ name, channels }) => [name, channels.length])).toEqual([
      ["Extended", 17],
      ["Short", 5],
    ]);
  });

  it("says what each channel does", () => {
    expect(kindsOf(long)).toEqual([
      ...["pan", "panFine", "tilt", "tiltFine", "panTiltSpeed", "colorWheel", "gobo", "goboRotation", "shutter"],
      ...["intensity", "intensityFine", "zoom", "iris", "prism", "lamp", "program", "noFunction"],
    ]);
  });

  it("finds the slots of a wheel, by what shines through them or by their names, without splits and rotation", () => {
    expect(channelAt(long, 6)).toMatchObject({
      default: 0,
      slots: [
        { value: 0, color: "#ffffff" },
        { value: 24, color: "#ff0000" },
        { value: 34, color: "#0000ff" },
        { value: 44, color: "#ffe600" },
      ],
    });
  });

  it("opens and closes a shutter beside its strobe", () => {
    expect(channelAt(long, 9)).toEqual({
      kind: "shutter",
      head: 0,
      default: 0,
      open: 255,
      closed: 0,
      strobe: { from: 20, to: 239, fromHz: 0.5, toHz: 12 },
    });
  });

  it.each([
    ["speed of heads at its fastest", 5, 255],
    ["gobo open", 7, 49],
    ["gobo at a stand", 8, 127],
    ["zoom in the middle", 12, 128],
    ["iris open", 13, 255],
    ["prism out", 14, 255],
    ["lamp alone", 15, 124],
    ["programs off, whatever the file names as default", 16, 255],
    ["a channel without a description at 0", 17, 0],
  ])("rests with %s", (_what, slot, value) => {
    expect(channelAt(long, slot).default).toBe(value);
  });

  it("dims by the shutter where there is no dimmer, within its range and turned round", () => {
    const [mode] = read("scan.qxf", SCANNER).modes;
    expect(kindsOf(mode)).toEqual(["pan", "tilt", "colorMacro", "intensity"]);
    expect(channelAt(mode, 4)).toMatchObject({ range: { from: 134, to: 8 }, closed: 0, default: 0 });
    expect(channelAt(mode, 3)).toMatchObject({ closed: 255, slots: [{ value: 0 }, { value: 23 }, { value: 55 }] });
    expect(kindsOf(short)).toEqual(["pan", "tilt", "colorWheel", "shutter", "lamp"]);
  });

  it("makes each head of a bar a lamp, and the master theirs together", () => {
    const [mode] = read("bar.qxf", BAR).modes;
    expect(headsIn(mode)).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(channelAt(mode, 2)).toMatchObject({ kind: "shutter", open: 0 });
  });

  it("makes each channel of a dimmer pack a lamp", () => {
    expect(headsIn(read("pack.qxf", DIMMER_PACK).modes[0])).toEqual([1, 2, 3, 4]);
  });

  it("opens a master above another dimmer and dims by one of them", () => {
    const channels = `<Channel Name="M" Preset="IntensityMasterDimmer"/><Channel Name="D" Preset="IntensityDimmer"/><Channel Name="R" Preset="IntensityRed"/>`;
    const [mode] = read("m.qxf", qxf({ channels, modes: [{ name: "a", channels: ["M", "D", "R"] }] })).modes;
    expect(channelAt(mode, 1)).toMatchObject({ range: { from: 255, to: 255 }, closed: 0 });
    expect(channelAt(mode, 2)).toEqual({ kind: "intensity", head: 0, default: 0 });
  });

  // kept: Stage and lamps | The dimmer of a color preset was taken for the lamp's own, and the master dimmer only switched:
  // MagicPanel 602 | failed on the old code
  it("dims by the master dimmer and leaves the dimmer of color presets at rest", () => {
    const channels = `<Channel Name="M" Preset="IntensityMasterDimmer"/><Channel Name="Color Preset Dimmer"><Group Byte="0">Intensity</Group>
      <Capability Min="0" Max="255">Dimmer 100 to 0%</Capability></Channel>`;
    const [mode] = read(
      "m.qxf",
      qxf({ channels, modes: [{ name: "a", channels: ["M", "Color Preset Dimmer"] }] }),
    ).modes;
    expect(channelAt(mode, 1)).toEqual({ kind: "intensity", head: 0, default: 0 });
    expect(channelAt(mode, 2).kind).toBe("program");
  });

  it("never drives what lases, nor of a hazer what heats or times it, and rests both off", () => {
    const [haze] = read("haze.qxf", HAZER).modes;
    const [laser] = read("laser.qxf", LASER).modes;
    expect(haze?.channels.map((c) => [c.kind, c.default])).toEqual([
      ["fog", 0],
      ["fog", 0],
      ["effect", 255],
    ]);
    expect(laser?.channels.map((c) => [c.kind, c.default])).toEqual([
      ["laser", 255],
      ["laser", 0],
    ]);
  });

  it("knows of a hazer what is all of its haze, and leaves one whole at rest of which no channel says that it hazes", () => {
    const hazerOf = (name: string, capabilities: readonly (readonly [number, number, string])[]) => {
      const ranges = capabilities.map(
        ([min, max, words]) => `<Capability Min="${min}" Max="${max}">${words}</Capability>`,
      );
      const channels = `<Channel Name="${name}"><Group Byte="0">Effect</Group>${ranges.join("")}</Channel>`;
      return read("h.qxf", qxf({ type: "Hazer", channels, modes: [{ name: "a", channels: [name] }] })).modes[0]!;
    };
    const haze = hazerOf("Haze", [[0, 9, "Off"], [10, 249, "Haze 0-100%"], [250, 255, "Purge"]]); // prettier-ignore
    expect(haze.channels).toEqual([{ kind: "fog", head: 0, default: 0, range: { from: 0, to: 249 } }]);
    expect(hazesIn(haze)).toBe(true);
    const odd = hazerOf("Timer", [[0, 255, "Interval 0-100%"]]);
    expect(odd.channels).toEqual([{ kind: "fog", head: 0, default: 0, range: { from: 0, to: 0 } }]);
    expect(hazesIn(odd)).toBe(false);
  });

  it("reads channels in the order of their numbers, and modes of one name apart", () => {
    const channels = `<Channel Name="R" Preset="IntensityRed"/><Channel Name="G" Preset="IntensityGreen"/>`;
    const text = qxf({
      channels,
      modes: [
        { name: "a", channels: ["R", "G"] },
        { name: "a", channels: ["G"] },
      ],
    })
      .replace('Number="0">R', 'Number="1">R')
      .replace('Number="1">G', 'Number="0">G');
    const { modes } = read("x.qxf", text);
    expect(modes.map((mode) => [mode.name, kindsOf(mode)])).toEqual([
      ["a", ["green", "red"]],
      ["a (2)", ["green"]],
    ]);
  });
});

describe("an Open Fixture Library file", () => {
  const fixture = read("wharf-co/wheel-2000.json", JSON.stringify(OFL));
  const [spot, pixels, turned] = fixture.modes;

  it("has its maker from its folder", () => {
    expect(fixture).toMatchObject({ key: "wharf-co_wheel-2000_ofl", manufacturer: "Wharf Co", type: "moving_head" });
    expect(read("x.json", JSON.stringify({ ...OFL, manufacturerKey: "bay-lights" })).manufacturer).toBe("Bay Lights");
  });

  it("says what each channel does, holes and switched channels too", () => {
    expect(kindsOf(spot)).toEqual([
      ...["pan", "panFine", "intensity", "intensityFine", "shutter", "colorWheel", "gobo", "reset"],
      ...["panTiltSpeed", "noFunction"],
    ]);
    expect(spot?.channels.map((c) => c.default)).toEqual([128, 0, 0, 0, 0, 0, 149, 255, 255, 0]);
  });

  it("finds the slots of its wheel and the states of its shutter", () => {
    expect(channelAt(spot, 6).slots).toEqual([
      { value: 0, color: "#ffffff" },
      { value: 14, color: "#dd0000" },
      { value: 34, color: "#0000ff" },
    ]);
    expect(channelAt(spot, 5)).toMatchObject({ open: 14, closed: 0, strobe: { fromHz: 1, toHz: 20 } });
  });

  it("repeats templates for every pixel, in the order the mode asks for", () => {
    const rgb = ["red", "green", "blue"];
    expect(kindsOf(pixels)).toEqual(["intensity", ...rgb, ...rgb]);
    expect(headsIn(pixels)).toEqual([0, 1, 1, 1, 2, 2, 2]);
  });

  it("takes a group of all pixels for what they share", () => {
    const insert = { insert: "matrixChannels", repeatFor: ["1", "2", "Master"], channelOrder: "perPixel", templateChannels: ["Red $pixelKey"] }; // prettier-ignore
    for (const group of ["all", ["1", "2"]]) {
      const matrix = { pixelKeys: [[["1", "2"]]], pixelGroups: { Master: group } };
      const text = JSON.stringify({ ...OFL, matrix, modes: [{ name: "a", channels: [insert] }] });
      expect(headsIn(read("m/a.json", text).modes[0])).toEqual([1, 2, 0]);
    }
  });

  it("turns a dimmer round whose light falls", () => {
    expect(channelAt(turned, 1)).toMatchObject({ range: { from: 255, to: 0 }, default: 255 });
  });
});

describe("a GDTF file", () => {
  const fixture = readFixtureFile("gate.gdtf", gdtf(GDTF_DESCRIPTION)).definition;
  const [spot, pixels] = fixture.modes;

  it("says what each channel does, in 8 bit", () => {
    expect(fixture).toMatchObject({ key: "wharf_gate-7_gdtf", type: "moving_head" });
    expect(kindsOf(spot)).toEqual([
      ...["pan", "panFine", "intensity", "intensityFine", "shutter", "colorWheel", "lamp", "gobo"],
    ]);
    expect(spot?.channels.map((c) => c.default)).toEqual([128, 0, 0, 0, 0, 0, 255, 255]);
  });

  it("reads sets of a shutter and slots of a wheel", () => {
    expect(channelAt(spot, 5)).toMatchObject({ open: 23, closed: 0 });
    expect(channelAt(spot, 6).slots?.map(({ value }) => value)).toEqual([0, 14, 24]);
    expect(channelAt(spot, 6).slots?.[1]?.color).toMatch(/^#ff[0-3]/);
  });

  it("repeats a geometry's channels wherever it is referred to, each a head", () => {
    const rgb = ["red", "green", "blue"];
    expect(kindsOf(pixels)).toEqual([...rgb, ...rgb, "intensity"]);
    expect(headsIn(pixels)).toEqual([1, 1, 1, 2, 2, 2, 0]);
  });

  it.each([
    ["0.3127,0.3290,100", /^#f[c-f]f[c-f]f[c-f]$/],
    ["0.15,0.06,5", /^#0000ff$/],
    ["0.3,0.6,50", /^#00ff0/],
  ])("turns the colour %s into light", (text, hex) => {
    expect(hexOfXyY(text)).toMatch(hex);
  });

  it.each(["", "0,0,0", "0.3,0.3,0", "a,b,c", "0.3"])("knows no light in %j", (text) => {
    expect(hexOfXyY(text)).toBeUndefined();
  });
});

describe("a zoom", () => {
  const ofQxf = (preset: string, inside = "") => {
    const channels = `<Channel Name="Zoom"${preset}>${inside}</Channel>`;
    return channelAt(read("z.qxf", qxf({ channels, modes: [{ name: "a", channels: ["Zoom"] }] })).modes[0], 1);
  };
  const inWords = (...ranges: string[]) =>
    ofQxf("", `<Group Byte="0">Beam</Group>${ranges.map((range) => `<Capability ${range}</Capability>`).join("")}`);
  const ofOfl = (...capabilities: object[]) => {
    const availableChannels = { Zoom: { capabilities: capabilities.map((each) => ({ type: "Zoom", ...each })) } };
    const text = JSON.stringify({ ...OFL, availableChannels, modes: [{ name: "a", channels: ["Zoom"] }] });
    return channelAt(read("m/z.json", text).modes[0], 1);
  };
  const ofGdtf = (ends: string) => {
    const text = GDTF_DESCRIPTION.replaceAll('Attribute="Gobo1"', `Attribute="Zoom" ${ends}`);
    return channelAt(readFixtureFile("z.gdtf", gdtf(text)).definition.modes[0], 8);
  };

  it.each([
    [ofQxf(' Preset="BeamZoomSmallBig"'), { from: 0, to: 255 }],
    [ofQxf(' Preset="BeamZoomBigSmall"'), { from: 255, to: 0 }],
    [inWords('Min="0" Max="199">Wide -&gt; narrow', 'Min="200" Max="255">Auto zoom max-min'), { from: 199, to: 0 }],
    [inWords('Min="0" Max="9">Frost', 'Min="10" Max="255">Zoom (narrow to wide)'), { from: 10, to: 255 }],
    [ofOfl({ dmxRange: [0, 255], angleStart: "narrow", angleEnd: "wide" }), { from: 0, to: 255 }],
    [
      ofOfl({ dmxRange: [0, 254], angleStart: "60deg", angleEnd: "7deg" }, { dmxRange: [255, 255], angle: "6deg" }),
      { from: 254, to: 0 },
    ],
    [ofGdtf('PhysicalFrom="8" PhysicalTo="46"'), { from: 0, to: 255 }],
    [ofGdtf('PhysicalFrom="46" PhysicalTo="8"'), { from: 255, to: 0 }],
  ])("is driven from its narrow to its wide end: %j", (channel, range) => {
    expect(channel).toMatchObject({ kind: "zoom", range });
    expect(channel.default).toBeCloseTo((range.from + range.to) / 2, -0.5);
  });

  it.each([
    inWords('Min="0" Max="255">Zoom'),
    inWords('Min="0" Max="127">Zoom 15°', 'Min="128" Max="255">Zoom 22°'),
    ofOfl({ dmxRange: [0, 127], angle: "narrow" }, { dmxRange: [128, 255], angle: "wide" }),
    ofQxf(
      ' Preset="BeamZoomSmallBig"',
      '<Capability Min="0" Max="199">Size</Capability><Capability Min="200" Max="255">Reset</Capability>',
    ),
    ofGdtf(""),
    ofGdtf('PhysicalFrom="20" PhysicalTo="20"'),
  ])("rests where the file does not say which end is which: %j", (channel) => {
    expect(channel).toMatchObject({ kind: "zoom" });
    expect(channel.range).toBeUndefined();
  });
});

describe("every format", () => {
  it.each(SAMPLE_FILES)("gives a definition of the contract: $name", ({ name, bytes }) => {
    const { definition } = readFixtureFile(name, bytes);
    expect(fixtureDefinitionSchema.parse(definition)).toEqual(definition);
  });

  it("reads UTF-16 and Latin-1 where the file says so", () => {
    const utf16 = Uint8Array.from([
      0xff,
      0xfe,
      ...[...SPOT].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]),
    ]);
    expect(readFixtureFile("a.qxf", utf16).definition.model).toBe("Spot 250");
    const latin = SPOT.replace("UTF-8", "ISO-8859-1").replace("Wharf", "W\u00e4rf");
    const bytes = Uint8Array.from(latin, (c) => c.charCodeAt(0));
    expect(readFixtureFile("a.qxf", bytes).definition.manufacturer).toBe("W\u00e4rf & Co");
  });

  it("keeps names to one clean line", () => {
    const text = SPOT.replace("<Model>Spot 250", `<Model>\u202e A\n\tB&#x200b;${"long ".repeat(90)}`);
    const { model } = read("a.qxf", text);
    expect(model).toMatch(/^A B/);
    expect(model.length).toBeLessThanOrEqual(FIXTURE_LIMITS.name);
  });
});

describe("words", () => {
  it.each([
    ["No function", "nothing"],
    ["Strobe off", "nothing"],
    ["Open", "open"],
    ["Shutter closed", "closed"],
    ["Blackout", "closed"],
    ["Strobe slow to fast", "strobe"],
    ["Lamp off after 3 seconds", "machine"],
    ["Zoom reset", "machine"],
    ["Internal program 2", "machine"],
    ["Sound active", "machine"],
    ["Gobo 4", "other"],
  ])("%s: %s", (text, does) => {
    expect(doesOf(text)).toBe(does);
  });

  it.each([
    ["Dark blue (fast)", "#0000c8"],
    ["Red", "#ff0000"],
    ["Red / white", undefined],
    ["Rainbow", undefined],
    ["Gobo 2", undefined],
  ])("the colour of %s is %s", (text, color) => {
    expect(colorOf(text)).toBe(color);
  });
});

describe("how far heads turn and how wide beams are", () => {
  const anglesOf = (file: string, bytes: Uint8Array) =>
    readFixtureFile(file, bytes).definition.modes.map(({ movement, beam }) => ({ movement, beam }));

  it("is read from a QLC+ file, of a mode from what differs in it; 0 is an unknown angle", () => {
    expect(anglesOf("spot.qxf", bytesOf(SPOT))).toEqual([
      { movement: { pan: 530, tilt: 280 }, beam: { from: 12, to: 30 } },
      { movement: { pan: 360 }, beam: undefined },
    ]);
    expect(anglesOf("scan.qxf", bytesOf(SCANNER))).toEqual([{ movement: undefined, beam: undefined }]);
  });

  it("is read from an Open Fixture Library file: pan by its angles, the lens of the lamp; pixels do not turn", () => {
    const [spot, pixels] = anglesOf("wharf-co/wheel.json", bytesOf(JSON.stringify(OFL)));
    expect(spot).toEqual({ movement: { pan: 540 }, beam: { from: 7, to: 42 } });
    expect(pixels!.movement).toBeUndefined();
  });

  it("is read from a GDTF file: pan by its ends and how long it takes from one to the other, the angle of the beam", () => {
    // From -270 to 270 degrees in 2.25 s.
    expect(anglesOf("gate.gdtf", gdtf(GDTF_DESCRIPTION))[0]).toEqual({
      movement: { pan: 540, panSpeed: 240 },
      beam: { from: 18.5, to: 18.5 },
    });
  });

  it("is left out where a file says what cannot be", () => {
    for (const angle of ["-5", "99999", "wide", "NaN"]) {
      const text = SPOT.replaceAll('PanMax="530"', `PanMax="${angle}"`).replaceAll(
        'DegreesMax="30"',
        'DegreesMax="700"',
      );
      expect(anglesOf("spot.qxf", bytesOf(text))[0]).toEqual({ movement: { tilt: 280 }, beam: undefined });
    }
  });
});
