import { expect, test } from "vitest";
import { atLevelOfPeers } from "./recordings.ts";

/** Sixteen seconds of beats. */
const beatsAt = (bpm: number, first = 0) => Array.from({ length: (16 * bpm) / 60 }, (_, i) => first + (60 * i) / bpm);

test("another level than most peers' is told from another phase", () => {
  const peers = [beatsAt(120), beatsAt(120), beatsAt(60)];
  expect(atLevelOfPeers(beatsAt(60), peers)).toEqual(beatsAt(120).slice(0, 31));
  expect(atLevelOfPeers(beatsAt(240), peers)).toEqual(beatsAt(120));
  expect(atLevelOfPeers(beatsAt(240, -0.25), peers)).toEqual(beatsAt(120).slice(0, 32));
  expect(atLevelOfPeers(beatsAt(120, 0.25), peers)).toEqual(beatsAt(120, 0.25));
  expect(atLevelOfPeers(beatsAt(100), peers)).toEqual(beatsAt(100));
});
