import { describe, expect, it } from "vitest";
import { parsRig, REFERENCE_RIGS } from "../reference-rigs.ts";
import { placeLamps } from "./stage-layout.ts";
import { lampName, lampsMarkup, stageMarkup } from "./stage-markup.ts";

describe("stageMarkup", () => {
  it("has one element per head, dark by default", () => {
    const lamps = placeLamps(REFERENCE_RIGS[2]!.rig);
    const dark = stageMarkup(lamps);
    for (const lamp of lamps) expect(dark.split(`data-lamp="${lampName(lamp)}" color="transparent"`)).toHaveLength(2);
    expect(lampsMarkup(lamps, [{ color: "rgb(255 0 0 / 1)", angle: 0, width: 1 }])).toBe(
      lampsMarkup(lamps).replace("transparent", "rgb(255 0 0 / 1)"),
    );
  });

  it("points the beam and the pool of a head to the side", () => {
    const [lamp] = placeLamps(parsRig(1));
    const markup = lampsMarkup([lamp!], [{ color: "transparent", angle: 40, width: 1 }]);
    expect(markup).toContain('<g data-aim="" transform="matrix(1.00 0 -0.839 1 25.2 0)">');
    expect(markup).toMatch(/<ellipse data-pool="" [^>]+ transform="matrix\(1\.00 0 0 1 -146\.0 0\)"/);
  });

  it("contains no text from the rig", () => {
    const rig = parsRig(2);
    const named = { ...rig, lights: rig.lights.map((light) => ({ ...light, label: '<script>"&' })) };
    expect(stageMarkup(placeLamps(named))).toBe(stageMarkup(placeLamps(rig)));
  });

  it("draws the bodies of bars and strobes", () => {
    const shapes = new Set(placeLamps(REFERENCE_RIGS[2]!.rig).map((lamp) => lamp.shape));
    expect(shapes).toEqual(new Set(["beam", "strip", "panel"]));
    expect(stageMarkup(placeLamps(REFERENCE_RIGS[2]!.rig))).not.toMatch(/NaN|undefined/);
  });
});
