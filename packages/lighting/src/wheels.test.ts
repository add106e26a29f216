import type { Cue, DeskHand, FixtureChannel, FixtureMode, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { fullBrightness, linearOfHex, luminance } from "./color.ts";
import { compileShow } from "./compile-show.ts";
import { applyDesk, bindDesk } from "./desk-look.ts";
import { fixtureStates, houseLook, newFrame, renderFrame, writeStates } from "./render-frame.ts";
import { planWith, randomPlan } from "./testing/random-plan.ts";
import { darkTurn, labsOf, nearestSlot } from "./wheels.ts";

const SLOTS = { "#ffffff": 5, "#ff0000": 20, "#0000ff": 40, "#00ff00": 60, "#ffff00": 80 };
const wheel: FixtureChannel = {
  kind: "colorWheel",
  head: 0,
  default: 5,
  slots: Object.entries(SLOTS).map(([color, value]) => ({ color, value })),
};
const plain = (kind: FixtureChannel["kind"], more: Partial<FixtureChannel> = {}): FixtureChannel => ({
  kind,
  head: 0,
  default: 0,
  ...more,
});
const MOVER: FixtureMode = { name: "spot", channels: [plain("pan"), plain("tilt"), plain("intensity"), wheel] };
const COLOUR = 3;

function rigOf(mode: FixtureMode, count = 1): Rig {
  const lights = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    label: `spot ${i + 1}`,
    universe: 1,
    address: 1 + i * mode.channels.length,
    mode,
    enabled: true,
  }));
  return { lights, groups: [] };
}

function cue(time: number, duration: number, color: string, params: Cue["params"] = {}): Cue {
  const more = { section: "verse", energy: 0.5, reason: "test", intent: "crossfade" };
  return { time, duration, palette: color.split(" "), params: { level: 0.9, ...params }, ...more };
}

const bytesAt = (cues: Cue[], t: number, mode = MOVER) =>
  renderFrame(compileShow(planWith({ all: cues }), rigOf(mode)), t).get(1)!;

