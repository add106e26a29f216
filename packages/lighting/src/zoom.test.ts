import type { Cue, FixtureChannel, FixtureMode, GroupType, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { compileShow } from "./compile-show.ts";
import { fixtureStates, houseLook, renderFrame } from "./render-frame.ts";
import { planWith, randomPlan } from "./testing/random-plan.ts";

const NARROW_FIRST: FixtureChannel = { kind: "zoom", head: 0, default: 128, range: { from: 10, to: 250 } };
const WIDE_FIRST: FixtureChannel = { kind: "zoom", head: 0, default: 128, range: { from: 250, to: 10 } };
const UNKNOWN_ENDS: FixtureChannel = { kind: "zoom", head: 0, default: 77 };

const spotWith = (zoom: FixtureChannel): FixtureMode => ({
  name: "spot",
  channels: [{ kind: "intensity", head: 0, default: 0 }, zoom],
});
const ZOOM = 1;

function rigOf(mode: FixtureMode, type: GroupType = "spot"): Rig {
  const light = { id: 1, label: "spot", universe: 1, address: 1, mode, enabled: true };
  return { lights: [light], groups: [{ id: "g", name: "g", type, lightIds: [1], enabled: true }] };
}

const WASH = "crossfade";
const BUILD = "ramp";
const HIT = "snap";

function cue(time: number, duration: number, intent: string, params: Cue["params"] = {}): Cue {
  const more = { section: "verse", energy: 0.5, reason: "test", palette: ["#ff0000"] };
  return { time, duration, intent, params: { level: 0.9, ...params }, ...more };
}

/** Byte of the zoom channel at a song time. */
const sent = (cues: Cue[], t: number, zoom = NARROW_FIRST, type?: GroupType) =>
  renderFrame(compileShow(planWith({ all: cues }), rigOf(spotWith(zoom), type)), t).get(1)![ZOOM]!;

/** Beam width, 0..1: 0 for the narrow end of NARROW_FIRST, 1 for the wide one. */
const width = (cues: Cue[], t: number, type?: GroupType) => (sent(cues, t, NARROW_FIRST, type) - 10) / 240;

const TRAVELS = { move_beats: 8, move_range: 0.4 };

describe("a zoom", () => {
  it("is wide for a wash and narrow for a moving beam", () => {
    expect(width([cue(0, 10, WASH)], 5)).toBeGreaterThan(0.7);
    expect(width([cue(0, 10, WASH, TRAVELS)], 5)).toBeLessThan(0.3);
  });

  it("follows the width of its cue", () => {
    expect(width([cue(0, 10, WASH, { zoom: 0.25 })], 5)).toBeCloseTo(0.25, 2);
    expect(width([cue(0, 10, WASH, { zoom: 0, to_zoom: 1 })], 5)).toBeCloseTo(0.5, 2);
  });

  it("narrows over a build and widens with the next cue", () => {
    const cues = [cue(0, 8, BUILD), cue(8, 8, HIT)];
    const widths = [0, 2, 4, 6, 7.9].map((t) => width(cues, t));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    expect(widths[0]! - widths[4]!).toBeGreaterThan(0.5);
    expect(width(cues, 12)).toBeGreaterThan(widths[4]! + 0.3);
  });

  it("never jumps while lit", () => {
    const cues = [cue(0, 8, WASH), cue(8, 8, WASH, TRAVELS), cue(16, 8, BUILD), cue(24, 8, HIT)];
    let last = width(cues, 0);
    for (let t = 0; t < 32; t += 1 / 44) {
      const next = width(cues, t);
      expect(Math.abs(next - last)).toBeLessThan(0.05);
      last = next;
    }
  });

  it("reaches the next cue's width before that cue is lit", () => {
    const cues = [cue(0, 4, WASH), cue(12, 4, WASH, TRAVELS)];
    expect(sent(cues, 11)).toBe(sent(cues, 12));
  });

  it("of a fixture in a wash group stays wide, whatever the cue", () => {
    for (const params of [TRAVELS, { zoom: 0 }])
      expect(width([cue(0, 10, WASH, params)], 5, "wash")).toBeGreaterThan(0.7);
  });

  it("is inverted if the wide end comes first", () => {
    const cues = [cue(0, 10, WASH, { zoom: 0.25 })];
    expect(sent(cues, 5, WIDE_FIRST)).toBe(260 - sent(cues, 5, NARROW_FIRST));
  });

  it("rests if its ends are unknown", () => {
    for (const t of [0, 5, 20]) expect(sent([cue(0, 10, WASH, TRAVELS)], t, UNKNOWN_ENDS)).toBe(77);
  });

  it("stays within its range, whatever the plan", () => {
    const rig = rigOf(spotWith({ ...NARROW_FIRST, range: { from: 40, to: 60 } }));
    for (let seed = 1; seed <= 20; seed++) {
      const show = compileShow(randomPlan(seed), rig);
      for (let t = -1; t < 40; t += 0.5) {
        const value = renderFrame(show, t).get(1)![ZOOM]!;
        expect(value >= 40 && value <= 60, `${value} at ${t} s of plan ${seed}`).toBe(true);
      }
    }
  });

  it("is wide in the house look", () => {
    const show = compileShow(planWith({ all: [cue(0, 10, WASH, TRAVELS)] }), rigOf(spotWith(NARROW_FIRST)));
    renderFrame(show, 5);
    expect(houseLook(show).get(1)![ZOOM]).toBeGreaterThan(10 + 0.7 * 240);
  });

  it("is shared by all heads behind it, or separate if each head has one", () => {
    const dimmers = [1, 2].map((head): FixtureChannel => ({ kind: "intensity", head, default: 0 }));
    const shared: FixtureMode = { name: "shared", channels: [...dimmers, NARROW_FIRST] };
    const own: FixtureMode = {
      name: "own",
      channels: [...dimmers, { ...NARROW_FIRST, head: 1 }, { ...WIDE_FIRST, head: 2 }],
    };
    const bytes = (mode: FixtureMode) =>
      renderFrame(compileShow(planWith({ all: [cue(0, 10, WASH, { zoom: 0 })] }), rigOf(mode)), 5).get(1)!;
    expect(bytes(shared)[2]).toBe(10);
    expect([bytes(own)[2], bytes(own)[3]]).toEqual([10, 250]);
  });

  it("is reported to the preview", () => {
    const show = compileShow(planWith({ all: [cue(0, 10, WASH, { zoom: 0.25 })] }), rigOf(spotWith(NARROW_FIRST)));
    expect(fixtureStates(show, 5)[0]!.zoom).toBeCloseTo(0.25);
  });
});
