import type { HeadAim } from "@followspot/contract";
import { turned, UNAIMED } from "@followspot/lighting";
import { create } from "@bufbuild/protobuf";
import { LightSchema } from "@followspot/contract/lights";
import { expect, it } from "vitest";
import { messageOfAim } from "@followspot/contract/light-aim";
import { aimOf, firstGuard, movedOnPad } from "./aim-rules.ts";

const AIM: HeadAim = {
  ...UNAIMED,
  home: { pan: 0.25, tilt: 0.125 },
  hall: { pan: 1, tilt: 0 },
  guard: { from: 0.5, to: 0.75 },
};

it("an aim survives a round trip through its message", () => {
  expect(aimOf(create(LightSchema, { aim: messageOfAim(AIM) }))).toEqual(AIM);
  expect(aimOf(create(LightSchema, {}))).toEqual(UNAIMED);
});

it("inverting or swapping axes converts the presets and the guard, so that the beam does not move", () => {
  expect(turned(AIM, { invertPan: true })).toEqual({
    ...AIM,
    invertPan: true,
    home: { pan: 0.75, tilt: 0.125 },
    hall: { pan: 0, tilt: 0 },
  });
  expect(turned(AIM, { invertTilt: true })).toMatchObject({
    home: { pan: 0.25, tilt: 0.875 },
    guard: { from: 0.25, to: 0.5 },
  });
  const { guard: _, ...unguarded } = AIM;
  expect(turned(unguarded, { swap: true })).toMatchObject({
    home: { pan: 0.125, tilt: 0.25 },
    hall: { pan: 0, tilt: 1 },
  });
  const round = [{ swap: true }, { invertPan: true }, { invertTilt: true }, { swap: false }, { invertPan: false }, { invertTilt: false }]; // prettier-ignore
  expect(round.reduce<HeadAim>(turned, unguarded)).toEqual(unguarded);
});

it("places a new guard above all presets, and clamps points to the pad", () => {
  const guard = firstGuard(AIM);
  expect(guard.from).toBeGreaterThan(AIM.home.tilt);
  expect(guard.to).toBeGreaterThan(guard.from);
  expect(movedOnPad({ pan: 0.98, tilt: 0.02 }, 0.05, -0.05)).toEqual({ pan: 1, tilt: 0 });
});
