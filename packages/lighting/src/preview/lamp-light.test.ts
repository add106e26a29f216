import { describe, expect, it } from "vitest";
import { parsRig } from "../reference-rigs.ts";
import { cssColor, lampAim, lampAngle, lampColor, lampWidth, opacityOf } from "./lamp-light.ts";
import { placeLamps } from "./stage-layout.ts";

describe("light on a screen", () => {
  it("is dark at 0, opaque at 1, and more opaque than linear in between", () => {
    expect([opacityOf(0), opacityOf(1)]).toEqual([0, 1]);
    expect(opacityOf(0.2)).toBeCloseTo(0.48, 1);
  });

  it("encodes linear colors", () => {
    expect(cssColor(1, 0.214, 0)).toBe("rgb(255 127 0)");
  });

  it("has the color at full, with the strength of the light as opacity", () => {
    expect(lampColor(0.2, 0.0428, 0)).toBe("rgb(255 127 0 / 0.484375)");
    expect(lampColor(0, 0, 0)).toBe("transparent");
  });
});

describe("a head that points to the side", () => {
  const lamp = placeLamps(parsRig(1))[0]!;

  it("points straight down in the middle of its pan", () => {
    expect(lampAim(lamp, lampAngle(0.5)).pool).toBe("matrix(1.00 0 0 1 0.0 0)");
  });

  it("has its pool where its beam meets the floor", () => {
    const { beam, pool } = lampAim(lamp, lampAngle(1));
    expect(beam).toBe("matrix(1.00 0 0.839 1 -25.2 0)");
    // 174 units below the head, 40 degrees to the side.
    expect(pool).toBe("matrix(1.00 0 0 1 146.0 0)");
  });

  it("is drawn with the width of its beam, around its position", () => {
    expect(lampWidth(0)).toBeLessThan(0.5);
    expect(lampWidth(1)).toBeGreaterThan(1);
    const { beam, pool } = lampAim(lamp, 0, 0.5);
    for (const transform of [beam, pool]) {
      const [across = 0, , , , moved = 0] = transform.match(/-?[\d.]+/g)!.map(Number);
      expect(across * lamp.x + moved).toBeCloseTo(lamp.x);
      expect(across * (lamp.x + 40) + moved).toBeCloseTo(lamp.x + 20);
    }
  });
});
