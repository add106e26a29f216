import { describe, expect, it } from "vitest";
import { HALL } from "./build-hall.ts";
import { between, eyeOf, fieldOf, orbited, viewOf, VIEWS } from "./stage-views.ts";

describe("views of a stage", () => {
  it("are within the room, however far they are turned", () => {
    for (const view of Object.values(VIEWS)) {
      for (let turn = 0; turn < 7; turn += 0.5) {
        const [x, y, z] = eyeOf(orbited(view, { turn, lift: -9, zoom: 9 }));
        expect(Math.abs(x)).toBeLessThan(HALL.right);
        expect(y).toBeGreaterThan(HALL.back);
        expect(y).toBeLessThan(HALL.front);
        expect(z).toBeGreaterThan(HALL.floor);
      }
    }
  });

  it("look from the hall to the stage, and from the left from the left", () => {
    expect(eyeOf(VIEWS.front)[1]).toBeGreaterThan(15);
    expect(eyeOf(VIEWS.left)[0]).toBeLessThan(-6);
    expect(eyeOf(VIEWS.top)[2]).toBeGreaterThan(10);
  });

  it("go the shorter way round", () => {
    const [a, b] = [orbited(VIEWS.front, { turn: 3 }), orbited(VIEWS.front, { turn: -3 })];
    expect(Math.abs(between(a, b, 0.5).turn)).toBeCloseTo(Math.PI);
  });

  it("show the whole width of the stage on narrow pictures", () => {
    const across = (aspect: number) => 2 * Math.atan(Math.tan((fieldOf(aspect) * Math.PI) / 360) * aspect);
    expect(across(0.9)).toBeCloseTo(across(1.2));
  });

  it("show beams well above the lamps they come from, from the front", () => {
    const { at, distance, lift } = VIEWS.front;
    const top = lift * -1 + (fieldOf(16 / 9) * Math.PI) / 360;
    const [, , eye] = eyeOf(VIEWS.front);
    // A truss hangs at 4.6 m over the stage's middle.
    expect(eye + distance * Math.cos(lift) * Math.tan(top)).toBeGreaterThan(4.6 + 2);
    expect(at[2]).toBeLessThan(4.6);
  });

  it("are nearer from the front where no head turns", () => {
    const [pars, heads] = [false, true].map((moves) => viewOf("front", { lamps: [{ moves }] }));
    expect(pars!.distance).toBeLessThan(heads!.distance);
    expect(heads).toEqual(VIEWS.front);
  });

  it("come nearer where the picture is wide and low", () => {
    expect([fieldOf(2), fieldOf(5)]).toEqual([37, 30]);
  });
});
