import { strToU8, zipSync } from "fflate";

/** Small fixtures of our own in every format, with the difficulties of real files. */

export const bytesOf = (text: string): Uint8Array => strToU8(text);

interface QxfSample {
  readonly model?: string;
  readonly type?: string;
  readonly channels: string;
  /** Channel names of each mode, and heads if there are any. */
  readonly modes: readonly {
    readonly name: string;
    readonly channels: readonly string[];
    readonly heads?: readonly (readonly number[])[];
    /** Physical data that differ in this mode. */
    readonly physical?: string;
  }[];
  readonly physical?: string;
}

export function qxf({ model = "Sample", type = "Moving Head", channels, modes, physical = "" }: QxfSample): string {
  const modeText = modes.map(
    ({ name, channels: names, heads = [], physical: own = "" }) => `<Mode Name="${name}">
${own}
${names.map((channel, i) => `  <Channel Number="${i}">${channel}</Channel>`).join("\n")}
${heads.map((own) => `  <Head>${own.map((n) => `<Channel>${n}</Channel>`).join("")}</Head>`).join("\n")}
 </Mode>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE FixtureDefinition>
<FixtureDefinition xmlns="http://www.qlcplus.org/FixtureDefinition">
 <Creator><Name>Followspot</Name><Version>1</Version><Author>us</Author></Creator>
 <Manufacturer>Wharf &amp; Co</Manufacturer>
 <Model>${model}</Model>
 <Type>${type}</Type>
 ${channels}
 ${modeText.join("\n ")}
 ${physical}
</FixtureDefinition>`;
}

/** A moving head with everything: wheel, gobo, combined shutter, lamp, reset, programs, 16 bits. */
export const SPOT = qxf({
  model: "Spot 250",
  physical: `<Physical><Bulb Type="HID" Lumens="0" ColourTemperature="0"/><Lens Name="PC" DegreesMin="12" DegreesMax="30"/>
  <Focus Type="Head" PanMax="530" TiltMax="280"/></Physical>`,
  channels: `
 <Channel Name="Pan" Preset="PositionPan"/><Channel Name="Pan fine" Preset="PositionPanFine"/>
 <Channel Name="Tilt" Preset="PositionTilt"/><Channel Name="Tilt fine" Preset="PositionTiltFine"/>
 <Channel Name="Speed" Preset="SpeedPanTiltSlowFast"/>
 <Channel Name="Colour wheel"><Group Byte="0">Colour</Group>
  <Capability Min="0" Max="9" Preset="ColorMacro" Res1="#ffffff">Open</Capability>
  <Capability Min="10" Max="19" Preset="ColorDoubleMacro" Res1="#ffffff" Res2="#ff0000">White / red</Capability>
  <Capability Min="20" Max="29" Preset="ColorMacro" Res1="#ff0000">Red</Capability>
  <Capability Min="30" Max="39" Preset="ColorMacro" Res1="#0000ff">Blue</Capability>
  <Capability Min="40" Max="49">Canary</Capability>
  <Capability Min="50" Max="199" Preset="RotationClockwiseSlowToFast">Rotation</Capability>
  <Capability Min="200" Max="255">Audio active</Capability></Channel>
 <Channel Name="Gobo"><Group Byte="0">Gobo</Group>
  <Capability Min="0" Max="19" Preset="GoboShakeMacro">Gobo 1 shake</Capability>
  <Capability Min="20" Max="39" Preset="GoboMacro">Gobo 1</Capability>
  <Capability Min="40" Max="59" Preset="GoboMacro">Open</Capability>
  <Capability Min="60" Max="255">Rotation</Capability></Channel>
 <Channel Name="Gobo rotation"><Group Byte="0">Gobo</Group>
  <Capability Min="0" Max="119">Clockwise</Capability>
  <Capability Min="120" Max="135" Preset="RotationStop">Stop</Capability>
  <Capability Min="136" Max="255">Counterclockwise</Capability></Channel>
 <Channel Name="Shutter"><Group Byte="0">Shutter</Group>
  <Capability Min="0" Max="19" Preset="ShutterClose">Closed</Capability>
  <Capability Min="20" Max="239" Preset="StrobeFreqRange" Res1="0.5" Res2="12">Strobe</Capability>
  <Capability Min="240" Max="255" Preset="ShutterOpen">Open</Capability></Channel>
 <Channel Name="Dimmer" Preset="IntensityMasterDimmer"/><Channel Name="Dimmer fine" Preset="IntensityMasterDimmerFine"/>
 <Channel Name="Zoom" Preset="BeamZoomSmallBig"/>
 <Channel Name="Iris" Preset="ShutterIrisMinToMax"/>
 <Channel Name="Prism"><Group Byte="0">Prism</Group>
  <Capability Min="0" Max="99">Rotates</Capability><Capability Min="100" Max="255" Preset="PrismEffectOff">Out</Capability></Channel>
 <Channel Name="Lamp and reset"><Group Byte="0">Maintenance</Group>
  <Capability Min="0" Max="99" Preset="LampOff">Lamp off</Capability>
  <Capability Min="100" Max="149">Idle</Capability>
  <Capability Min="150" Max="199" Preset="LampOn">Lamp on</Capability>
  <Capability Min="200" Max="255" Preset="ResetAll">Reset</Capability></Channel>
 <Channel Name="Programs" Default="90"><Group Byte="0">Effect</Group>
  <Capability Min="0" Max="99">Program 1</Capability><Capability Min="100" Max="199">Sound program</Capability>
  <Capability Min="200" Max="255">No function</Capability></Channel>`,
  modes: [
    {
      name: "Extended",
      channels: [
        ...["Pan", "Pan fine", "Tilt", "Tilt fine", "Speed", "Colour wheel", "Gobo", "Gobo rotation", "Shutter"],
        ...["Dimmer", "Dimmer fine", "Zoom", "Iris", "Prism", "Lamp and reset", "Programs", "Nowhere"],
      ],
    },
    {
      name: "Short",
      channels: ["Pan", "Tilt", "Colour wheel", "Shutter", "Lamp and reset"],
      physical: `<Physical><Lens Name="Other" DegreesMin="0" DegreesMax="0"/><Focus Type="Head" PanMax="360" TiltMax="0"/></Physical>`,
    },
  ],
});

/** An old scanner: dimmer and shutter in one channel, colors by name only. */
export const SCANNER = qxf({
  model: "Scan 1",
  type: "Scanner",
  channels: `
 <Channel Name="X" Preset="PositionXAxis"/><Channel Name="Y" Preset="PositionYAxis"/>
 <Channel Name="Colours"><Group Byte="0">Colour</Group>
  <Capability Min="0" Max="15">White</Capability><Capability Min="16" Max="31">Dark blue</Capability>
  <Capability Min="32" Max="47">Red / orange</Capability><Capability Min="48" Max="63">Orange</Capability>
  <Capability Min="64" Max="255">Blackout</Capability></Channel>
 <Channel Name="Light"><Group Byte="0">Intensity</Group>
  <Capability Min="0" Max="7">Closed</Capability><Capability Min="8" Max="134">Dimmer (100% - 0%)</Capability>
  <Capability Min="135" Max="239">Strobe speed (slow to fast)</Capability><Capability Min="240" Max="255">Open</Capability></Channel>`,
  modes: [{ name: "4 channels", channels: ["X", "Y", "Colours", "Light"] }],
});

/** A bar of three pixels with a master dimmer. */
export const BAR = qxf({
  model: "Bar 3",
  type: "LED Bar (Pixels)",
  channels: `<Channel Name="Master" Preset="IntensityMasterDimmer"/><Channel Name="Strobe" Preset="ShutterStrobeSlowFast"/>
${[1, 2, 3].map((n) => `<Channel Name="Red ${n}" Preset="IntensityRed"/><Channel Name="Green ${n}" Preset="IntensityGreen"/><Channel Name="Blue ${n}" Preset="IntensityBlue"/>`).join("")}`,
  modes: [
    {
      name: "11 channels",
      channels: ["Master", "Strobe", ...[1, 2, 3].flatMap((n) => [`Red ${n}`, `Green ${n}`, `Blue ${n}`])],
      heads: [
        [0, 2, 3, 4],
        [0, 5, 6, 7],
        [0, 8, 9, 10],
      ],
    },
  ],
});

export const DIMMER_PACK = qxf({
  model: "Pack",
  type: "Dimmer",
  channels: [1, 2, 3, 4].map((n) => `<Channel Name="Dimmer ${n}" Preset="IntensityDimmer"/>`).join(""),
  modes: [{ name: "4 channels", channels: [1, 2, 3, 4].map((n) => `Dimmer ${n}`) }],
});

export const HAZER = qxf({
  model: "Haze",
  type: "Hazer",
  channels: `<Channel Name="Haze"><Group Byte="0">Intensity</Group><Capability Min="0" Max="255">Haze 0-100%</Capability></Channel>
<Channel Name="Fan" Preset="IntensityDimmer"/>
<Channel Name="Heater"><Group Byte="0">Maintenance</Group><Capability Min="0" Max="9">Machine shutdown</Capability>
<Capability Min="10" Max="255">No function</Capability></Channel>`,
  modes: [{ name: "3 channels", channels: ["Haze", "Fan", "Heater"] }],
});

export const LASER = qxf({
  model: "Beam",
  type: "Laser",
  channels: `<Channel Name="Mode"><Group Byte="0">Maintenance</Group><Capability Min="0" Max="49">Music mode</Capability>
<Capability Min="50" Max="255">Laser off</Capability></Channel><Channel Name="Red" Preset="IntensityRed"/>`,
  modes: [{ name: "2 channels", channels: ["Mode", "Red"] }],
});

/**
 * An Open Fixture Library moving head with a 16-bit dimmer, a wheel, a switching channel and a matrix of two pixels.
 */
export const OFL = {
  $schema: "https://example.org/fixture.json",
  name: "Wheel 2000",
  categories: ["Moving Head"],
  physical: { lens: { name: "Fresnel", degreesMinMax: [7, 42] } },
  wheels: {
    Colours: {
      slots: [
        { type: "Open" },
        { type: "Color", name: "Deep Red", colors: ["#dd0000"] },
        { type: "Color", name: "Two", colors: ["#00ff00", "#0000ff"] },
        { type: "Color", name: "Blue" },
      ],
    },
    Gobos: { slots: [{ type: "Gobo", name: "Stars" }, { type: "Open" }] },
  },
  matrix: { pixelCount: [2, 1, 1] },
  availableChannels: {
    Pan: {
      fineChannelAliases: ["Pan fine"],
      defaultValue: "50%",
      capability: { type: "Pan", angleStart: "0deg", angleEnd: "540deg" },
    },
    Dimmer: { fineChannelAliases: ["Dimmer fine"], capability: { type: "Intensity" } },
    Reverse: { capability: { type: "Intensity", brightnessStart: "bright", brightnessEnd: "off" } },
    Shutter: {
      capabilities: [
        { dmxRange: [0, 9], type: "ShutterStrobe", shutterEffect: "Closed" },
        { dmxRange: [10, 19], type: "ShutterStrobe", shutterEffect: "Open" },
        { dmxRange: [20, 255], type: "ShutterStrobe", shutterEffect: "Strobe", speedStart: "1Hz", speedEnd: "20Hz" },
      ],
    },
    Colours: {
      capabilities: [
        { dmxRange: [0, 9], type: "WheelSlot", slotNumber: 1 },
        { dmxRange: [10, 19], type: "WheelSlot", slotNumber: 2 },
        { dmxRange: [20, 29], type: "WheelSlot", slotNumber: 3 },
        { dmxRange: [30, 39], type: "WheelSlot", slotNumber: 4 },
        { dmxRange: [40, 49], type: "WheelSlot", slotNumber: 1.5 },
        { dmxRange: [50, 255], type: "WheelRotation", speedStart: "slow CW", speedEnd: "fast CW" },
      ],
    },
    Gobos: {
      capabilities: [
        { dmxRange: [0, 99], type: "WheelSlot", slotNumber: 1 },
        { dmxRange: [100, 199], type: "WheelSlot", slotNumber: 2 },
        { dmxRange: [200, 255], type: "WheelRotation", speed: "fast CW" },
      ],
    },
    Control: {
      defaultValue: 0,
      capabilities: [
        { dmxRange: [0, 99], type: "Maintenance", comment: "Reset", switchChannels: { Switched: "Speed" } },
        { dmxRange: [100, 255], type: "NoFunction", switchChannels: { Switched: "Dimmer" } },
      ],
    },
    Speed: { capability: { type: "PanTiltSpeed", speedStart: "slow", speedEnd: "fast" } },
  },
  templateChannels: {
    "Red $pixelKey": { capability: { type: "ColorIntensity", color: "Red" } },
    "Green $pixelKey": { capability: { type: "ColorIntensity", color: "Green" } },
    "Blue $pixelKey": { capability: { type: "ColorIntensity", color: "Blue" } },
  },
  modes: [
    {
      name: "Spot",
      channels: [
        "Pan",
        "Pan fine",
        "Dimmer",
        "Dimmer fine",
        "Shutter",
        "Colours",
        "Gobos",
        "Control",
        "Switched",
        null,
      ],
    },
    {
      name: "Pixels",
      channels: [
        "Dimmer",
        {
          insert: "matrixChannels",
          repeatFor: "eachPixelXYZ",
          channelOrder: "perPixel",
          templateChannels: ["Red $pixelKey", "Green $pixelKey", "Blue $pixelKey"],
        },
      ],
    },
    { name: "Turned", channels: ["Reverse"] },
  ],
};

/** Packs a description into a GDTF file. */
export const gdtf = (description: string): Uint8Array =>
  zipSync({ "thumbnail.png": new Uint8Array(300), "description.xml": strToU8(description) });

const channel = (offset: string, attribute: string, functions: string, geometry = "Body") => `
<DMXChannel DMXBreak="1" Offset="${offset}" Geometry="${geometry}" InitialFunction="x.${attribute}.first">
 <LogicalChannel Attribute="${attribute}">${functions}</LogicalChannel></DMXChannel>`;
const whole = (attribute: string, more = "") =>
  `<ChannelFunction Name="first" Attribute="${attribute}" DMXFrom="0/1" Default="0/1" ${more}/>`;

export const GDTF_DESCRIPTION = `<?xml version="1.0" encoding="UTF-8"?>
<GDTF DataVersion="1.2"><FixtureType Name="Gate 7" Manufacturer="Wharf" FixtureTypeID="0">
<Wheels><Wheel Name="Colors"><Slot Name="Open" Color="0.3127,0.3290,100"/><Slot Name="Red" Color="0.64,0.33,20"/>
<Slot Name="Blue" Color="0.15,0.06,10"/></Wheel></Wheels>
<Geometries><Geometry Name="Base"><Axis Name="Body"/>
 <GeometryReference Name="P1" Geometry="Pixel"><Break DMXBreak="1" DMXOffset="1"/></GeometryReference>
 <GeometryReference Name="P2" Geometry="Pixel"><Break DMXBreak="1" DMXOffset="4"/></GeometryReference></Geometry>
 <Geometry Name="Pixel"><Beam Name="Lens" BeamAngle="18.5"/></Geometry></Geometries>
<DMXModes><DMXMode Name="Spot" Geometry="Base"><DMXChannels>
${channel("1,2", "Pan", '<ChannelFunction Name="first" Attribute="Pan" DMXFrom="0/2" Default="32768/2" PhysicalFrom="-270" PhysicalTo="270" RealFade="2.25"/>')}
${channel("3,4", "Dimmer", whole("Dimmer"))}
${channel(
  "5",
  "Shutter1",
  `<ChannelFunction Name="first" Attribute="Shutter1" DMXFrom="0/1" Default="255/1"><ChannelSet Name="Closed" DMXFrom="0/1"/><ChannelSet Name="Open" DMXFrom="16/1"/></ChannelFunction>
 <ChannelFunction Name="strobe" Attribute="Shutter1Strobe" DMXFrom="32/1"/><ChannelFunction Name="open" Attribute="Shutter1" DMXFrom="240/1"/>`,
)}
${channel(
  "6",
  "Color1",
  `<ChannelFunction Name="first" Attribute="Color1" Wheel="Colors" DMXFrom="0/1"><ChannelSet Name="Open" DMXFrom="0/1" WheelSlotIndex="1"/>
 <ChannelSet Name="Red" DMXFrom="10/1" WheelSlotIndex="2"/><ChannelSet Name="Blue" DMXFrom="20/1" WheelSlotIndex="3"/></ChannelFunction>
 <ChannelFunction Name="spin" Attribute="Color1WheelSpin" DMXFrom="30/1"/>`,
)}
${channel("7", "LampControl", `<ChannelFunction Name="first" Attribute="LampControl" DMXFrom="0/1"><ChannelSet Name="Lamp on" DMXFrom="0/1"/><ChannelSet Name="No function" DMXFrom="100/1"/></ChannelFunction>`)}
${channel("8", "Gobo1", `<ChannelFunction Name="first" Attribute="Gobo1" DMXFrom="0/1"><ChannelSet Name="Stars" DMXFrom="0/1"/><ChannelSet Name="Open" DMXFrom="50/1"/></ChannelFunction>`)}
${channel("", "Virtual", whole("Dimmer"))}
</DMXChannels></DMXMode>
<DMXMode Name="Pixels" Geometry="Base"><DMXChannels>
${channel("7", "Dimmer", whole("Dimmer"))}
${channel("1", "ColorAdd_R", whole("ColorAdd_R"), "Lens")}${channel("2", "ColorAdd_G", whole("ColorAdd_G"), "Lens")}
${channel("3", "ColorAdd_B", whole("ColorAdd_B"), "Lens")}
</DMXChannels></DMXMode></DMXModes></FixtureType></GDTF>`;

/** Every sample as a file. */
export const SAMPLE_FILES: readonly { readonly name: string; readonly bytes: Uint8Array }[] = [
  ...Object.entries({ SPOT, SCANNER, BAR, DIMMER_PACK, HAZER, LASER }).map(([name, text]) => ({
    name: `${name.toLowerCase()}.qxf`,
    bytes: bytesOf(text),
  })),
  { name: "wharf-co/wheel-2000.json", bytes: bytesOf(JSON.stringify(OFL)) },
  { name: "gate.gdtf", bytes: gdtf(GDTF_DESCRIPTION) },
];
