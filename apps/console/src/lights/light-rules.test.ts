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

test("formats the channel range of a light", () => {
  expect(dmxRange(15, 16)).toBe("15-30 (16ch)");
  expect(dmxRange(7, 1)).toBe("7");
  expect(dmxRange(7, 0)).toBe("7");
  expect(dmxRange(0, 4)).toBe("Unknown");
});

test.each(["", " ", "1", "512"])("accepts %j as an override", (address) => {
  expect(lightRules.dmxOverride(address)).toBe(true);
});

test.each(["0", "513", "-1", "1.5", "abc"])("rejects %j as an override", (address) => {
  expect(lightRules.dmxOverride(address)).toBe("DMX address must be between 1 and 512");
});

test("places a new light after every other, including those without a position", () => {
  const at = (...positions: string[]) => nextPosition(positions.map((position) => ({ position })));
  expect([at(), at("1", "7", "3"), at("2", "")]).toEqual(["1", "8", "1000"]);
});

test("rejects empty required fields of lights and groups", () => {
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

test("sorts a light without a position at 999", () => {
  expect(["12", "", "x"].map((position) => positionOf({ position }))).toEqual([12, 999, 999]);
});

test("sorts rows into an order that is being saved, with the new positions", () => {
  const rows = [1, 2, 3].map((id) => ({ id, position: String(id) }));
  expect(inOrder(rows, [3, 1, 2])).toEqual([
    { id: 3, position: "1" },
    { id: 1, position: "2" },
    { id: 2, position: "3" },
  ]);
});

// kept: Console | An address too high for its channels was reported only after the save | failed with the fault put back
test("rejects an override without room for the channels while it is typed", () => {
  expect(reachError(500, 24)).toBe(
    "24 channels from address 500 end at 523, past 512. The last address that fits is 489.",
  );
  expect([reachError(489, 24), reachError(undefined, 24), reachError(500, 0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("shortens a type key to its first two words", () => {
  expect(typeWords("led_par_rgbw_7ch")).toBe("led par");
  expect(typeWords("strobe")).toBe("strobe");
});
