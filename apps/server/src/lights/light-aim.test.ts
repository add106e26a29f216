import { GENERIC_FIXTURES } from "@followspot/lighting";
import { afterAll, beforeEach, expect, it } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer } from "../testing/test-server.ts";
import { workspaceOf, type WrittenFixture } from "../testing/workspace-file.ts";
import { openFixtureLibrary } from "./fixture-library.ts";
import { readStageRig, rigRevision } from "./stage-rig.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
beforeEach(() => server.sql`truncate lights, lamps_seen, light_groups, light_group_members restart identity`);

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin);
const update = (id: number, fields: object) => lights("UpdateLight", { id, ...fields });
const head = { label: "Head", lightType: "generic_moving_wash", mode: "12 channels" };
const create = async (fields: object = {}) =>
  (await lights("CreateLight", { ...head, ...fields })).body.light.id as number;
const AIM = {
  home: { pan: 0.4, tilt: 0.3 },
  range: { pan: 0.1, tilt: 0.05 },
  invertPan: true,
  swap: true,
  band: { pan: 0.5, tilt: 0.2 },
  floor: { pan: 0.25, tilt: 0.125 },
  guard: { fromTilt: 0.5, toTilt: 0.75 },
};
const READ = {
  home: AIM.home,
  range: AIM.range,
  invertPan: true,
  invertTilt: false,
  swap: true,
  band: AIM.band,
  floor: AIM.floor,
  guard: { from: 0.5, to: 0.75 },
};
const aimOfRig = async (id: number) =>
  (await readStageRig(server.sql, await openFixtureLibrary(server.sql, GENERIC_FIXTURES))).rig.lights.find(
    (light) => light.id === id,
  )?.aim;

it("stores an aim, notifies the stage, and writes the previous one to the audit log", async () => {
  const id = await create();
  expect((await lights("GetLight", { id })).body.light.aim).toBeUndefined();
  expect(await aimOfRig(id)).toBeUndefined();
  const before = await rigRevision(server.sql);
  expect((await update(id, { aim: AIM })).body.light.aim).toEqual(AIM);
  expect(await aimOfRig(id)).toEqual(READ);
  expect(await rigRevision(server.sql)).toBeGreaterThan(before);
  await update(id, { aim: { ...AIM, guard: undefined, home: { pan: 1, tilt: 0 } } });
  const [entry] = await server.sql`select action, before, after from audit_log order by id desc limit 1`;
  expect(entry).toMatchObject({
    action: "light.updated",
    before: { aim: READ },
    after: { aim: { home: { pan: 1, tilt: 0 } } },
  });
});

it("keeps an aim across all other changes of its light, and removes it on request", async () => {
  const id = await create();
  await update(id, { aim: AIM });
  await update(id, { label: "Truss", dmxAddressOverride: 100, universe: 3, enabled: false });
  await update(id, { lightType: "generic_moving_spot", mode: "12 channels", enabled: true });
  await lights("ReorderLights", { ids: [await create({ label: "Other" }), id] });
  await lights("PlaceLights", { places: [{ lightId: id, x: 0.5, y: 0.5 }] });
  expect(await aimOfRig(id)).toEqual(READ);
  expect((await update(id, { clearAim: true })).body.light.aim).toBeUndefined();
  expect(await aimOfRig(id)).toBeUndefined();
  expect((await update(id, { clearAim: true, aim: AIM })).code).toBe("invalid_argument");
});

// kept: Stage and lamps | Moving heads could not be aimed: every one moved around the middle of its travel | also
it("keeps aims when a light's workspace is imported again", async () => {
  const pack: WrittenFixture = { name: "Pack", channels: 6, address: 100 };
  const { body } = await lights("ImportPatch", { workspaceBase64: workspaceOf(pack), apply: true, fixtureIds: [0] });
  const id = body.lights[0].id as number;
  await update(id, { aim: AIM });
  const again: WrittenFixture = { name: "More", channels: 6, address: 200 };
  const file = workspaceOf(pack, again);
  const { body: foreseen } = await lights("ImportPatch", { workspaceBase64: file });
  expect(foreseen.fixtures.map(({ state }: { state: string }) => state)).toEqual(["overlap", "ready"]);
  const more = await lights("ImportPatch", { workspaceBase64: file, apply: true, fixtureIds: [1] });
  expect(more.body.lights).toHaveLength(1);
  expect(await aimOfRig(id)).toEqual(READ);
});

it.each([
  [{ ...AIM, home: undefined }, "home"],
  [{ ...AIM, home: { pan: 1.5, tilt: 0 } }, "pan"],
  [{ ...AIM, guard: { fromTilt: 0.5, toTilt: 0.5 } }, "The guard ends where it begins, or before"],
  [{ ...AIM, home: { pan: 0, tilt: 0.6 } }, "Home lies in the guard: move it out, or make the guard smaller"],
  [{ ...AIM, hall: { pan: 0, tilt: 0.9 } }, "The beam would go through the guard from home to hall: set hall on the same side as home"], // prettier-ignore
])("refuses an invalid aim with the reason: %j", async (aim, why) => {
  const id = await create();
  const { code, body } = await update(id, { aim });
  expect(code).toBe("invalid_argument");
  expect(body.message).toContain(why);
  expect(await aimOfRig(id)).toBeUndefined();
});
