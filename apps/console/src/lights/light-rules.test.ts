import { expect, test } from "vitest";
import { dmxRange, groupRules, inStageOrder, lightRules, typeWords } from "./light-rules.ts";

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

test("sorts by the number in the position, then by id; no position counts as 999", () => {
  const lights = [
    { id: 4, position: "" },
    { id: 3, position: "10" },
    { id: 2, position: "9" },
    { id: 1, position: "1000" },
    { id: 5, position: "9" },
  ];
  expect(inStageOrder(lights).map(({ id }) => id)).toEqual([2, 5, 3, 4, 1]);
});

test("names a type by its first two words", () => {
  expect(typeWords("led_par_rgbw_7ch")).toBe("led par");
  expect(typeWords("strobe")).toBe("strobe");
});
