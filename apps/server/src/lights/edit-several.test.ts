import { GENERIC_FIXTURES } from "@followspot/lighting";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
beforeEach(async () => {
  await server.sql`truncate lights, lamps_seen, light_groups, light_group_members restart identity`;
  const pars = { lightType: "generic_rgb_par", mode: "4 channels", count: 4, label: "Par" };
  await lights("AddLights", { ...pars, newGroup: { id: "front", name: "Front", type: "par" } });
  await lights("CreateGroup", { id: "all", name: "All", type: "mixed", fixtureIds: [4, 2, 1] });
});

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin);
const rig = async (): Promise<Wire[]> => (await lights("ListLights", {})).body.lights ?? [];
const groups = async () =>
  Object.fromEntries((await lights("ListGroups", {})).body.groups.map(({ id, fixtureIds }: Wire) => [id, fixtureIds]));
const addresses = async () => (await rig()).map(({ dmxAddress }) => dmxAddress);
/** Returns the lights without these fields. */
const without = (all: readonly Wire[], ...names: readonly string[]) =>
  all.map((light) => Object.fromEntries(Object.entries(light).filter(([name]) => !names.includes(name))));
/** Returns the lights without their change times. */
const plain = (all: readonly Wire[]) => without(all, "updatedAt", "createdAt");

const generic = (key: string) => GENERIC_FIXTURES.find((each) => each.key === key)!;
const HEAD = generic("generic_moving_spot");
/** Another mode of the same fixture. */
const WIDER = generic("generic_rgb_par").modes.find(({ channels }) => channels.length > 4)!;

describe("EditLights", () => {
  it("changes only the given fields, on all given lights", async () => {
    const before = await rig();
    await lights("EditLights", { ids: [2, 3], enabled: false, joinGroups: ["all"], leaveGroups: ["front"] });
    const after = await rig();
    expect(after.map(({ enabled }) => enabled === true)).toEqual([true, false, false, true]);
    expect(await groups()).toEqual({ front: [1, 4], all: [4, 2, 1, 3] });
    const CHANGED = ["enabled", "groups", "groupId", "updatedAt"];
    expect(without(after, ...CHANGED)).toEqual(without(before, ...CHANGED));
  });

  it("sets a mode for all and re-addresses them, once the new addresses were confirmed", async () => {
    const asked = { ids: [1, 2], mode: WIDER.name };
    const width = WIDER.channels.length;
    const refused = await lights("EditLights", { ...asked, shownMoves: { moves: [] } });
    expect([refused.code, refused.body.message]).toEqual([
      "failed_precondition",
      expect.stringContaining(`Par 2: 5 → ${1 + width}`),
    ]);
    expect(await addresses()).toEqual([1, 5, 9, 13]);
    await lights("EditLights", asked);
    expect(await addresses()).toEqual([1, 1 + width, 1 + 2 * width, 5 + 2 * width]);
  });

  it("sets aims, and keeps the beam directions when pan is inverted", async () => {
    const heads = { lightType: HEAD.key, mode: HEAD.modes[0]!.name, count: 2, label: "Head" };
    await lights("AddLights", heads);
    await lights("EditLights", { ids: [5, 6], home: { pan: 0.25, tilt: 0.5 } });
    await lights("EditLights", { ids: [5, 6], invertPan: true });
    expect((await rig()).slice(4).map(({ aim }) => [aim.home.pan, aim.invertPan])).toEqual([
      [0.75, true],
      [0.75, true],
    ]);
  });

  it.each<[string, object, string, string]>([
    ["a mode one of them does not have", { ids: [1, 5], mode: "4 channels" }, "failed_precondition", "Strobe has no mode 4 channels"], // prettier-ignore
    ["an aim of one that stands still", { ids: [1, 2], invertPan: true }, "failed_precondition", "Par 1 neither pans nor tilts"], // prettier-ignore
    ["a deleted light", { ids: [1, 99], enabled: false }, "not_found", "Light"],
    ["a deleted group", { ids: [1], joinGroups: ["unknown"] }, "not_found", "Group"],
    ["a group to join and to leave", { ids: [1], joinGroups: ["all"], leaveGroups: ["all"] }, "invalid_argument", "cannot join and leave"], // prettier-ignore
    ["a mode that runs past the last channel", { ids: [1, 6], mode: WIDER.name }, "out_of_range", "Last: "],
  ])("refuses the whole edit for %s, and names it", async (_what, body, code, message) => {
    await lights("CreateLight", { lightType: "generic_strobe_lamp", mode: "2 channels", label: "Strobe" });
    await lights("CreateLight", { lightType: "generic_rgb_par", mode: "4 channels", label: "Last", dmxAddressOverride: 509 }); // prettier-ignore
    const before = await rig();
    const refused = await lights("EditLights", body);
    expect([refused.code, refused.body.message]).toEqual([code, expect.stringContaining(message)]);
    expect(await rig()).toEqual(before);
  });
});

