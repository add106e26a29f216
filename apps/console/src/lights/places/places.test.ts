import { create } from "@bufbuild/protobuf";
import type { Pose } from "@followspot/contract";
import { LightGroupSchema, LightPoseSchema, LightSchema } from "@followspot/contract/lights";
import { describe, expect, it } from "vitest";
import { redone, stepped, UNCHANGED, undone } from "./history.ts";
import { changedPlaces, edited, isOutside, linedUp, lineAt, linesOf, patched, placesOf, poseOf } from "./places.ts";
import { dragged } from "./snap.ts";

const light = (id: number, more: object = {}) => create(LightSchema, { id, label: `Par ${id}`, ...more });
const group = (id: string, name: string, fixtureIds: number[]) => create(LightGroupSchema, { id, name, fixtureIds });
const pose = (x: number, y: number, more = {}) => create(LightPoseSchema, { x, y, ...more });
const USUAL: Pose = { x: 1, y: 2.5, z: 4.5, hangs: true, turn: 0, lean: 12 };

describe("the stage plan", () => {
  const lights = [1, 2, 3, 4, 5].map((id) => light(id));
  const groups = [group("a", "A", [2, 1]), group("b", "B", [1, 3, 4])];

  it("lines up fixtures by group from back to front, each once, with side margins", () => {
    const patches = linedUp(linesOf(lights, groups));
    expect([...patches.keys()]).toEqual([2, 1, 3, 4, 5]);
    expect([patches.get(2), patches.get(1)]).toEqual([
      { x: -4.2, y: 0.72 },
      { x: 4.2, y: 0.72 },
    ]);
    expect([patches.get(3)!.y, patches.get(5)]).toEqual([3, { x: 0, y: 5.28 }]);
    expect(lineAt([], 0.5).size).toBe(0);
  });

  it("clamps positions to the range, and stores mounting only after the user changes it", () => {
    expect(patched(undefined, USUAL, { x: 20, y: -3 })).toEqual({ x: 7, y: 0 });
    expect(patched({ x: 0, y: 1 }, USUAL, { z: 99 })).toEqual({ x: 0, y: 1, fixed: { z: 10, hangs: true, turn: 0, lean: 12 } }); // prettier-ignore
    expect(patched(undefined, USUAL, { turn: 190 }).fixed!.turn).toBe(-170);
    expect(poseOf({ x: 0, y: 1 }, USUAL)).toEqual({ ...USUAL, x: 0, y: 1 });
    expect([isOutside({ ...USUAL, x: -4.164 }), isOutside({ ...USUAL, x: -7.2 }), isOutside({ ...USUAL, z: 10.4 })]).toEqual([false, true, true]); // prettier-ignore
  });

  it("saves only changed positions", () => {
    const before = placesOf([light(1, { pose: pose(0, 3) }), light(2, { pose: pose(-5, 0) }), light(3)]);
    const after = edited(before, new Map([[2, undefined], [3, { x: 5, y: 6 }]])); // prettier-ignore
    expect(changedPlaces(before, after)).toEqual([{ lightId: 3, pose: { x: 5, y: 6 } }, { lightId: 2 }]);
    expect(changedPlaces(before, before)).toEqual([]);
    const fixed = { z: 4, hangs: true, turn: 90, lean: 0 };
    expect(changedPlaces(before, placesOf([light(1, { pose: pose(0, 3, fixed) }), light(2, { pose: pose(-5, 0) })]))).toEqual([{ lightId: 1, pose: { x: 0, y: 3, ...fixed } }]); // prettier-ignore
  });
});

describe("a drag", () => {
  const start = new Map([[1, USUAL], [2, { ...USUAL, x: 3 }]]); // prettier-ignore
  const options = { others: [{ ...USUAL, x: -4.1, y: 0.9, z: 3.3 }], isFree: false, floor: 0.35 };
  const to = (x: number, y: number) => dragged(start, 1, { x, y }, options);

  it("snaps to a grid of 0.25 m, and the other dragged fixtures keep their offsets", () => {
    expect([...to(-2.06, 3.46).patches]).toEqual([[1, { x: -2, y: 3.5 }], [2, { x: 0, y: 3.5 }]]); // prettier-ignore
    expect(to(-2.06, 3.46).guides).toEqual([]);
  });

  it("snaps to the center line, to other fixtures and to their mirrored positions", () => {
    expect(to(0.1, 0.85)).toEqual({
      patches: new Map([[1, { x: 0, y: 0.9 }], [2, { x: 2, y: 0.9 }]]), // prettier-ignore
      guides: [
        { axis: "x", at: 0, isMirror: true },
        { axis: "y", at: 0.9, isMirror: false },
      ],
    });
    expect(dragged(new Map([[1, USUAL]]), 1, { x: 4.02 }, options).guides).toEqual([{ axis: "x", at: 4.1, isMirror: true }]); // prettier-ignore
  });

  it("stops all dragged fixtures when the first reaches the edge", () => {
    expect([...to(9, 3.5).patches.values()].map(({ x }) => x)).toEqual([5, 7]);
    expect([...to(-9, 3.5).patches.values()].map(({ x }) => x)).toEqual([-7, -5]);
  });

  it("rounds to 1 cm without snapping", () => {
    expect(dragged(start, 1, { x: 0.104, y: 0.851 }, { ...options, isFree: true }).patches.get(1)).toEqual({ x: 0.1, y: 0.85 }); // prettier-ignore
  });

  it("makes fixtures stand at floor height and hang at truss height", () => {
    expect(dragged(start, 1, { z: 0.3 }, options).patches.get(2)).toEqual({ z: 0.35, hangs: false });
    const standing = new Map([[1, { ...USUAL, z: 0.35, hangs: false }]]);
    expect(dragged(standing, 1, { z: 4.4 }, options).patches.get(1)).toEqual({ z: 4.5, hangs: true });
    expect(dragged(standing, 1, { z: 3.25 }, options).patches.get(1)).toEqual({ z: 3.3, hangs: true });
    expect(dragged(standing, 1, { z: 2.05 }, options).patches.get(1)).toEqual({ z: 2 });
  });
});

describe("undo and redo", () => {
  const a = new Map([[1, { x: 1, y: 1 }]]);
  const b = new Map([[1, { x: 2, y: 1 }]]);

  it("step through changes one by one; a drag is one step", () => {
    const history = stepped(stepped(stepped(UNCHANGED, a), new Map(), "drag 1"), b, "drag 1");
    expect(undone(history).now).toBe(a);
    expect(undone(undone(history)).now).toBe(UNCHANGED.now);
    expect(redone(redone(undone(undone(history)))).now).toBe(b);
    expect(undone(UNCHANGED)).toBe(UNCHANGED);
  });

  it("do not merge steps across an undo; a new step clears the redo list", () => {
    const back = undone(stepped(stepped(UNCHANGED, a), b, "x 1"));
    expect(redone(stepped(back, b, "x 1")).now).toBe(b);
    expect(undone(stepped(back, b, "x 1")).now).toBe(a);
  });
});
