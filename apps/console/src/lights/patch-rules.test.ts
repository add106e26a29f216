import { create } from "@bufbuild/protobuf";
import { LightGroupSchema, LightSchema } from "@followspot/contract/lights";
import { describe, expect, it } from "vitest";
import { channelsOf, configOf, countOf, orderRule } from "./channel-order.ts";
import { labelsOf, nextNumber, stretchProblem, usualGroup, usualKind, NEW_GROUP } from "./several-draft.ts";

const light = (id: number, more: object = {}) =>
  create(LightSchema, { id, label: `Par ${id}`, lightType: "par", mode: "4", universe: 1, dmxAddress: id * 4 - 3, channelCount: 4, ...more }); // prettier-ignore
const group = (id: string, name: string, fixtureIds: number[]) => create(LightGroupSchema, { id, name, fixtureIds });

describe("Add several", () => {
  it("proposes the most common kind, or pars with a dimmer for an empty rig", () => {
    expect(usualKind([])).toEqual({ lightType: "generic_rgb_par", mode: "4 channels" });
    const bar = { lightType: "bar", mode: "24" };
    expect(usualKind([light(1), light(2, bar), light(3, bar)])).toEqual(bar);
    // Fixtures with a custom channel order do not count.
    expect(usualKind([light(1, { ...bar, channelConfig: '["red"]' }), light(2)]).lightType).toBe("par");
  });

  it("continues the numbering of existing labels", () => {
    expect(labelsOf("Par", 8, 1)).toEqual(["Par 1", "Par 8"]);
    expect(labelsOf("L# back", 2, 9)).toEqual(["L9 back", "L10 back"]);
    expect(nextNumber([light(1), light(7), light(3, { label: "Par X" })], "Par")).toBe(8);
    expect(nextNumber([light(1, { label: "L4 back" })], "L# back")).toBe(5);
    expect(nextNumber([light(1)], "")).toBe(1);
  });

  it("proposes the group with the matching name, or a new one", () => {
    expect(usualGroup([group("p", "Pars", [])], "Par")).toBe("p");
    expect(usualGroup([group("p", "Bars", [])], "Par")).toBe(NEW_GROUP);
  });

  it("names what blocks an address range, and the next free address", () => {
    const there = [{ id: 1, label: "Spot", address: 40, channelCount: 16, isOverride: true }];
    const at = (address: number) => stretchProblem(there, { address, channelCount: 8, lightCount: 4 }, "Par 1 … Par 4", 1); // prettier-ignore
    expect(at(1)).toBeUndefined();
    expect(at(20)).toEqual({
      sentence: "Par 1 … Par 4 (20–51) overlaps Spot (40–55) on universe 1. Next free for 4 × 8 channels: 1.",
      free: 1,
    });
    expect(at(490)?.sentence).toContain("They would end at 521, past 512.");
  });
});

describe("a custom channel order", () => {
  it("is typed as comma-separated kinds and stored as JSON", () => {
    expect(configOf(" intensity, red,green  blue ", "")).toBe('["intensity","red","green","blue"]');
    expect(channelsOf('["intensity","red"]')).toBe("intensity, red");
    expect(countOf("red, green")).toBe(2);
    expect([orderRule("red, green"), orderRule("")]).toEqual([true, true]);
    expect(orderRule("red, rot")).toBe('"rot" is no kind of channel');
  });

  it("is removed when the field is emptied; an older app's format is preserved", () => {
    expect(configOf("", '["red"]')).toBe("");
    expect([channelsOf('{"a":1}'), configOf("", '{"a":1}')]).toEqual(["", '{"a":1}']);
    expect(channelsOf("{")).toBe("");
  });
});
