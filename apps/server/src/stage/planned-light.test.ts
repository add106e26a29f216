import { expect, it } from "vitest";
import type { Hands } from "./desk/desk-rules.ts";
import type { StageScene } from "./desk/desk-scene.ts";
import { drawingOf } from "./lamps/scene.ts";
import { TICK_HZ, TICK_MS } from "./outputs/frame-ring.ts";
import { PlannedLight } from "./planned-light.ts";
import { brightPlan, showAt } from "./testing/plans.ts";

const HANDS: Hands = {};
const DRAWING = drawingOf(brightPlan());
const TWO_SECONDS = Math.ceil(2 * TICK_HZ);
const at = (tick: number, rate = 1): StageScene => showAt((tick * rate * TICK_MS) / 1000);

/** Plays from one tick to another, and returns whether the last one follows the plan. */
function play(light: PlannedLight, from: number, to: number, sceneAt = at): boolean {
  let isForetold = false;
  for (let tick = from; tick <= to; tick++) isForetold = light.note(tick, sceneAt(tick), HANDS, DRAWING);
  return isForetold;
}

it("accepts a plan that has run untouched for two seconds, also slightly faster or slower", () => {
  for (const rate of [1, 0.92, 1.08]) {
    const light = new PlannedLight();
    expect(play(light, 0, TWO_SECONDS - 1, (tick) => at(tick, rate))).toBe(false);
    expect(play(light, TWO_SECONDS, TWO_SECONDS, (tick) => at(tick, rate))).toBe(true);
  }
});

it.each([
  ["a seek", (tick: number) => at(tick + 40), HANDS],
  ["a pause", () => at(1), HANDS],
  ["the master", (tick: number) => ({ ...at(tick), master: 0.5 }), HANDS],
  ["a press", at, {}],
  ["the house look", (tick: number) => ({ ...at(tick), houseMix: 0.1 }), HANDS],
  ["a strobe", (tick: number) => ({ ...at(tick), strobe: 1 }), HANDS],
  ["nothing that plays", () => ({ kind: "silent" }) as const, HANDS],
] as [string, (tick: number) => StageScene, Hands][])("rejects it after %s", (_name, sceneAt, hands) => {
  const light = new PlannedLight();
  const last = 2 * TWO_SECONDS;
  expect(play(light, 0, last)).toBe(true);
  expect(light.note(last + 1, sceneAt(last + 1), hands, DRAWING)).toBe(false);
});

it("gives the same result for a tick that is rendered again", () => {
  const light = new PlannedLight();
  play(light, 0, 200);
  expect(play(light, 170, 210)).toBe(true);
});
