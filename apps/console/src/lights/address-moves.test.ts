import { create } from "@bufbuild/protobuf";
import { LightSchema } from "@followspot/contract/lights";
import { expect, test } from "vitest";
import { forecastDelete, forecastMode, forecastOrder, forecastSave } from "./address-moves.ts";

/** Eight pars with four channels each, packed from address 1. */
const pars = Array.from({ length: 8 }, (_, index) =>
  create(LightSchema, {
    id: index + 1,
    label: `Par ${index + 1}`,
    position: String(index + 1),
    universe: 1,
    dmxAddress: index * 4 + 1,
    channelCount: 4,
  }),
);
const draft = { id: 0, label: "Wash", position: "", universe: 1, dmxOverride: undefined, channelCount: 4 };

test("forecasts which packed lights a new override readdresses, and to which channels", () => {
  const { moves, conflict } = forecastSave(pars, { ...draft, dmxOverride: 10 });
  expect(moves[0]).toMatchObject({ label: "Par 3", from: "9-12 (4ch)", to: "14-17 (4ch)" });
  expect(moves.map(({ label }) => label)).toEqual(["Par 3", "Par 4", "Par 5", "Par 6", "Par 7", "Par 8"]);
  expect(conflict).toBeUndefined();
});

test("adding a light after all others readdresses no light", () => {
  expect(forecastSave(pars, { ...draft, position: "9" }).moves).toEqual([]);
});

test("reports a conflict, not a move, for two overlapping overrides", () => {
  const fixed = pars.map((par) => (par.id === 3 ? { ...par, dmxOverride: 9 } : par));
  expect(forecastSave(fixed, { ...draft, dmxOverride: 10 }).conflict).toMatchObject({
    label: "Par 3",
    from: 10,
    to: 12,
  });
});

test("names the light without a free address in a full universe", () => {
  const full = Array.from({ length: 32 }, (_, index) => ({
    ...pars[0]!,
    id: index + 1,
    label: `Bar ${index + 1}`,
    position: String(index + 1),
    dmxAddress: index * 16 + 1,
    channelCount: 16,
  }));
  expect(forecastSave(full, { ...draft, position: "1" }).unplaced?.label).toBe("Bar 32");
});

test("forecasts which lights move up after a deletion", () => {
  expect(forecastDelete(pars, [pars[6]!]).moves).toMatchObject([
    { label: "Par 8", from: "29-32 (4ch)", to: "25-28 (4ch)" },
  ]);
});

test("forecasts addresses after a reorder, and the address of the light in the form", () => {
  const order = pars.map(({ id }) => id).toReversed();
  expect(
    forecastOrder(pars, order)
      .moves.map(({ lightId, toAddress }) => [lightId, toAddress])
      .slice(0, 2),
  ).toEqual([
    [1, 29],
    [2, 25],
  ]);
  expect(forecastSave(pars, draft).own).toBe(33);
  expect(forecastSave(pars, { ...draft, id: 2, position: "2" }).own).toBe(5);
});

test("a mode with more channels readdresses the lights after it; ranges use the new channel count", () => {
  const { moves } = forecastMode(pars.slice(0, 3), new Set([1, 2]), 7);
  expect(moves.map(({ label, from, to }) => `${label}: ${from} → ${to}`)).toEqual([
    "Par 2: 5-8 (4ch) → 8-14 (7ch)",
    "Par 3: 9-12 (4ch) → 15-18 (4ch)",
  ]);
});
