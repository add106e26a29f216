import type { FixtureChannel, FixtureMode, HeadAim, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { UNAIMED } from "../aims.ts";
import { emittersOf } from "../bytes.ts";
import { compileShow } from "../compile-show.ts";
import type { CompiledShow } from "../compiled-show.ts";
import { emptyPlan } from "../empty-plan.ts";
import { GENERIC_FIXTURES } from "../fixtures.ts";
import { randomStream } from "../random.ts";
import { newFrame, writeStates } from "../render-frame.ts";
import { shineIn } from "../wheels.ts";
import { lampBeams, setBeams, type LampBeams } from "./lamp-beams.ts";
import { litByBytes } from "./read-beams.ts";

type Kind = FixtureChannel["kind"];
const channel = (kind: Kind, more: Partial<FixtureChannel> = {}): FixtureChannel => ({
  kind,
  head: 0,
  default: 0,
  ...more,
});
const modeOf = (...channels: (Kind | FixtureChannel)[]): FixtureMode => ({
  name: "",
  channels: channels.map((each) => (typeof each === "string" ? channel(each) : each)),
});
const rigOf = (mode: FixtureMode, aim?: HeadAim): Rig => ({
  lights: [{ id: 1, label: "", universe: 1, address: 1, mode, enabled: true, ...(aim && { aim }) }],
  groups: [],
});

/** Returns the beams of a fixture at address 1 with these channel values. */
function beamsOf(mode: FixtureMode, bytes: readonly number[], aim?: HeadAim): LampBeams {
  const slots = new Uint8Array(512);
  slots.set(bytes);
  const { beams, light } = litByBytes(rigOf(mode, aim), new Map([[1, slots]]));
  light(0);
  return beams;
}
const colorOf = (mode: FixtureMode, bytes: readonly number[]) =>
  [...beamsOf(mode, bytes).colors].map((value) => Number(value.toFixed(4)));

const WHEEL = channel("colorWheel", {
  slots: ["#ffffff", "#ff0000", "#0000ff"].map((color, i) => ({ value: 5 + 20 * i, color })),
});
const STROBE = channel("shutter", {
  default: 0,
  closed: 0,
  open: 8,
  strobe: { from: 16, to: 255, fromHz: 1, toHz: 20 },
});
const GOBOS = channel("gobo", { gobos: [20, 40, 60] });
const FULL = 1;
const HALF = 0.502; // 128 of 255

describe("light from bytes", () => {
  const par = modeOf("red", "green", "blue");
  const rgbw = modeOf("intensity", "red", "green", "blue", "white");
  const cmy = modeOf("pan", "panFine", "tilt", "tiltFine", "intensity", "cyan", "magenta", "yellow");
  const spot = modeOf("intensity", STROBE, WHEEL);
  it.each([
    ["of a plain par is that of its three emitters", par, [255, 128, 0], [FULL, HALF, 0]],
    ["follows the dimmer", rgbw, [128, 255, 0, 0, 0], [HALF, 0, 0]],
    ["adds white to colors", rgbw, [255, 128, 0, 0, 127], [FULL, 0.498, 0.498]],
    ["is never more than full", rgbw, [255, 255, 255, 255, 255], [FULL, FULL, FULL]],
    ["is what filters pass", cmy, [0, 0, 0, 0, 255, 255, 0, 127], [0, FULL, HALF]],
    ["is what a wheel position passes", spot, [255, 8, 25], [FULL, 0, 0]],
    ["of a wheel between two positions is the nearer color", spot, [255, 8, 42], [0, 0, FULL]],
    ["is dark behind a closed shutter", spot, [255, 0, 5], [0, 0, 0]],
    ["is steady while the fixture strobes", spot, [255, 200, 5], [FULL, FULL, FULL]],
    ["uses both bytes of a 16-bit dimmer", modeOf("intensity", "intensityFine"), [127, 255], [0.5, 0.5, 0.5]],
    ["is the single color of a fixture", modeOf("intensity", "amber"), [255, 255], [FULL, 0.22, 0]],
    ["of amber beside red, green and blue is visible in the dark", modeOf("red", "green", "blue", "amber"), [0, 0, 0, 255], [FULL, 0.22, 0]], // prettier-ignore
    ["is the color of hue and saturation", modeOf("intensity", "hue", "saturation"), [255, 85, 255], [0, FULL, 0]],
    ["of an inverted range is dark at 255", modeOf(channel("intensity", { range: { from: 255, to: 0 } })), [255], [0, 0, 0]], // prettier-ignore
    ["of a square curve is a quarter at half the value", modeOf(channel("intensity", { curve: "square" })), [128], [0.252, 0.252, 0.252]], // prettier-ignore
  ] as const)("%s", (_, mode, bytes, light) => {
    expect(colorOf(mode, bytes)).toEqual(light.map((value) => expect.closeTo(value, 3)));
  });

  it("of a bar is separate per head, behind the shared dimmer", () => {
    const pixel = (head: number) => (["red", "green", "blue"] as const).map((kind) => channel(kind, { head }));
    const bar = modeOf("intensity", ...pixel(1), ...pixel(2));
    expect(colorOf(bar, [128, 255, 0, 0, 0, 0, 255])).toEqual([0.502, 0, 0, 0, 0, 0.502]);
  });

  it("points where the 16-bit channels turn a head, with swap and inversion reversed", () => {
    const bytes = [0x40, 0x00, 0xbf, 0xff, 255, 0, 0, 0];
    const at = (aim: Partial<HeadAim>) => {
      const { pans, tilts } = beamsOf(cmy, bytes, { ...UNAIMED, ...aim });
      return [pans[0]!.toFixed(4), tilts[0]!.toFixed(4)];
    };
    expect(at({})).toEqual(["0.2500", "0.7500"]);
    expect(at({ invertPan: true })).toEqual(["0.7500", "0.7500"]);
    expect(at({ invertTilt: true })).toEqual(["0.2500", "0.2500"]);
    expect(at({ swap: true })).toEqual(["0.7500", "0.2500"]);
    expect(at({ swap: true, invertPan: true })).toEqual(["0.7500", "0.7500"]);
  });

  it("has the gobo whose exact value is sent, rotating or not, and none for other values", () => {
    const mode = modeOf("intensity", GOBOS, channel("goboRotation", { on: 110 }));
    const goboOf = (...bytes: readonly number[]) => {
      const { gobos, goboTurns } = beamsOf(mode, [255, ...bytes]);
      return [gobos[0], goboTurns[0]];
    };
    expect([goboOf(0, 0), goboOf(20, 0), goboOf(60, 110), goboOf(50, 0)]).toEqual([[0, 0], [1, 0], [3, 1], [0, 0]]); // prettier-ignore
  });

  it("is dark for a universe without a sender, and heads keep their position", () => {
    const frame = new Map([[1, new Uint8Array([0x40, 0, 0x40, 0, 255, 0, 0, 0, ...Array<number>(504).fill(0)])]]);
    const { beams, light } = litByBytes(rigOf(cmy), frame);
    light(0);
    frame.delete(1);
    light(0);
    expect([...beams.colors]).toEqual([0, 0, 0]);
    expect(beams.pans[0]).toBeCloseTo(0.25);
  });
});

/** Modes with every way of driving a channel, in addition to the generic fixtures. */
const MODES: readonly FixtureMode[] = [
  ...GENERIC_FIXTURES.flatMap(({ modes }) => modes),
  modeOf("pan", "tilt", "intensity", "cyan", "magenta", "yellow"),
  modeOf("pan", "panFine", "tilt", "tiltFine", "intensity", "intensityFine", STROBE, WHEEL, channel("zoom", { range: { from: 200, to: 20 } })), // prettier-ignore
  modeOf("red", "redFine", "green", "greenFine", "blue", "blueFine"),
  modeOf(channel("intensity", { range: { from: 10, to: 200 }, closed: 0 }), "red", "green", "blue", "lime", "amber"),
  modeOf("intensity", "hue", "saturation"),
  modeOf(channel("colorWheel", { ...WHEEL, closed: 250 })),
  modeOf(channel("intensity", { curve: "square" }), "red", "green", "blue"),
  modeOf("intensity", "warmWhite", "coolWhite"),
  modeOf("pan", "tilt", "intensity", GOBOS, channel("goboRotation", { on: 110 }), channel("prism", { on: 90 })),
  modeOf("intensity", "red", "green", "blue", "goboRotation", GOBOS),
];

/** Sets one head to a random light and direction. */
function setRandomly(show: CompiledShow, h: number, random: () => number): void {
  show.level[h] = random() < 0.15 ? 0 : random();
  const mixed = [random(), random(), random()].map((value) => (random() < 0.3 ? 0 : value));
  const most = Math.max(...mixed) || 1;
  shineIn(show, h, mixed[0]! / most || (most === 1 ? 1 : 0), mixed[1]! / most, mixed[2]! / most);
  show.pan[h] = random();
  show.tilt[h] = random();
  show.zoom[h] = random();
  show.beam[h] = Math.floor(4 * random());
  show.gobo[h] = Math.floor(8 * random());
  show.goboTurns[h] = random() < 0.5 ? 1 : 0;
}

/**
 * Returns the linear light that a head was set to. A fixture with a single color has that whatever the requested color;
 * one with a wheel but no dimmer is dark or full.
 */
function toldLight(show: CompiledShow, mode: FixtureMode, h: number): number[] {
  const { isOneColour, hasWheel, hasDimmer } = emittersOf(mode, show.headNumbers[h]!);
  const level = hasWheel && !hasDimmer ? Math.ceil(show.level[h]!) : show.level[h]!;
  const color = isOneColour ? [1, 1, 1] : [show.red[h]!, show.green[h]!, show.blue[h]!];
  return color.map((value) => (level > 0 ? level * value : 0));
}

/** One step of 8 bits. */
const STEP = 1 / 255;

describe("states written as bytes", () => {
  const named = MODES.map((mode, i) => [`${i} ${mode.channels.map(({ kind }) => kind).join(" ")}`, mode] as const);
  it.each(named)("are read back as the same light, gobos and directions: %s", (_, mode) => {
    const random = randomStream(mode.channels.length);
    const kinds = new Set(mode.channels.map(({ kind }) => kind));
    const coin = () => random() < 0.5;
    for (let round = 0; round < 60; round++) {
      const rig = rigOf(mode, { ...UNAIMED, invertPan: coin(), invertTilt: coin(), swap: coin() });
      const show = compileShow(emptyPlan([]), rig);
      for (let h = 0; h < show.headCount; h++) setRandomly(show, h, random);
      const frame = newFrame(show);
      writeStates(show, frame);
      const { beams, light } = litByBytes(rig, frame);
      light(0);
      expect(beams.count).toBe(show.headCount);
      const shown = lampBeams(show, rig);
      setBeams(shown, show);
      expect([beams.gobos, beams.goboTurns]).toEqual([shown.gobos, shown.goboTurns]);
      for (let h = 0; h < show.headCount; h++) {
        const at = beams.headNumbers.indexOf(show.headNumbers[h]!);
        const told = toldLight(show, mode, h);
        // Warm white is not neutral, so only red gives its level.
        for (let c = 0; c < (kinds.has("warmWhite") ? 1 : 3); c++)
          expect(Math.abs(beams.colors[3 * at + c]! - told[c]!)).toBeLessThanOrEqual(stepOf(mode));
        const body = mode.channels.some(({ kind }) => kind === "pan");
        if (body) expect(Math.abs(beams.pans[at]! - show.pan[h]!)).toBeLessThanOrEqual(STEP);
        if (body) expect(Math.abs(beams.tilts[at]! - show.tilt[h]!)).toBeLessThanOrEqual(STEP);
        if (kinds.has("zoom")) expect(Math.abs(beams.zooms[at]! - show.zoom[h]!)).toBeLessThanOrEqual(STEP);
      }
    }
  });
});

/**
 * Returns the largest deviation of the light: half a step of each value that it consists of. A hue is one value per
 * sixth of the circle. A square value is twice as coarse at its bright end, and a value with 190 steps is coarser.
 */
function stepOf({ channels }: FixtureMode): number {
  const has = (kind: Kind) => channels.some((each) => each.kind === kind);
  const values = (has("intensity") ? 1 : 0) + (has("red") || has("cyan") ? 1 : 0) + (has("white") ? 1 : 0);
  const hue = has("hue") ? 6 + 1 : 0;
  const coarse = channels.some(({ range, curve }) => curve || (range && range.to !== 255)) ? 1 : 0;
  return Math.max(1, values + hue + coarse) * 0.5 * STEP + 1e-6;
}
