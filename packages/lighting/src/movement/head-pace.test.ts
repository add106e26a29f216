import { expect, it } from "vitest";
import { bindShow } from "../compile-show.ts";
import { emptyPlan } from "../empty-plan.ts";
import { GENERIC_FIXTURES } from "../fixtures.ts";
import { setUnlimitedStates } from "../head-states.ts";
import { REFERENCE_RIGS } from "../reference-rigs.ts";
import { randomPlan } from "../testing/random-plan.ts";
import { HeadPace } from "./head-pace.ts";

const HZ = 50;
const WASH = GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_wash")!.modes[0]!;
/**
 * Travels 400 degrees of pan at 100 per second: a quarter of its travel per second, 0.005 per tick; tilt at the default
 * speed.
 */
const SLOW = { ...WASH, movement: { pan: 400, tilt: 300, panSpeed: 100 } };
const rig = {
  lights: [{ id: 1, label: "Head", universe: 1, address: 1, mode: SLOW, enabled: true }],
  groups: [{ id: "g", name: "G", type: "spot" as const, lightIds: [1], enabled: true }],
};

/** Returns the position that the head is sent to at each tick. */
function sent(pace: HeadPace, show: ReturnType<typeof bindShow>, wanted: readonly [number, number][], isFree: boolean) {
  return wanted.map(([pan, tilt], i) => {
    show.pan[0] = pan;
    show.tilt[0] = tilt;
    pace.pace(i, isFree);
    return [show.pan[0]!, show.tilt[0]!];
  });
}

it("moves a head from the desk no faster than its definition allows, and holds it at its target", () => {
  const show = bindShow(emptyPlan(["all"]), rig);
  const pace = new HeadPace(show, HZ);
  const ticks = sent(pace, show, Array.from({ length: 120 }, () => [1, 0.5] as const) as [number, number][], true);
  // From home in the middle: 0.5 of its travel at 0.005 per tick.
  for (const [i, [pan]] of ticks.entries()) expect(pan).toBeCloseTo(Math.min(1, 0.5 + 0.005 * (i + 1)), 5);
  // Tilt has no speed of its own: 150 of 300 degrees per second are 0.01 per tick.
  const up = sent(new HeadPace(show, HZ), show, [[0.5, 1], [0.5, 1]], true); // prettier-ignore
  expect(up.map(([, tilt]) => Number(tilt!.toFixed(5)))).toEqual([0.51, 0.52]);
});

it("limits a head until it is back on its plan, and no longer", () => {
  const show = bindShow(emptyPlan(["all"]), rig);
  const pace = new HeadPace(show, HZ);
  sent(pace, show, [[0.51, 0.5], [0.52, 0.5]], true); // prettier-ignore
  show.pan[0] = 0.5;
  pace.pace(2, false);
  expect(show.pan[0]).toBeCloseTo(0.505, 5);
  show.pan[0] = 0.5;
  pace.pace(3, false);
  expect(show.pan[0]).toBe(0.5);
  // A seek in a plan still jumps.
  show.pan[0] = 0.9;
  pace.pace(4, false);
  expect(show.pan[0]).toBeCloseTo(0.9, 6);
});

it("leaves the movement of a plan unchanged at every tick", () => {
  const { rig: club } = REFERENCE_RIGS[1]!;
  const show = bindShow(randomPlan(5), club);
  const pace = new HeadPace(show, HZ);
  for (let tick = 0; tick < 40 * HZ; tick++) {
    setUnlimitedStates(show, tick / HZ);
    const before = [...show.pan, ...show.tilt];
    pace.pace(tick, false);
    expect([...show.pan, ...show.tilt]).toEqual(before);
  }
});
