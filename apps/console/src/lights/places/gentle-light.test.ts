import type { Pose } from "@followspot/contract";
import { parsRig } from "@followspot/lighting";
import { expect, test } from "vitest";
import { gentlyLit } from "./gentle-light.ts";

test("lights every fixture at its drafted pose in its given color, even if it is ungrouped or disabled", () => {
  const rig = parsRig(3);
  const [first, second, third] = rig.lights;
  const at = (x: number): Pose => ({ x, y: 2, z: 4, hangs: true, turn: 0, lean: 0 });
  const off = { ...rig, lights: [first!, { ...second!, enabled: false }, third!], groups: [{ ...rig.groups[0]!, lightIds: [first!.id, second!.id] }] }; // prettier-ignore
  const { beams, light } = gentlyLit(off, [
    { id: first!.id, color: "#ff0000", pose: at(-3) },
    { id: second!.id, color: "#00ff00", pose: at(0) },
    { id: third!.id, color: "#0000ff", pose: at(3) },
  ]);
  light(1);
  const seen = beams.lamps.map(({ lightId, heads: [h = 0] }) => {
    const [red, green, blue] = beams.colors.subarray(3 * h, 3 * h + 3);
    return { lightId, x: beams.positions[3 * h], isLit: [red! > 0.05, green! > 0.05, blue! > 0.05] };
  });
  expect(seen.toSorted((a, b) => a.lightId - b.lightId)).toEqual([
    { lightId: first!.id, x: -3, isLit: [true, false, false] },
    { lightId: second!.id, x: 0, isLit: [false, true, false] },
    { lightId: third!.id, x: 3, isLit: [false, false, true] },
  ]);
});
