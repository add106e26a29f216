import { slotOf, type Cue, type Rig, type RigLight } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { UNAIMED } from "../aims.ts";
import { compileShow } from "../compile-show.ts";
import { GENERIC_FIXTURES } from "../fixtures.ts";
import { renderFrame } from "../render-frame.ts";
import { planWith } from "../testing/random-plan.ts";

const WASH = GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_wash")!.modes[0]!;
const DIMMER = 5;

/** Returns a fixture whose band and floor are a given tilt apart, so that moves have a known length. */
const taught = (tilt: number, more: Partial<RigLight> = {}): RigLight => ({
  id: 1,
  label: "head",
  universe: 1,
  address: 1,
  mode: WASH,
  enabled: true,
  aim: { ...UNAIMED, band: { pan: 0.5, tilt: 0.5 }, floor: { pan: 0.5, tilt: 0.5 + tilt / 270 } },
  ...more,
});
const rigOf = (...lights: RigLight[]): Rig => ({
  lights: lights.map((light, i) => ({ ...light, id: i + 1, address: 1 + 12 * i })),
  groups: [{ id: "g", name: "g", type: "spot", lightIds: lights.map((_, i) => i + 1), enabled: true }],
});
const cue = (time: number, duration: number, params: Cue["params"] = {}): Cue => ({
  time,
  duration,
  intent: "snap",
  palette: ["#ff0000", "#ffffff"],
  params: { level: 1, ...params },
  section: "verse",
  energy: 0.5,
  reason: "test",
});

/** Returns pan and tilt in degrees from the middle, and the dimmer 0..1, of each fixture at a time. */
function headsAt(cues: Cue[], rig: Rig, t: number, bpm = 120) {
  const slots = renderFrame(compileShow(planWith({ all: cues }, bpm), rig), t).get(1)!;
  return rig.lights.map(({ address }) => {
    const [a = 0, b = 0, c = 0, d = 0] = slots.subarray(slotOf(address));
    const degrees = (coarse: number, fine: number, travel: number) => ((256 * coarse + fine) / 65535 - 0.5) * travel;
    return { pan: degrees(a, b, 540), tilt: degrees(c, d, 270), light: slots[slotOf(address) + DIMMER]! / 255 };
  });
}
const at = (cues: Cue[], light: RigLight, t: number, bpm?: number) => headsAt(cues, rigOf(light), t, bpm)[0]!;

describe("a head between two cues", () => {
  // A move of 75° at 150°/s takes 0.5 s and a ramp of 0.15 s, so it starts at 3.35 s for the cue at 4 s.
  const cues = [cue(0, 4, { aim: "band" }), cue(4, 4, { aim: "floor" })];
  const far = taught(75);

  it("leaves as late as its speed allows, dark, and arrives lit on the downbeat", () => {
    expect(at(cues, far, 3.3).tilt).toBeCloseTo(0, 1);
    expect(at(cues, far, 3.675).tilt).toBeCloseTo(37.5, 0);
    expect(at(cues, far, 4).tilt).toBeCloseTo(75, 1);
    expect([3.36, 3.7, 3.99].map((t) => at(cues, far, t).light)).toEqual([0, 0, 0]);
    expect(at(cues, far, 4).light).toBe(1);
  });

  it("fades out just before it leaves", () => {
    expect(at(cues, far, 3.19).light).toBe(1);
    const fading = [3.22, 3.27, 3.32].map((t) => at(cues, far, t).light);
    expect(fading).toEqual(fading.toSorted((a, b) => b - a));
    expect(fading[1]).toBeLessThan(0.4);
  });

  it("stays lit on a short move, which takes two beats", () => {
    const near = taught(18);
    for (let t = 2.8; t < 4.2; t += 0.05) expect(at(cues, near, t).light).toBe(1);
    expect(at(cues, near, 3).tilt).toBeCloseTo(0, 1);
    expect(at(cues, near, 3.5).tilt).toBeCloseTo(9, 0);
  });

  it("leaves as soon as it is dark anyway", () => {
    const apart = [cue(0, 4, { aim: "band" }), cue(8, 4, { aim: "floor" })];
    expect(at(apart, far, 4.7).tilt).toBeCloseTo(75, 1);
    expect(at(apart, far, 3.9).light).toBe(1);
  });

  it("moves on into a cue that it cannot reach in time, dark until it arrives", () => {
    const slow = taught(75, { mode: { ...WASH, movement: { tiltSpeed: 30 } } });
    const short = [cue(0, 2, { aim: "band" }), cue(2, 8, { aim: "floor" })];
    // 2.65 s from the middle of the first cue on.
    expect(at(short, slow, 0.8).light).toBe(1);
    expect([1.1, 2, 3.6].map((t) => at(short, slow, t).light)).toEqual([0, 0, 0]);
    expect(at(short, slow, 3.65).tilt).toBeCloseTo(75, 1);
    expect(at(short, slow, 3.9).light).toBe(1);
  });

  it("stays in place in a cue that ends before it could arrive", () => {
    const hit = [cue(0, 4, { aim: "band" }), cue(4, 0.5, { aim: "floor" }), cue(4.5, 4, { aim: "band" })];
    for (let t = 3; t < 5; t += 0.1) expect(at(hit, far, t)).toMatchObject({ light: 1 });
    expect(at(hit, far, 4.2).tilt).toBeCloseTo(0, 1);
  });

  it("keeps moving if the next cue continues the same figure", () => {
    const moves = { aim: "band", figure: "circle", move_beats: 8, move_range: 0.5 };
    const one = [cue(0, 12, moves)];
    const cut = [cue(0, 3, moves), cue(3, 4.5, { ...moves, level: 0.5 }), cue(7.5, 4, moves)];
    for (const t of [1, 2.99, 3.1, 5, 7.6, 10]) expect(at(cut, far, t)).toMatchObject({ tilt: at(one, far, t).tilt });
  });
});

