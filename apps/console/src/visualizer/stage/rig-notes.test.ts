import type { GroupType, LightingPlan, Rig, RigGroup } from "@followspot/contract";
import { parsRig, unplannedRoles } from "@followspot/lighting";
import { expect, test } from "vitest";
import { darkLights, playedLanes } from "./rig-notes.ts";

const group = (name: string, type: GroupType, lightIds: number[], enabled = true): RigGroup => ({
  id: name.toLowerCase(),
  name,
  type,
  lightIds,
  enabled,
});
const rigOf = (...groups: RigGroup[]): Rig => ({ ...parsRig(4), groups });
const [one, two, three] = parsRig(4).lights.map(({ id }) => id) as [number, number, number];

/** Returns a plan with lanes for these roles. */
const planFor = (...roles: GroupType[]) =>
  ({ event_lanes: Object.fromEntries(roles.map((role) => [`role:${role}`, []])) }) as unknown as LightingPlan;

test("names the roles that were added to the rig after the plan", () => {
  const rig = rigOf(group("Bars", "bar", [one]), group("Blinders", "strobe", [two]));
  expect(unplannedRoles(planFor("wash", "par"), rig)).toEqual(["bar", "strobe"]);
  expect(unplannedRoles(planFor("wash", "par", "bar", "strobe"), rig)).toEqual([]);
});

test("accepts a plan for more roles than the rig has, and ignores disabled groups", () => {
  const rig = rigOf(group("Bars", "bar", [one], false), group("Pars", "par", [two]));
  expect(unplannedRoles(planFor("wash", "par", "spot"), rig)).toEqual([]);
});

test("counts a mixed group as bars, as the planner does", () => {
  expect(unplannedRoles(planFor("wash", "par"), rigOf(group("All", "mixed", [one])))).toEqual(["bar"]);
});

test("counts lights that stay dark because their first group is disabled", () => {
  const rig = rigOf(group("Back", "par", [one, two], false), group("Front", "par", [two, three]));
  expect(darkLights(rig)).toEqual({ count: 2, groups: ["Back"] });
});

test("ignores lights that are disabled themselves or in no group", () => {
  const rig = rigOf(group("Back", "par", [one], false));
  const lights = rig.lights.map((light) => (light.id === one ? { ...light, enabled: false } : light));
  expect(darkLights({ ...rig, lights })).toEqual({ count: 0, groups: [] });
});

test("returns the lanes that a fixture of the rig plays", () => {
  const targets = ["role:wash", "role:par", "role:bar", "role:strobe", "front"];
  expect([...playedLanes(targets, parsRig(4))].toSorted()).toEqual(["role:par", "role:wash"]);
  const front = rigOf(group("Front", "par", [one, two]), group("Back", "wash", [three]));
  expect(playedLanes(targets, front)).toEqual(new Set(["front", "role:wash", "role:par"]));
  expect(playedLanes(targets, rigOf())).toEqual(playedLanes(targets, parsRig(4)));
  expect(playedLanes(targets, { lights: [], groups: [] })).toEqual(new Set(targets));
});
