import { beforeAll, describe, expect, it } from "vitest";
import { lightingPlanSchema, type Pose, type Rig } from "../packages/contract/src/index.ts";
import { aimAt, emptyPlan, GENERIC_FIXTURES, travelOf } from "../packages/lighting/src/index.ts";
import { findChromium } from "../apps/server/src/songs/film/find-chromium.ts";
import { stagePictures } from "../apps/server/src/songs/film/stage-pictures.ts";

const SIZE = { width: 320, height: 180 };
/** Times in the plan, s: a red par on the left and a blue one on the right; a white head to the right; white; dark. */
const SECONDS = { pars: 1, head: 3, white: 5, dark: 7 };

const overStage = (x: number): Pose => ({ x, y: 2.5, z: 4.5, hangs: true, turn: 0, lean: 10 });
const [par, head] = ["generic_rgb_par", "generic_moving_wash"].map(
  (key) => GENERIC_FIXTURES.find((fixture) => fixture.key === key)!.modes[0]!,
);
const aimed = aimAt(overStage(0), { x: 4, y: 2, z: 0 }, travelOf(head!));
const rig: Rig = {
  lights: [
    { id: 1, label: "left", universe: 1, address: 1, mode: par!, enabled: true, pose: overStage(-3) },
    { id: 2, label: "right", universe: 1, address: 11, mode: par!, enabled: true, pose: overStage(3) },
    {
      id: 3,
      label: "head",
      universe: 1,
      address: 21,
      mode: head!,
      enabled: true,
      pose: overStage(0),
      aim: { home: aimed, range: { pan: 0, tilt: 0 }, invertPan: false, invertTilt: false, swap: false },
    },
  ],
  groups: [1, 2, 3].map((id) => ({ id: `g${id}`, name: `g${id}`, type: "par", lightIds: [id], enabled: true })),
};

const cue = (time: number, color: string) => {
  const params = { level: 1, to_level: 1 };
  return { time, duration: 1, intent: "snap", palette: [color], params, section: "verse", energy: 1, reason: "known" };
};
const plan = lightingPlanSchema.parse({
  ...emptyPlan([]),
  song_id: "known",
  duration: 10,
  palette: ["#ff0000"],
  beats: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  downbeats: [0, 4, 8],
  event_lanes: {
    g1: [cue(0.5, "#ff0000"), cue(4.5, "#ffffff")],
    g2: [cue(0.5, "#0000ff"), cue(4.5, "#ffffff")],
    g3: [cue(2.5, "#ffffff"), cue(4.5, "#ffffff")],
  },
});

type Color = readonly [r: number, g: number, b: number];

/** Returns the mean color of a part of a picture, 0..255. @param from shares of width and height from the top left */
function meanOf(picture: Buffer, from: readonly [number, number], to: readonly [number, number]): Color {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = Math.round(from[1] * SIZE.height); y < to[1] * SIZE.height; y++) {
    for (let x = Math.round(from[0] * SIZE.width); x < to[0] * SIZE.width; x++, count++) {
      for (const k of [0, 1, 2] as const) sum[k] += picture[3 * (y * SIZE.width + x) + k]!;
    }
  }
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

describe("the stage in three dimensions", () => {
  let pictures: Record<keyof typeof SECONDS, Buffer>;

  beforeAll(async () => {
    const chromium = await findChromium(process.env.FOLLOWSPOT_CHROMIUM);
    const drawn: Buffer[] = [];
    const job = { plan, rig, times: Object.values(SECONDS), ...SIZE };
    for await (const picture of stagePictures(job, chromium!, new AbortController().signal)) drawn.push(picture);
    const [pars, aside, white, dark] = drawn as [Buffer, Buffer, Buffer, Buffer];
    pictures = { pars, head: aside, white, dark };
  });

  /** Mean colors where the beams of fixtures over x = -3 and 3 reach the floor. */
  const left = (picture: Buffer) => meanOf(picture, [0.27, 0.3], [0.34, 0.6]);
  const right = (picture: Buffer) => meanOf(picture, [0.66, 0.3], [0.73, 0.6]);

  it("shows each fixture in its color where it hangs, with full saturation", () => {
    const [red, , noBlue] = left(pictures.pars);
    const [noRed, , blue] = right(pictures.pars);
    expect(red).toBeGreaterThan(60);
    expect(blue).toBeGreaterThan(60);
    expect(noBlue / red).toBeLessThan(0.35);
    expect(noRed / blue).toBeLessThan(0.35);
  });

  it("lights the side that a head points to", () => {
    const [toRight] = meanOf(pictures.head, [0.5, 0.4], [0.8, 0.7]);
    const [toLeft] = meanOf(pictures.head, [0.2, 0.4], [0.5, 0.7]);
    expect(toRight).toBeGreaterThan(2 * toLeft);
  });

  it("shows white light without a tint", () => {
    for (const [r, g, b] of [left(pictures.white), right(pictures.white)]) {
      expect(r).toBeGreaterThan(60);
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(4);
    }
  });

  it("is nearly black without light, but its shapes are discernible", () => {
    const whole = meanOf(pictures.dark, [0, 0], [1, 1]);
    expect(Math.max(...whole)).toBeLessThan(14);
    expect(new Set(pictures.dark).size).toBeGreaterThan(5);
  });
});
