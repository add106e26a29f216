import { aimKey, identifyKey, type Cue, type DeskHand, type FixtureMode, type Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { calibrationPlan } from "./calibration-plan.ts";
import { compileShow } from "./compile-show.ts";
import { applyDesk, bindDesk } from "./desk-look.ts";
import { readFixtureFile } from "./fixture-formats/index.ts";
import { bytesOf, qxf } from "./fixture-formats/testing/samples.ts";
import { mixIdleLook } from "./idle-look.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { randomStream } from "./random.ts";
import { houseLook, newFrame, renderFrame, writeStates } from "./render-frame.ts";
import { planWith } from "./testing/random-plan.ts";

const wheel = (name: string, gobos: number) => `<Channel Name="${name}"><Group Byte="0">Gobo</Group>
  <Capability Min="0" Max="9">Open</Capability>
  ${Array.from({ length: gobos }, (_, i) => `<Capability Min="${10 * i + 10}" Max="${10 * i + 19}">Gobo ${i + 1}</Capability>`).join("")}
  <Capability Min="200" Max="255">Gobo 1 shake</Capability></Channel>`;
const TURN = `<Channel Name="Turn gobo rotation"><Group Byte="0">Gobo</Group><Capability Min="0" Max="99">Index</Capability>
  <Capability Min="100" Max="179" Preset="RotationClockwiseSlowToFast">Rotation</Capability>
  <Capability Min="180" Max="255" Preset="RotationCounterClockwiseSlowToFast">Rotation</Capability></Channel>`;
const PARTS = {
  Pan: `<Channel Name="Pan" Preset="PositionPan"/>`,
  Tilt: `<Channel Name="Tilt" Preset="PositionTilt"/>`,
  Dimmer: `<Channel Name="Dimmer" Preset="IntensityMasterDimmer"/>`,
  Colours: `<Channel Name="Colours"><Group Byte="0">Colour</Group><Capability Min="0" Max="9" Preset="ColorMacro" Res1="#ffffff">White</Capability>
    <Capability Min="10" Max="19" Preset="ColorMacro" Res1="#ff0000">Red</Capability><Capability Min="20" Max="29" Preset="ColorMacro" Res1="#0000ff">Blue</Capability></Channel>`,
  Gobos: wheel("Gobos", 3),
  "More gobos": wheel("More gobos", 5),
  "Turn gobo rotation": TURN,
  Prism: `<Channel Name="Prism"><Group Byte="0">Prism</Group><Capability Min="0" Max="9">Open</Capability>
    <Capability Min="10" Max="99">3-facet prism</Capability><Capability Min="100" Max="255">Prism rotation slow to fast</Capability></Channel>`,
  Frost: `<Channel Name="Frost"><Group Byte="0">Beam</Group><Capability Min="0" Max="255">Frost 0-100%</Capability></Channel>`,
};
type Part = keyof typeof PARTS;

function modeOf(...parts: readonly Part[]): FixtureMode {
  const channels = parts.map((part) => PARTS[part]).join("");
  return readFixtureFile("spot.qxf", bytesOf(qxf({ channels, modes: [{ name: "all", channels: parts }] }))).definition
    .modes[0]!;
}
const SPOT_PARTS = ["Pan", "Tilt", "Dimmer", "Colours", "Gobos", "Turn gobo rotation", "Prism", "Frost"] as const;
const SPOT = modeOf(...SPOT_PARTS);
const DIMMER = 2;
const OPTICS = [4, 5, 6, 7];
/** Gobo, its rotation, prism and frost with an open beam; and the values of each optic. */
const OPEN = [0, 0, 0, 0];
const GOBOS = [14, 24, 34];
const SLOWLY = 110;
const PRISM = [0, 0, 54, 0];
const FROST = [0, 0, 0, 255];

const lampsOf = (mode: FixtureMode, count: number): Rig => ({
  lights: Array.from({ length: count }, (_, i) => ({
    ...{ id: i + 1, label: `spot ${i + 1}`, universe: 1, mode, enabled: true },
    address: 1 + i * mode.channels.length,
  })),
  groups: [
    { id: "g", name: "g", type: "spot", lightIds: Array.from({ length: count }, (_, i) => i + 1), enabled: true },
  ],
});

function cue(time: number, duration: number, params: Cue["params"] = {}, color = "#ff0000"): Cue {
  const more = { section: "break", energy: 0.5, reason: "test", intent: "crossfade" };
  return { time, duration, palette: [color], params: { level: 0.9, ...params }, ...more };
}
const gobo = (n: number, more: Cue["params"] = {}) => ({ beam: "gobo", gobo: n, ...more });

const slotsAt = (cues: readonly Cue[], t: number, mode = SPOT) =>
  renderFrame(compileShow(planWith({ all: [...cues] }), lampsOf(mode, 1)), t).get(1)!;
const opticsAt = (cues: readonly Cue[], t: number) => OPTICS.map((slot) => slotsAt(cues, t)[slot]);

describe("a fixture with gobos, prism and frost", () => {
  it.each([
    ["an open beam", {}, OPEN],
    ["an open beam for an unknown value", { beam: "animation" }, OPEN],
    ["its first gobo", gobo(0), [GOBOS[0], 0, 0, 0]],
    ["its third gobo", gobo(2), [GOBOS[2], 0, 0, 0]],
    ["the second of three gobos for the eighth", gobo(7), [GOBOS[1], 0, 0, 0]],
    ["a slowly rotating gobo", gobo(1, { gobo_turns: true }), [GOBOS[1], SLOWLY, 0, 0]],
    ["only its prism, even if the cue has a gobo", { ...gobo(1, { gobo_turns: true }), beam: "prism" }, PRISM],
    ["only its frost", { beam: "frost", gobo_turns: true }, FROST],
  ] as const)("has %s", (_what, params, slots) => {
    expect(opticsAt([cue(0, 10, params)], 5)).toEqual(slots);
  });

  it("changes to the next cue's optics in the dark before it, and opens after the last cue", () => {
    const cues = [cue(2, 2, gobo(0)), cue(8, 2, { beam: "prism" })];
    const [first, second] = [[GOBOS[0], 0, 0, 0], PRISM];
    expect([0, 3, 4.1, 7.9, 9, 10.1, 20].map((t) => opticsAt(cues, t))).toEqual([first, first, second, second, second, OPEN, OPEN]); // prettier-ignore
  });

  it("changes at the edge of a cue that is lit before and after", () => {
    const cues = [cue(0, 4, gobo(0)), cue(4, 4, { ...gobo(1), fade_seconds: 2 })];
    expect([3.99, 4.01].map((t) => opticsAt(cues, t)[0])).toEqual([GOBOS[0], GOBOS[1]]);
  });

  it("changes in the dark middle of a fade in which its color wheel turns", () => {
    const cues = [cue(0, 4, gobo(0)), cue(4, 4, { ...gobo(1), fade_seconds: 2 }, "#0000ff")];
    expect([4.01, 4.9, 5.1, 6].map((t) => opticsAt(cues, t)[0])).toEqual([GOBOS[0], GOBOS[0], GOBOS[1], GOBOS[1]]);
    expect([4.9, 5.1].map((t) => slotsAt(cues, t)[DIMMER])).toEqual([0, 0]);
  });

  it("changes in the dark of a long move", () => {
    const cues = [cue(0, 6, { aim: "floor", ...gobo(0) }), cue(6, 6, { aim: "ceiling", ...gobo(1), fade_seconds: 2 }, "#0000ff")]; // prettier-ignore
    const show = compileShow(planWith({ all: cues }), lampsOf(SPOT, 1));
    const frames = Array.from({ length: 12 * 44 }, (_, k) => [...renderFrame(show, k / 44).get(1)!]);
    const changes = frames.flatMap((slots, k) => (k > 0 && slots[4] !== frames[k - 1]![4] ? [k] : []));
    expect(changes).toHaveLength(1);
    expect([changes[0]! / 44 < 6, frames[changes[0]!]![DIMMER]]).toEqual([true, 0]);
  });

  it("shows the same at a time after any seek, and only values from its file", () => {
    const random = randomStream(3);
    const cues = Array.from({ length: 12 }, (_, i) => {
      const aim = ["floor", "ceiling", "fan"][Math.floor(random() * 3)]!;
      const beam = ["open", "gobo", "prism", "frost"][i % 4]!;
      const params = {
        aim,
        beam,
        gobo: i,
        gobo_turns: random() < 0.5,
        fade_seconds: 2 * random(),
      };
      return cue(2.5 * i, 1 + 1.5 * random(), params, random() < 0.5 ? "#ff0000" : "#0000ff");
    });
    const show = () => compileShow(planWith({ all: cues }), lampsOf(SPOT, 3));
    const times = Array.from({ length: 300 }, (_, i) => i * 0.11);
    const [forward, backward] = [show(), show()];
    const there = times.map((t) => renderFrame(forward, t).get(1)!.slice(0, 24));
    const back = times.toReversed().map((t) => renderFrame(backward, t).get(1)!.slice(0, 24));
    expect(back.toReversed()).toEqual(there);
    const sent = OPTICS.map((slot) => [...new Set(there.map((slots) => slots[slot]!))].toSorted((a, b) => a - b));
    expect(sent).toEqual([
      [0, ...GOBOS],
      [0, SLOWLY],
      [0, 54],
      [0, 255],
    ]);
  });
});

describe("heads on a singer", () => {
  it.each([
    ["open beams", {}, OPEN],
    ["frost", { singer_beam: "frost" }, FROST],
  ])("have %s while the other heads have a gobo", (_what, more, slots) => {
    const plan = planWith({ "role:spot": [{ ...cue(0, 10, { singer: 0.6, ...gobo(1), ...more }), palette: ["#ff0000", "#ffffff"] }] }); // prettier-ignore
    const frame = renderFrame(compileShow(plan, lampsOf(SPOT, 4)), 5).get(1)!;
    const lamps = [0, 1, 2, 3].map((lamp) => OPTICS.map((slot) => frame[8 * lamp + slot]));
    expect(lamps).toEqual([[GOBOS[1], 0, 0, 0], slots, slots, [GOBOS[1], 0, 0, 0]]);
  });
});

describe("with several gobo wheels", () => {
  it("the one before the gobo rotation channel is driven, otherwise the first", () => {
    const sent = (...parts: readonly Part[]) => [...slotsAt([cue(0, 10, gobo(4, { gobo_turns: true }))], 5, modeOf(...parts)).subarray(1, 4)]; // prettier-ignore
    expect(sent("Dimmer", "Gobos", "More gobos", "Turn gobo rotation")).toEqual([0, 54, SLOWLY]);
    expect(sent("Dimmer", "Gobos", "Turn gobo rotation", "More gobos")).toEqual([GOBOS[1], SLOWLY, 0]);
    expect(sent("Dimmer", "Gobos", "More gobos")).toEqual([GOBOS[1], 0, 0]);
  });
});

describe("a channel with values of another kind", () => {
  it("rests, or keeps its own function", () => {
    const channels = [
      { kind: "intensity", head: 0, default: 0, on: 7 },
      { kind: "gobo", head: 0, default: 3, on: 9 },
      { kind: "prism", head: 0, default: 4, gobos: [20] },
    ] as const;
    const mode = { name: "by hand", channels: channels.map((channel) => ({ ...channel })) } as FixtureMode;
    for (const beam of ["gobo", "prism"])
      expect([...slotsAt([cue(0, 10, { beam, level: 1 })], 5, mode).subarray(0, 3)]).toEqual([255, 3, 4]);
  });
});

describe("open beams", () => {
  const lit = { all: [cue(0, 10, gobo(1, { gobo_turns: true }))] };
  const rig = lampsOf(SPOT, 1);
  const hand = (value: string) => ({ value, owner: "Ada", since: 1 }) as unknown as DeskHand;
  function optics(hands: Readonly<Record<string, DeskHand>>, moment = {}): readonly number[] {
    const show = compileShow(planWith(lit), rig);
    renderFrame(show, 5);
    applyDesk(show, bindDesk(show, rig, hands), moment);
    const frame = newFrame(show);
    writeStates(show, frame);
    return OPTICS.map((slot) => frame.get(1)![slot]!);
  }

  it.each([
    ["is aimed from the desk", { [aimKey(1)]: hand("0.5 0.5") }, {}],
    ["is identified", { [identifyKey(1)]: hand("on") }, { identify: true }],
    ["shows the blinder", { blinder: hand("on") }, {}],
    ["strobes from the desk", { strobe: hand("on") }, { strobe: true }],
    ["is pointed from the desk", { point: hand("hall") }, {}],
    ["is white from the desk", { color: hand("#ffffff") }, {}],
  ])("are used on a fixture that %s", (_what, hands, moment) => {
    expect(optics({})).toEqual([GOBOS[1], SLOWLY, 0, 0]);
    expect(optics(hands, moment)).toEqual(OPEN);
  });

  it("are not used if the desk only changes the color", () => {
    expect(optics({ color: hand("#0000ff") })).toEqual([GOBOS[1], SLOWLY, 0, 0]);
  });

  it("are used in the house look, the idle look and the calibration", () => {
    const show = compileShow(planWith(lit), rig);
    renderFrame(show, 5);
    expect(OPTICS.map((slot) => houseLook(show).get(1)![slot])).toEqual(OPEN);
    renderFrame(show, 5);
    mixIdleLook(show, "color", 1, 0);
    const frame = newFrame(show);
    writeStates(show, frame);
    expect(OPTICS.map((slot) => frame.get(1)![slot])).toEqual(OPEN);
    const flash = renderFrame(compileShow(calibrationPlan("song"), rig), 1.01).get(1)!;
    expect([flash[DIMMER]! > 0, OPTICS.map((slot) => flash[slot])]).toEqual([true, OPEN]);
  });

  it("are the only beams of fixtures without optics data: every byte is the same as without optics", () => {
    const generic = GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_spot")!.modes[0]!;
    const bytes = (params: Cue["params"]) => slotsAt([cue(0, 10, { aim: "fan", ...params })], 5, generic);
    for (const beam of ["gobo", "prism", "frost"])
      expect(bytes({ beam, gobo: 1, gobo_turns: true })).toEqual(bytes({}));
  });
});