describe("a figure", () => {
  const drawn = (params: Cue["params"], light: RigLight, bpm?: number) => {
    const tilts = Array.from({ length: 400 }, (_, i) => at([cue(0, 30, params)], light, 2 + i / 40, bpm).tilt);
    return Math.max(...tilts) - Math.min(...tilts);
  };
  const wave = { figure: "wave", move_beats: 4, move_range: 1 };
  const light = taught(0, { aim: undefined });

  it("has its full size if there is time: 28 degrees to either side", () => {
    expect(drawn({ ...wave, move_beats: 8 }, light)).toBeCloseTo(56, 0);
  });

  it("is reduced for a head that is too slow", () => {
    // A sine of amplitude A and period T has a peak speed of 2πA/T: at 30 degrees per second and 2 s it reaches 9.5
    // degrees.
    expect(drawn(wave, { ...light, mode: { ...WASH, movement: { tiltSpeed: 30 } } })).toBeCloseTo(19.1, 0);
  });

  it("stays within the range of an aimed head", () => {
    const aim = { ...UNAIMED, range: { pan: 0.35, tilt: 0.02 } };
    expect(drawn({ ...wave, move_beats: 8 }, { ...light, aim })).toBeLessThanOrEqual(2 * 0.02 * 270 + 0.1);
  });

  it("runs along the row as a wave, and mirrors its halves as a sway", () => {
    const rig = rigOf(light, light, light, light, light);
    const waving = headsAt([cue(0, 30, { ...wave, move_beats: 8 })], rig, 5.3).map(({ tilt }) => tilt);
    expect(new Set(waving.map((tilt) => tilt.toFixed(1))).size).toBeGreaterThan(3);
    const swaying = headsAt([cue(0, 30, { figure: "sway", move_beats: 8, move_range: 0.5 })], rig, 5.4);
    const turns = swaying.map(({ pan }) => pan);
    expect(turns[0]).toBeCloseTo(-turns[4]!, 1);
    expect(Math.abs(turns[0]!)).toBeGreaterThan(5);
  });
});

describe("heads on the singer", () => {
  const sung = cue(0, 30, { aim: "crossed", figure: "circle", move_beats: 8, move_range: 0.4, singer: 0.6 });
  const still = (rig: Rig) => {
    const [early, late] = [5, 7].map((t) => headsAt([sung], rig, t));
    return early!.map((one, i) => one.pan === late![i]!.pan && one.tilt === late![i]!.tilt);
  };
  const light = taught(0, { aim: undefined });

  it("are the one in the middle, or the pair around it, and stay still while the others move", () => {
    expect(still(rigOf(light, light, light))).toEqual([false, true, false]);
    expect(still(rigOf(light, light, light, light))).toEqual([false, true, true, false]);
  });

  it("are both in a rig of two", () => {
    expect(still(rigOf(light, light))).toEqual([true, true]);
  });

  it("have a steady white light of their own", () => {
    const slots = renderFrame(compileShow(planWith({ all: [sung] }), rigOf(light, light, light)), 5).get(1)!;
    // Intensity, shutter, red, green, blue, white of the first fixture and of the middle one.
    expect([...slots.subarray(5, 11)]).toEqual([255, 0, 255, 0, 0, 0]);
    expect([...slots.subarray(17, 23)]).toEqual([Math.round(0.36 * 255), 0, 0, 0, 0, 255]);
  });
});
