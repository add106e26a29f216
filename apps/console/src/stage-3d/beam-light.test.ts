import { compileShow, emptyPlan, litByShow, parsRig } from "@followspot/lighting";
import { expect, test } from "vitest";
import { BeamLight } from "./beam-light.ts";

/** Light that is drawn for the first par of so many, all at full red. */
function drawn(pars: number): number[] {
  const rig = parsRig(pars);
  const { beams } = litByShow(compileShow(emptyPlan(["par", "wash", "bar"]), rig), rig);
  for (let h = 0; h < beams.count; h++) beams.colors.set([1, 0, 0], 3 * h);
  const light = new BeamLight(beams);
  light.update(beams);
  const color = light.cones.getAttribute("headColor");
  return [color.getX(0), color.getY(0), color.getZ(0)];
}

test("eyes adapt to few lamps: each of eight pars is drawn brighter than each of forty, in its own colour", () => {
  const [few, many] = [drawn(8), drawn(40)];
  expect(many).toEqual([1, 0, 0]);
  expect(few[0]).toBeGreaterThan(1.5);
  expect(few.slice(1)).toEqual([0, 0]);
  expect(drawn(1)[0]).toBeGreaterThan(few[0]!);
});

test("eyes adapt to many lamps: each of a hall's is drawn darker than each of forty, and all together brighter", () => {
  const [many, hall] = [drawn(40)[0]!, drawn(120)[0]!];
  expect(hall).toBeLessThan(0.7 * many);
  expect(120 * hall).toBeGreaterThan(1.5 * 40 * many);
});
