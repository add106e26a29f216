import { expect, test } from "vitest";
import { agree, judgements } from "./agreement.ts";
import { OURS, type Engine } from "./engines.ts";

const engine = (name: string, method = name): Engine => ({
  name,
  method,
  version: "",
  analyse: () => ({ beats: [], tempo: 0, seconds: 0 }),
});
const engines = [
  { ...engine(OURS), isContender: true },
  engine("first", "twins"),
  engine("second", "twins"),
  engine("third"),
];
/** Agreement in every figure. */
const level = (value: number) => ({ f: value, amlt: value, bits: value });

test("trackers of one method do not vouch for each other", () => {
  const first = agree([0.9, 1, 1, 0.2].map(level), engines, ["twins"]);
  expect(first).toEqual(level(0.2));
});

test("trackers of one method have one voice, and ours and who is put in its place have none", () => {
  expect(agree([1, 0.4, 0.6, 1].map(level), engines, ["third"])).toEqual(level(0.5));
  const withGuest = [...engines, { ...engine("guest"), isContender: true }];
  expect(agree([1, 0.4, 0.6, 1, 1].map(level), withGuest, ["third"])).toEqual(level(0.5));
  expect(agree([1, 0.4, 0.6, 0.9].map(level), engines).f).toBeCloseTo((0.5 + 0.9) / 2, 9);
});

test("of two trackers the one that agrees better is judged by the truth, before those it does not share a method with", () => {
  const four = [...engines, engine("fourth")];
  // Ours agrees with the others best and is right; of the peers the third is nearer than the twins and agrees less.
  const met = [
    [1, 0.9, 0.9, 0.9, 0.9],
    [0.9, 1, 1, 0.2, 0.8],
    [0.9, 1, 1, 0.2, 0.8],
    [0.9, 0.2, 0.2, 1, 0.4],
    [0.9, 0.8, 0.8, 0.4, 1],
  ].map((row) => row.map(level));
  const truth = [1, 0.5, 0.5, 0.7, 0.5].map(level);
  // Ours beats each of four; the third loses to both twins before the fourth, and to the fourth before the twins.
  expect(judgements({ met, truth }, four, "f")).toEqual({ right: 4, judged: 7 });
});