describe("DeleteLights and RestoreLights", () => {
  it("restore the rig exactly, with IDs, addresses, order of groups, aims and places", async () => {
    await lights("PlaceLights", { places: [{ lightId: 2, pose: { x: 1, y: 2, z: 3, hangs: true, turn: 10, lean: 5 } }] }); // prettier-ignore
    await lights("UpdateLight", { id: 3, dmxAddressOverride: 100, label: "Third" });
    const [before, groupsBefore] = [await rig(), (await lights("ListGroups", {})).body.groups];
    await lights("DeleteLights", { ids: [2, 3] });
    expect(await addresses()).toEqual([1, 5]);
    expect(await groups()).toEqual({ front: [1, 4], all: [4, 1] });
    const deleted = before.filter(({ id }) => id === 2 || id === 3);
    await lights("RestoreLights", { lights: deleted, groups: groupsBefore });
    expect(plain(await rig())).toEqual(plain(before));
    expect(await groups()).toEqual({ front: [1, 2, 3, 4], all: [4, 2, 1] });
  });

  it("delete nothing if other lights would get other addresses than confirmed", async () => {
    const refused = await lights("DeleteLights", { ids: [1], shownMoves: { moves: [{ lightId: 2, toAddress: 9 }] } });
    expect(refused.code).toBe("failed_precondition");
    expect(await addresses()).toEqual([1, 5, 9, 13]);
  });

  it("restore no light that exists, that never existed, or whose address is taken", async () => {
    const [first] = await rig();
    expect((await lights("RestoreLights", { lights: [first] })).body.message).toBe("Par 1 is there already");
    expect((await lights("RestoreLights", { lights: [{ ...first, id: 50 }] })).code).toBe("not_found");
    await lights("UpdateLight", { id: 1, dmxAddressOverride: 200 });
    const [fixed] = (await rig()).filter(({ id }) => id === 1);
    await lights("DeleteLights", { ids: [1] });
    await lights("UpdateLight", { id: 2, dmxAddressOverride: 200 });
    const before = await rig();
    expect((await lights("RestoreLights", { lights: [fixed] })).code).toBe("already_exists");
    expect((await lights("RestoreLights", { lights: [{ ...fixed, mode: "unknown" }] })).body.message).toContain(
      "Par 1: ",
    );
    expect(await rig()).toEqual(before);
  });
});

describe("a new light", () => {
  it("continues the line of the last two placed lights of its group, mounted like the last one", async () => {
    await lights("PlaceLights", { places: [{ lightId: 3, pose: { x: -1, y: 2 } }, { lightId: 4, pose: { x: 1, y: 2.5, z: 4, hangs: true, turn: 20, lean: 0 } }] }); // prettier-ignore
    await lights("AddLights", { lightType: "generic_rgb_par", mode: "4 channels", count: 2, label: "More", groupId: "front" }); // prettier-ignore
    const more = (await rig()).filter(({ label }) => label.startsWith("More"));
    expect(more.map(({ pose }) => pose)).toMatchObject([
      { x: 3, y: 3, z: 4, hangs: true, turn: 20 },
      { x: 5, y: 3.5, z: 4, hangs: true, turn: 20 },
    ]);
  });

  it("has no place if its group has none, and is clamped to the stage plan", async () => {
    const added = { lightType: "generic_rgb_par", mode: "4 channels", label: "One", groups: ["front"] };
    expect((await lights("CreateLight", added)).body.light.pose).toBeUndefined();
    await lights("PlaceLights", { places: [{ lightId: 5, pose: { x: 6.8, y: 0 } }] });
    expect((await lights("CreateLight", added)).body.light.pose).toMatchObject({ x: 7 });
  });
});
