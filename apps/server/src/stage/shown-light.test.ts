import { bindShow, newFrame, parsRig, type CompiledShow } from "@followspot/lighting";
import { expect, it } from "vitest";
import { ShownLight } from "./shown-light.ts";
import { brightPlan } from "./testing/plans.ts";

const LAMPS = 12;

/** Sets unpredictable light: most fixtures stay unchanged, some jump. */
function leap(show: CompiledShow, random: () => number): void {
  for (let h = 0; h < show.headCount; h++) {
    if (random() < 0.3) show.level[h] = random();
    show.red[h] = 1;
    show.green[h] = show.blue[h] = random() < 0.5 ? 0 : 1;
  }
}

/** Creates a pseudo-random number generator 0..1 with a fixed seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

it("shows the same after ticks were rendered several times as after one rendering", () => {
  const rig = parsRig(LAMPS);
  const [show, plain] = [bindShow(brightPlan(), rig), bindShow(brightPlan(), rig)];
  const [light, once] = [new ShownLight(show), new ShownLight(plain)];
  const [random, other] = [chance(5), chance(9)];
  let limited = 0;
  for (let tick = 0; tick < 600; tick++) {
    // Renders wrong guesses for this tick and later ones, as if the light changed before they were sent.
    for (let guess = Math.floor(other() * 4); guess > 0; guess--) {
      light.rewind(tick, tick);
      for (let ahead = 0; ahead <= guess; ahead++) {
        leap(show, other);
        light.show(tick + ahead);
      }
    }
    leap(plain, random);
    for (const key of ["level", "red", "green", "blue"] as const) show[key].set(plain[key]);
    light.rewind(tick, tick);
    const isLimited = light.show(tick);
    expect(once.show(tick)).toBe(isLimited);
    expect(light.frame).toEqual(once.frame);
    if (isLimited) limited++;
  }
  expect(limited).toBeGreaterThan(100);
  expect(light.frame).not.toEqual(newFrame(show));
});
