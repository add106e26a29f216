import { expect, test } from "vitest";
import {
  dmxRange,
  groupRules,
  inOrder,
  lightRules,
  nextPosition,
  positionOf,
  reachError,
  typeWords,
} from "./light-rules.ts";

test("shows the slots a light takes", () => {
  expect(dmxRange(15, 16)).toBe("15-30 (16ch)");
  expect(dmxRange(7, 1)).toBe("7");
  expect(dmxRange(7, 0)).toBe("7");
  expect(dmxRange(0, 4)).toBe("Unknown");
});

test.each(["", " ", "1", "512"])("takes %j as an override", (address) => {
  expect(lightRules.dmxOverride(address)).toBe(true);
});

test.each(["0", "513", "-1", "1.5", "abc"])("refuses %j as an override", (address) => {
  expect(lightRules.dmxOverride(address)).toBe("DMX address must be between 1 and 512");
});

test("puts a new light behind every other, also behind those without a position", () => {
  const at = (...positions: string[]) => nextPosition(positions.map((position) => ({ position })));
  expect([at(), at("1", "7", "3"), at("2", "")]).toEqual(["1", "8", "1000"]);
});

test("asks for what a light and a group need", () => {
  expect([lightRules.label("  "), lightRules.lightType(""), lightRules.mode("")]).toEqual([
    "Label is required",
    "Light type is required",
    "Mode is required",
  ]);
  expect([groupRules.id(""), groupRules.name(" "), groupRules.type(""), groupRules.lights([])]).toEqual([
    "ID is required",
    "Name is required",
    "Type is required",
    "At least one light must be selected",
  ]);
});

test("counts a light without position as 999th", () => {
  expect(["12", "", "x"].map((position) => positionOf({ position }))).toEqual([12, 999, 999]);
});

test("shows an order that is being saved with the positions it gives", () => {
  const rows = [1, 2, 3].map((id) => ({ id, position: String(id) }));
  expect(inOrder(rows, [3, 1, 2])).toEqual([
    { id: 3, position: "1" },
    { id: 1, position: "2" },
    { id: 2, position: "3" },
  ]);
});

// kept: Console | An address too high for its channels was told only after the save | failed with the fault put back
test("says while typing that an override leaves no room for the channels", () => {
  expect(reachError(500, 24)).toBe(
    "24 channels from address 500 end at 523, past 512. The last address that fits is 489.",
  );
  expect([reachError(489, 24), reachError(undefined, 24), reachError(500, 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("names a type by its first two words", () => {
  expect(typeWords("led_par_rgbw_7ch")).toBe("led par");
  expect(typeWords("strobe")).toBe("strobe");
});