describe("a fixture with a color wheel", () => {
  // kept: Shows | A fixture with a color wheel was always white | failed with the fault put back
  it.each([
    ["#fe0101", "#ff0000"],
    ["#ff2a1a", "#ff0000"],
    ["#1430ff", "#0000ff"],
    ["#20e020", "#00ff00"],
    ["#ffe680", "#ffff00"],
    ["#f4f0ff", "#ffffff"],
  ] as const)("shows %s with the nearest slot", (wanted, slot) => {
    expect(bytesAt([cue(0, 10, wanted)], 1)[COLOUR]).toBe(SLOTS[slot]);
  });

  it("reports the color of the slot to the preview and the limiter", () => {
    const show = compileShow(planWith({ all: [cue(0, 10, "#ff2a1a")] }), rigOf(MOVER));
    expect(fixtureStates(show, 1)[0]!.rgb).toEqual([1, 0, 0]);
  });

  it("turns to the next cue's slot in the dark", () => {
    const cues = [cue(0, 2, "#ff0000"), cue(5, 2, "#0000ff")];
    expect([...bytesAt(cues, 1).subarray(2, 4)]).toEqual([expect.any(Number), SLOTS["#ff0000"]]);
    expect([...bytesAt(cues, 2.1).subarray(2, 4)]).toEqual([0, SLOTS["#0000ff"]]);
  });

  it("goes dark in a slow fade between two slots, but not between two looks with one slot", () => {
    const fade = (color: string) => [cue(0, 4, "#ff0000"), cue(4, 6, color, { fade_seconds: 2 })];
    const around = (color: string) => [4.2, 4.9, 5.1, 5.9].map((t) => bytesAt(fade(color), t));
    const slots = around("#0000ff");
    expect(slots.map((bytes) => bytes[COLOUR])).toEqual([20, 20, 40, 40]);
    expect(slots[0]![2]).toBeGreaterThan(60);
    expect([slots[1]![2], slots[2]![2]]).toEqual([0, 0]);
    expect(slots[3]![2]).toBeGreaterThan(60);
    expect(Math.min(...around("#ff1010").map((bytes) => bytes[2]!))).toBeGreaterThan(60);
  });

  it("ignores cues shorter than its turn, and keeps its slot between two equally near ones", () => {
    const short = Array.from({ length: 40 }, (_, i) => cue(2 + i * 0.2, 0.2, i % 2 ? "#0000ff" : "#00ff00"));
    const cues = [cue(0, 2, "#ff0000"), ...short];
    expect(new Set(Array.from({ length: 80 }, (_, i) => bytesAt(cues, 2 + i * 0.1)[COLOUR])).size).toBe(1);
    const labs = labsOf(Float32Array.of(1, 0, 0, 1, 0.02, 0));
    const between = [1, 0.012, 0] as const;
    expect([nearestSlot(labs, ...between, 0), nearestSlot(labs, ...between, 1)]).toEqual([0, 1]);
  });

  it("shows white for a white flash and returns to its color", () => {
    const cues = [cue(0, 4, "#ff0000", { white: 1, to_white: 0 })];
    expect([0.1, 3.9].map((t) => bytesAt(cues, t)[COLOUR])).toEqual([SLOTS["#ffffff"], SLOTS["#ff0000"]]);
  });

  it("shows the same slot at a time after any seek", () => {
    const times = Array.from({ length: 200 }, (_, i) => i * 0.15);
    for (let seed = 1; seed <= 5; seed++) {
      const rig = rigOf(MOVER, 3);
      const forward = compileShow(randomPlan(seed), rig);
      const backward = compileShow(randomPlan(seed), rig);
      const there = times.map((t) => renderFrame(forward, t).get(1)!.join());
      const back = times.toReversed().map((t) => renderFrame(backward, t).get(1)!.join());
      expect(back.toReversed()).toEqual(there);
    }
  });

  it("stays within the flash limit, measured by the color of its slots", () => {
    const cues = Array.from({ length: 60 }, (_, i) => cue(i * 0.5, 0.5, i % 2 ? "#0000ff" : "#ffffff", { level: 1 }));
    const show = compileShow(planWith({ all: cues }), rigOf(MOVER));
    const lights = Array.from({ length: 30 * 44 }, (_, k) => {
      const [state] = fixtureStates(show, k / 44);
      return state!.level * luminance(...state!.rgb);
    });
    const rises = lights.map((light, k) => (k > 0 && light - lights[k - 1]! >= 0.1 ? k : -1)).filter((k) => k >= 0);
    const most = Math.max(...rises.map((from) => rises.filter((k) => k >= from && k < from + 44).length));
    expect(rises.length).toBeGreaterThan(10);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("is as white as possible in the house look", () => {
    const show = compileShow(planWith({}), rigOf(MOVER));
    expect([SLOTS["#ffffff"], SLOTS["#ffff00"]]).toContain(houseLook(show).get(1)![COLOUR]);
  });

  it("turns to the desk's color, and reports the slot's color to the limiter", () => {
    const rig = rigOf(MOVER);
    const show = compileShow(planWith({ all: [cue(0, 10, "#ff0000")] }), rig);
    fixtureStates(show, 1);
    const hand = { value: "#0c18f0", owner: "Ada", since: 1 } as unknown as DeskHand;
    applyDesk(show, bindDesk(show, rig, { color: hand }), {});
    expect([show.red[0], show.green[0], show.blue[0]]).toEqual([0, 0, 1]);
    const frame = newFrame(show);
    writeStates(show, frame);
    expect(frame.get(1)![COLOUR]).toBe(SLOTS["#0000ff"]);
  });

  it("keeps its wheel open if the fixture mixes colors", () => {
    const mode = { name: "mixing", channels: [plain("red"), plain("green"), plain("blue"), wheel] };
    expect(bytesAt([cue(0, 10, "#0000ff")], 1, mode)[COLOUR]).toBe(5);
  });

  it("goes dark by the wheel if nothing else can make it dark", () => {
    const mode = { name: "plain", channels: [{ ...wheel, closed: 250 }] };
    const cues = [cue(0, 2, "#0000ff"), cue(5, 2, "#0000ff")];
    expect([1, 3].map((t) => bytesAt(cues, t, mode)[0])).toEqual([40, 250]);
    expect(compileShow(planWith({ all: cues }), rigOf({ name: "always lit", channels: [wheel] })).headCount).toBe(0);
  });

  it("is dark in the middle of a fade for at least 0.3 s", () => {
    expect([0, 0.42, 0.5, 0.58, 1].map((share) => darkTurn(share, 1.5) > 0)).toEqual([true, false, false, false, true]);
    expect(darkTurn(0, 1)).toBe(1);
    expect(darkTurn(1, 1)).toBe(1);
  });
});

describe("channels of imported fixtures", () => {
  const lit = [cue(0, 10, "#ff8000")];

  it("dim within the range of the dimmer, and close below it", () => {
    const mode = { name: "old", channels: [plain("intensity", { range: { from: 134, to: 8 }, closed: 0 })] };
    expect(bytesAt(lit, 1, mode)[0]).toBe(Math.round(134 - 0.81 * 126));
    expect(bytesAt(lit, 20, mode)[0]).toBe(0);
  });

  // kept: Shows | A fixture that squares its dimmer came out too dark, and fine bytes were not driven | failed with the
  // fault put back
  // fault put back
  it("write the square root to a fixture with a square dimmer curve", () => {
    const mode = { name: "square", channels: [plain("intensity", { curve: "square" })] };
    expect(bytesAt(lit, 1, mode)[0]).toBe(Math.round(0.9 * 255));
  });

  // kept: Shows | A fixture that squares its dimmer came out too dark, and fine bytes were not driven | also
  it("use 16 bits if a mode has both bytes", () => {
    const mode = {
      name: "fine",
      channels: [plain("intensity"), plain("intensityFine"), plain("red"), plain("redFine")],
    };
    const word = Math.round(Math.fround(0.9 * 0.9) * 65535);
    const [high, low] = bytesAt(lit, 1, mode);
    expect(high! * 256 + low!).toBeCloseTo(word, -1);
    expect([...bytesAt(lit, 1, mode).subarray(2, 4)]).toEqual([255, 255]);
  });

  it("write cyan, magenta and yellow as filters, in 8 and 16 bits", () => {
    const kinds = ["intensity", "cyan", "magenta", "magentaFine", "yellow"] as const;
    const mode = { name: "cmy", channels: kinds.map((kind) => plain(kind)) };
    const { r, g, b } = fullBrightness(linearOfHex("#ff8000"));
    const [, cyan, magenta, fine, yellow] = bytesAt(lit, 1, mode);
    expect([cyan, yellow]).toEqual([Math.round(255 - r * 255), Math.round(255 - b * 255)]);
    expect((magenta! * 256 + fine!) / 65535).toBeCloseTo(1 - g, 3);
  });

  it("light a fixture with a single color whatever the requested color", () => {
    for (const kind of ["white", "warmWhite", "amber", "uv"] as const) {
      expect(bytesAt(lit, 1, { name: kind, channels: [plain(kind)] })[0]).toBe(Math.round(0.81 * 255));
    }
  });

  it("convert colors to hue and saturation for fixtures that use those", () => {
    const mode = { name: "hsv", channels: (["hue", "saturation", "intensity"] as const).map((kind) => plain(kind)) };
    expect([...bytesAt([cue(0, 10, "#00ff00")], 1, mode).subarray(0, 2)]).toEqual([85, 255]);
  });

  it("close a shutter with a known closed value, and move all heads of one body together", () => {
    const channels = [
      plain("pan", { default: 128 }),
      plain("shutter", { open: 255, closed: 10, default: 200 }),
      ...[1, 2].flatMap((head) => (["red", "green", "blue"] as const).map((kind) => plain(kind, { head }))),
    ];
    const moving = [cue(0, 10, "#ff8000", { pan: 1 }), cue(15, 1, "#ff8000", { pan: 0 })];
    expect([...bytesAt(moving, 1, { name: "bar", channels }).subarray(0, 2)]).toEqual([255, 255]);
    // 540 degrees at 200 per second, and a ramp: 2.85 s of the five that are dark.
    expect([...bytesAt(moving, 13, { name: "bar", channels }).subarray(0, 2)]).toEqual([0, 10]);
  });
});
