import { fixtureDefinitionSchema, type FixtureChannel } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { readFixtureFile } from "./index.ts";
import { bytesOf, gdtf, qxf } from "./testing/samples.ts";

/** Returns one channel of a QLC+ file of a group, with ranges "from to preset words". */
function qlc(name: string, group: string, ranges: readonly string[]): FixtureChannel {
  const capabilities = ranges.map((line) => {
    const [from, to, preset, ...words] = line.split(" ");
    return `<Capability Min="${from}" Max="${to}"${preset === "-" ? "" : ` Preset="${preset}"`}>${words.join(" ")}</Capability>`;
  });
  const channels = `<Channel Name="Dimmer" Preset="IntensityDimmer"/>
    <Channel Name="${name}"><Group Byte="0">${group}</Group>${capabilities.join("")}</Channel>`;
  const text = qxf({ channels, modes: [{ name: "two", channels: ["Dimmer", name] }] });
  const { definition } = readFixtureFile("lamp.qxf", bytesOf(text));
  expect(fixtureDefinitionSchema.parse(definition)).toEqual(definition);
  return definition.modes[0]!.channels[1]!;
}

describe("a gobo wheel", () => {
  it("has a value for each static gobo, and none for open, closed, shaking, rotating or split positions", () => {
    const wheel = qlc("Gobos", "Gobo", [
      ...["0 9 - Open", "10 19 GoboMacro Dots", "20 29 GoboMacro Gobo 2", "30 39 - Gobo 3", "40 49 GoboMacro Closed"],
      ...["50 59 GoboShakeMacro Dots shake", "60 69 GoboMacro Gobo 2 shaking slow to fast", "70 79 - Gobo 2 -> Gobo 3"],
      ...["80 99 RotationClockwiseSlowToFast Wheel rotation", "100 199 - Gobo 3", "200 255 - Sound active"],
    ]);
    expect(wheel).toEqual({ kind: "gobo", head: 0, default: 0, gobos: [14, 24, 34] });
  });

  it("has no gobos if the text does not identify them", () => {
    expect(qlc("Gobos", "Gobo", ["0 9 - Open", "10 19 - Stars", "20 255 - Position 2"])).toEqual({
      kind: "gobo",
      head: 0,
      default: 0,
    });
  });
});

describe("a prism", () => {
  it.each([
    ["128 255 PrismEffectOn Prism", 255],
    ["100 199 - Prism inserted (0%-100%: 0.36 sec)", 149],
    ["60 99 - 3-facet prism", 79],
    ["60 99 - 5 Faces", 79],
    ["60 99 - Prism rotation slow to fast", undefined],
    ["60 99 PrismEffectOn Prism on, rotating", undefined],
    ["60 99 - Prism excluded", undefined],
    ["60 99 - Macro 1", undefined],
  ])("with %s is inserted by %s", (line, on) => {
    expect(qlc("Prism", "Prism", ["0 9 - Open", line]).on).toBe(on);
  });
});

describe("a frost", () => {
  it.each([
    [["0 255 - Frost 0-100%"], 255],
    [["0 255 - Frost insertion (excluded to inserted)"], 255],
    [["0 9 - No frost", "10 199 - 100% - 0%"], 10],
    [["0 62 - No frost", "63 125 - Light frost", "189 254 - Heavy frost"], 221],
    [["0 9 - Open", "10 99 - Frost strobe 0-100%"], undefined],
    [["0 255 - Frost speed slow to fast"], undefined],
  ])("with %s is full at %s", (lines, on) => {
    expect(qlc("Frost", "Beam", lines).on).toBe(on);
  });
});

describe("gobo rotation", () => {
  it.each([
    [["0 127 - Index", "128 191 RotationClockwiseSlowToFast Forwards"], 136],
    [["0 9 - Stop", "10 89 - Clockwise rotation fast to slow", "90 255 - Counterclockwise slow to fast"], 79],
    [["0 9 - Stop", "10 19 - CW slow", "20 29 - CW fast"], 14],
    [["0 9 - Stop", "10 99 RotationCounterClockwiseSlowToFast Turns"], undefined],
    [["0 119 - Clockwise", "120 135 RotationStop Stop"], undefined],
    [["0 9 - Stop", "10 99 - Slow to fast rotation"], undefined],
  ])("with %s is slow and clockwise at %s", (lines, on) => {
    expect(qlc("Gobo rotation", "Gobo", lines).on).toBe(on);
  });
});

