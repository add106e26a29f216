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

  it("has manufacturer, model and format in its key, in words that the light table can show", () => {
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

  it("gives the kind of each channel", () => {
    expect(kindsOf(long)).toEqual([
      ...["pan", "panFine", "tilt", "tiltFine", "panTiltSpeed", "colorWheel", "gobo", "goboRotation", "shutter"],
      ...["intensity", "intensityFine", "zoom", "iris", "prism", "lamp", "program", "noFunction"],
    ]);
  });

  it("gives the slots of a wheel by their color or name, without split colors and rotation", () => {
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

  it("gives the open and closed values of a shutter beside its strobe", () => {
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
    ["the fastest speed of heads", 5, 255],
    ["an open gobo", 7, 49],
    ["a stopped gobo", 8, 127],
    ["zoom in the middle", 12, 128],
    ["an open iris", 13, 255],
    ["the prism out", 14, 255],
    ["the lamp unchanged", 15, 124],
    ["programs off, whatever default the file gives", 16, 255],
    ["0 on a channel without a description", 17, 0],
  ])("rests with %s", (_what, slot, value) => {
    expect(channelAt(long, slot).default).toBe(value);
  });

  it("dims by the shutter without a dimmer, within an inverted range", () => {
    const [mode] = read("scan.qxf", SCANNER).modes;
    expect(kindsOf(mode)).toEqual(["pan", "tilt", "colorMacro", "intensity"]);
    expect(channelAt(mode, 4)).toMatchObject({ range: { from: 134, to: 8 }, closed: 0, default: 0 });
    expect(channelAt(mode, 3)).toMatchObject({ closed: 255, slots: [{ value: 0 }, { value: 23 }, { value: 55 }] });
    expect(kindsOf(short)).toEqual(["pan", "tilt", "colorWheel", "shutter", "lamp"]);
  });

  it("treats each head of a bar as a separate head, with a shared master dimmer", () => {
    const [mode] = read("bar.qxf", BAR).modes;
    expect(headsIn(mode)).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(channelAt(mode, 2)).toMatchObject({ kind: "shutter", open: 0 });
  });

  it("treats each channel of a dimmer pack as a head", () => {
    expect(headsIn(read("pack.qxf", DIMMER_PACK).modes[0])).toEqual([1, 2, 3, 4]);
  });

  it("opens a master above another dimmer and dims only by the other", () => {
    const channels = `<Channel Name="M" Preset="IntensityMasterDimmer"/><Channel Name="D" Preset="IntensityDimmer"/><Channel Name="R" Preset="IntensityRed"/>`;
    const [mode] = read("m.qxf", qxf({ channels, modes: [{ name: "a", channels: ["M", "D", "R"] }] })).modes;
    expect(channelAt(mode, 1)).toMatchObject({ range: { from: 255, to: 255 }, closed: 0 });
    expect(channelAt(mode, 2)).toEqual({ kind: "intensity", head: 0, default: 0 });
  });

  // kept: Stage and lamps | The dimmer of a color preset was mistaken for the fixture's own, and the master dimmer only
  // switched: MagicPanel 602 | failed on the old code
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

  it("never drives lasers, or the heater and timer of a hazer, and rests both off", () => {
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

  it("gives the value of full haze, and rests a hazer completely if no channel is known to make haze", () => {
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

  it("reads channels in the order of their numbers, and gives modes of one name distinct names", () => {
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

  it("takes its manufacturer from its folder", () => {
    expect(fixture).toMatchObject({ key: "wharf-co_wheel-2000_ofl", manufacturer: "Wharf Co", type: "moving_head" });
    expect(read("x.json", JSON.stringify({ ...OFL, manufacturerKey: "bay-lights" })).manufacturer).toBe("Bay Lights");
  });

  it("gives the kind of each channel, including gaps and switching channels", () => {
    expect(kindsOf(spot)).toEqual([
      ...["pan", "panFine", "intensity", "intensityFine", "shutter", "colorWheel", "gobo", "reset"],
      ...["panTiltSpeed", "noFunction"],
    ]);
    expect(spot?.channels.map((c) => c.default)).toEqual([128, 0, 0, 0, 0, 0, 149, 255, 255, 0]);
  });

  it("gives the slots of its wheel and the states of its shutter", () => {
    expect(channelAt(spot, 6).slots).toEqual([
      { value: 0, color: "#ffffff" },
      { value: 14, color: "#dd0000" },
      { value: 34, color: "#0000ff" },
    ]);
    expect(channelAt(spot, 5)).toMatchObject({ open: 14, closed: 0, strobe: { fromHz: 1, toHz: 20 } });
  });

  it("repeats templates for every pixel, in the order of the mode", () => {
    const rgb = ["red", "green", "blue"];
    expect(kindsOf(pixels)).toEqual(["intensity", ...rgb, ...rgb]);
    expect(headsIn(pixels)).toEqual([0, 1, 1, 1, 2, 2, 2]);
  });

  it("treats a group of all pixels as shared", () => {
    const insert = { insert: "matrixChannels", repeatFor: ["1", "2", "Master"], channelOrder: "perPixel", templateChannels: ["Red $pixelKey"] }; // prettier-ignore
    for (const group of ["all", ["1", "2"]]) {
      const matrix = { pixelKeys: [[["1", "2"]]], pixelGroups: { Master: group } };
      const text = JSON.stringify({ ...OFL, matrix, modes: [{ name: "a", channels: [insert] }] });
      expect(headsIn(read("m/a.json", text).modes[0])).toEqual([1, 2, 0]);
    }
  });

  it("inverts the range of a dimmer with falling brightness", () => {
    expect(channelAt(turned, 1)).toMatchObject({ range: { from: 255, to: 0 }, default: 255 });
  });
});

describe("a GDTF file", () => {
  const fixture = readFixtureFile("gate.gdtf", gdtf(GDTF_DESCRIPTION)).definition;

  // kept: Stage and lamps | A yellow LED of a GDTF file stayed dark | failed on the old code
  it.each([
    ["R", "red"],
    ["W", "white"],
    ["RY", "amber"],
    ["A", "amber"],
    ["Y", "amber"],
    ["GY", "lime"],
    ["BM", "indigo"],
    ["UV", "uv"],
    ["RM", "effect"],
  ])("has the emitter ColorAdd_%s as %s", (emitter, kind) => {
    const text = GDTF_DESCRIPTION.replaceAll("ColorAdd_B", `ColorAdd_${emitter}`);
    const modes = readFixtureFile("led.gdtf", gdtf(text)).definition.modes;
    expect(modes.find(({ name }) => name.startsWith("Pixels"))?.channels.map((channel) => channel.kind)).toContain(
      kind,
    );
  });
  const [spot, pixels] = fixture.modes;

  it("gives the kind of each channel, in 8 bits", () => {
    expect(fixture).toMatchObject({ key: "wharf_gate-7_gdtf", type: "moving_head" });
    expect(kindsOf(spot)).toEqual([
      ...["pan", "panFine", "intensity", "intensityFine", "shutter", "colorWheel", "lamp", "gobo"],
    ]);
    expect(spot?.channels.map((c) => c.default)).toEqual([128, 0, 0, 0, 0, 0, 255, 255]);
  });

  it("reads the sets of a shutter and the slots of a wheel", () => {
    expect(channelAt(spot, 5)).toMatchObject({ open: 23, closed: 0 });
    expect(channelAt(spot, 6).slots?.map(({ value }) => value)).toEqual([0, 14, 24]);
    expect(channelAt(spot, 6).slots?.[1]?.color).toMatch(/^#ff[0-3]/);
  });

  it("repeats the channels of a geometry for each reference, each as a head", () => {
    const rgb = ["red", "green", "blue"];
    expect(kindsOf(pixels)).toEqual([...rgb, ...rgb, "intensity"]);
    expect(headsIn(pixels)).toEqual([1, 1, 1, 2, 2, 2, 0]);
  });

  it.each([
    ["0.3127,0.3290,100", /^#f[c-f]f[c-f]f[c-f]$/],
    ["0.15,0.06,5", /^#0000ff$/],
    ["0.3,0.6,50", /^#00ff0/],
  ])("converts the color %s", (text, hex) => {
    expect(hexOfXyY(text)).toMatch(hex);
  });

  it.each(["", "0,0,0", "0.3,0.3,0", "a,b,c", "0.3"])("gives no color for %j", (text) => {
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
  ])("rests if the file does not tell which end is wide: %j", (channel) => {
    expect(channel).toMatchObject({ kind: "zoom" });
    expect(channel.range).toBeUndefined();
  });
});

describe("every format", () => {
  it.each(SAMPLE_FILES)("gives a valid definition: $name", ({ name, bytes }) => {
    const { definition } = readFixtureFile(name, bytes);
    expect(fixtureDefinitionSchema.parse(definition)).toEqual(definition);
  });

  it("reads UTF-16 and Latin-1 if declared", () => {
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

  it("reduces names to one clean line", () => {
    const text = SPOT.replace("<Model>Spot 250", `<Model>\u202e A\n\tB&#x200b;${"long ".repeat(90)}`);
    const { model } = read("a.qxf", text);
    expect(model).toMatch(/^A B/);
    expect(model.length).toBeLessThanOrEqual(FIXTURE_LIMITS.name);
  });
});

describe("text of ranges", () => {
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
  ])("the color of %s is %s", (text, color) => {
    expect(colorOf(text)).toBe(color);
  });
});

describe("travel and beam angles", () => {
  const anglesOf = (file: string, bytes: Uint8Array) =>
    readFixtureFile(file, bytes).definition.modes.map(({ movement, beam }) => ({ movement, beam }));

  it("are read from a QLC+ file, per mode if different; 0 is unknown", () => {
    expect(anglesOf("spot.qxf", bytesOf(SPOT))).toEqual([
      { movement: { pan: 530, tilt: 280 }, beam: { from: 12, to: 30 } },
      { movement: { pan: 360 }, beam: undefined },
    ]);
    expect(anglesOf("scan.qxf", bytesOf(SCANNER))).toEqual([{ movement: undefined, beam: undefined }]);
  });

  it("are read from an Open Fixture Library file: pan angles and the lens; pixels have no movement", () => {
    const [spot, pixels] = anglesOf("wharf-co/wheel.json", bytesOf(JSON.stringify(OFL)));
    expect(spot).toEqual({ movement: { pan: 540 }, beam: { from: 7, to: 42 } });
    expect(pixels!.movement).toBeUndefined();
  });

  it("are read from a GDTF file: pan range, its fade time and the beam angle", () => {
    // From -270 to 270 degrees in 2.25 s.
    expect(anglesOf("gate.gdtf", gdtf(GDTF_DESCRIPTION))[0]).toEqual({
      movement: { pan: 540, panSpeed: 240 },
      beam: { from: 18.5, to: 18.5 },
    });
  });

  it("are left out if they are impossible", () => {
    for (const angle of ["-5", "99999", "wide", "NaN"]) {
      const text = SPOT.replaceAll('PanMax="530"', `PanMax="${angle}"`).replaceAll(
        'DegreesMax="30"',
        'DegreesMax="700"',
      );
      expect(anglesOf("spot.qxf", bytesOf(text))[0]).toEqual({ movement: { tilt: 280 }, beam: undefined });
    }
  });
});
