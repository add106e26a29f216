import { create } from "@bufbuild/protobuf";
import { messageOfAim } from "@followspot/contract/light-aim";
import { LightSchema } from "@followspot/contract/lights";
import { UNAIMED } from "@followspot/lighting";
import { describe, expect, it } from "vitest";
import { areIn, common, commonHome, fieldsOf, homeProblem, type SeveralDraft } from "./edit-several-draft.ts";

const head = (id: number, more: { groups?: string[]; enabled?: boolean; pan?: number } = {}) =>
  create(LightSchema, {
    id,
    mode: "16 channels",
    enabled: more.enabled ?? true,
    groups: more.groups ?? [],
    aim: messageOfAim({ ...UNAIMED, home: { pan: more.pan ?? 0.5, tilt: 0.25 } }),
  });
const LIGHTS = [head(1, { groups: ["front", "all"] }), head(2, { groups: ["all"], enabled: false, pan: 0.75 })];
const draft = (more: Partial<SeveralDraft> = {}): SeveralDraft => ({ groups: new Map(), ...more });

it("returns a shared value, and undefined if the lights differ", () => {
  expect(common(LIGHTS, ({ mode }) => mode)).toBe("16 channels");
  expect(common(LIGHTS, ({ enabled }) => enabled)).toBeUndefined();
  expect(["all", "front", "back"].map((group) => areIn(LIGHTS, group))).toEqual([true, undefined, false]);
  expect([commonHome(LIGHTS, "pan"), commonHome(LIGHTS, "tilt")]).toEqual([undefined, "25"]);
});

describe("an edit contains only changed fields", () => {
  it.each<[string, Partial<SeveralDraft>, object]>([
    ["nothing", {}, {}],
    ["the value that all have", { mode: "16 channels", groups: new Map([["all", true]]) }, {}],
    ["a mode", { mode: "8 channels" }, { mode: "8 channels" }],
    ["one side of several", { enabled: true }, { enabled: true }],
    ["groups", { groups: new Map([["front", true], ["all", false]]) }, { joinGroups: ["front"], leaveGroups: ["all"] }], // prettier-ignore
    ["pan alone, with the tilt that all have", { homePan: "10" }, { home: { pan: 0.1, tilt: 0.25 } }],
    ["an inverted axis", { invertTilt: true }, { invertTilt: true }],
  ])("%s", (_what, touched, fields) => expect(fieldsOf(LIGHTS, draft(touched))).toEqual(fields));
});

it("rejects a home with only one axis or outside 0–100 %", () => {
  expect(homeProblem(LIGHTS, draft())).toBeUndefined();
  expect(homeProblem(LIGHTS, draft({ homeTilt: "40" }))).toBe("half");
  expect(homeProblem(LIGHTS, draft({ homeTilt: "140", homePan: "2" }))).toBe("wrong");
  expect(fieldsOf(LIGHTS, draft({ homeTilt: "140", homePan: "2" }))).toEqual({});
});