describe("an Open Fixture Library file", () => {
  it("gives gobos, a static prism, frost and slow rotation by their types", () => {
    const gobo = (from: number, slotNumber: number, more = {}) => ({ dmxRange: [from, from + 9], type: "WheelSlot", slotNumber, ...more }); // prettier-ignore
    const file = {
      name: "Optics",
      categories: ["Moving Head"],
      wheels: { Gobos: { slots: [{ type: "Open" }, { type: "Gobo" }, { type: "Gobo" }, { type: "Prism" }] } },
      availableChannels: {
        Dimmer: { capability: { type: "Intensity" } },
        Gobos: {
          capabilities: [
            ...[gobo(0, 1), gobo(10, 2), gobo(20, 3), gobo(30, 4), gobo(40, 1.5), gobo(50, 2, { comment: "rotating" })],
            { dmxRange: [60, 255], type: "WheelShake", slotNumber: 2 },
          ],
        },
        Turn: {
          capabilities: [
            { dmxRange: [0, 9], type: "WheelSlotRotation", wheel: "Gobos", speed: "stop" },
            {
              dmxRange: [10, 89],
              type: "WheelSlotRotation",
              wheel: "Gobos",
              speedStart: "fast CW",
              speedEnd: "slow CW",
            },
          ],
        },
        Prism: {
          capabilities: [
            { dmxRange: [0, 9], type: "NoFunction" },
            { dmxRange: [10, 99], type: "Prism", speedStart: "slow CW", speedEnd: "fast CW" },
            { dmxRange: [100, 255], type: "Prism" },
          ],
        },
        Frost: { capability: { type: "Frost", frostIntensityStart: "0%", frostIntensityEnd: "100%" } },
      },
      modes: [{ name: "all", channels: ["Dimmer", "Gobos", "Turn", "Prism", "Frost"] }],
    };
    const { definition } = readFixtureFile("wharf/optics.json", bytesOf(JSON.stringify(file)));
    const [, gobos, turn, prism, frost] = definition.modes[0]!.channels;
    expect(gobos!.gobos).toEqual([14, 24]);
    expect([turn!.on, prism!.on, frost!.on]).toEqual([79, 255, 255]);
  });
});

describe("a GDTF file", () => {
  it("gives gobos by the slots of their wheel, and a frost by its two ends", () => {
    const channel = (offset: number, attribute: string, inside: string) =>
      `<DMXChannel Offset="${offset}" Geometry="Base"><LogicalChannel Attribute="${attribute}">${inside}</LogicalChannel></DMXChannel>`;
    const set = (from: number, name: string, slot = 0) =>
      `<ChannelSet Name="${name}" DMXFrom="${from}/1" WheelSlotIndex="${slot}"/>`;
    const text = `<GDTF DataVersion="1.2"><FixtureType Name="Optics" Manufacturer="Wharf" FixtureTypeID="0">
<Wheels><Wheel Name="G"><Slot Name="Open"/><Slot Name="Stars"/><Slot Name="Dots"/></Wheel></Wheels>
<Geometries><Geometry Name="Base"/></Geometries><DMXModes><DMXMode Name="all" Geometry="Base"><DMXChannels>
${channel(1, "Dimmer", '<ChannelFunction Attribute="Dimmer" DMXFrom="0/1"/>')}
${channel(
  2,
  "Gobo1",
  `<ChannelFunction Attribute="Gobo1" Wheel="G" DMXFrom="0/1">${set(0, "Open", 1)}${set(10, "Stars", 2)}${set(20, "Dots", 3)}${set(30, "Nothing of a wheel")}</ChannelFunction>
 <ChannelFunction Attribute="Gobo1WheelShake" Wheel="G" DMXFrom="40/1">${set(40, "Stars", 2)}</ChannelFunction>`,
)}
${channel(3, "Prism1", `<ChannelFunction Attribute="Prism1" DMXFrom="0/1">${set(0, "Open")}${set(128, "Prism 1")}</ChannelFunction>`)}
${channel(4, "Frost1", '<ChannelFunction Attribute="Frost1" DMXFrom="0/1" PhysicalFrom="0" PhysicalTo="1"/>')}
${channel(5, "Frost2", '<ChannelFunction Attribute="Frost2" DMXFrom="0/1"/>')}
</DMXChannels></DMXMode></DMXModes></FixtureType></GDTF>`;
    const { definition } = readFixtureFile("optics.gdtf", gdtf(text));
    const [, gobos, prism, frost, unknown] = definition.modes[0]!.channels;
    expect(gobos!.gobos).toEqual([14, 24]);
    expect([prism!.on, frost!.on, unknown!.on]).toEqual([255, 255, undefined]);
  });
});
