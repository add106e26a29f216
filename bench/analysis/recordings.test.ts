import { expect, test } from "vitest";
import { OURS, type Engine } from "./engines.ts";
import { agree, atLevelOfPeers } from "./recordings.ts";

const engine = (name: string, method = name): Engine => ({
  name,
  method,
  version: "",
  analyse: () => ({ beats: [], tempo: 0, seconds: 0 }),
});
const engines = [engine(OURS), engine("first", "twins"), engine("second", "twins"), engine("third")];
/** Agreement in every figure. */
const level = (value: number) => ({ f: value, amlt: value, bits: value });

test("trackers of one method do not vouch for each other", () => {
  const first = agree(engines[1]!, [0.9, 1, 1, 0.2].map(level), engines);
  expect(first).toEqual(level(0.2));
});

test("trackers of one method have one voice, and ours has none", () => {
  const third = agree(engines[3]!, [1, 0.4, 0.6, 1].map(level), engines);
  expect(third).toEqual(level(0.5));
  const ours = agree(engines[0]!, [1, 0.4, 0.6, 0.9].map(level), engines);
  expect(ours.f).toBeCloseTo((0.5 + 0.9) / 2, 9);
});

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
