import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { readRig } from "./stage-rig.ts";
import { openFixtureLibrary } from "./fixture-library.ts";
import { GENERIC_FIXTURES } from "@followspot/lighting";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
beforeEach(() => server.sql`truncate lights, lamps_seen, light_groups, light_group_members restart identity`);

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin);
const PAR = { lightType: "generic_rgb_par", mode: "4 channels" };
const EIGHT = { ...PAR, count: 8, label: "Par" };
const one = async (more: object = {}): Promise<Wire> =>
  (await lights("CreateLight", { ...PAR, label: "One", ...more })).body.light;
const rig = async (): Promise<Wire[]> => (await lights("ListLights", {})).body.lights ?? [];
const addresses = async () => Object.fromEntries((await rig()).map((light) => [light.label, light.dmxAddress]));

describe("AddLights", () => {
  it("patches numbered lights in sequence after all others, into a new group", async () => {
    await one({ position: "1" });
    const { body } = await lights("AddLights", { ...EIGHT, newGroup: { name: "Pars", type: "par" } });
    expect(body.lights.map((light: Wire) => [light.label, light.dmxAddress, light.position])).toEqual(
      Array.from({ length: 8 }, (_, i) => [`Par ${i + 1}`, 5 + 4 * i, String(i + 2)]),
    );
    expect(body.lights.every((light: Wire) => light.dmxOverride === undefined)).toBe(true);
    expect(body.group).toMatchObject({ id: "pars", name: "Pars", type: "par", fixtureIds: [2, 3, 4, 5, 6, 7, 8, 9] });
  });

  it("stores fixed addresses where packing would choose others, and moves no light", async () => {
    await one({ position: "1" });
    await one({ label: "Fixed", dmxAddressOverride: 200 });
    const before = await addresses();
    const { body } = await lights("AddLights", { ...EIGHT, count: 2, firstAddress: 300, firstNumber: 7, label: "Bar # L" }); // prettier-ignore
    expect(body.lights.map((light: Wire) => [light.label, light.dmxOverride])).toEqual([
      ["Bar 7 L", 300],
      ["Bar 8 L", 304],
    ]);
    expect(await addresses()).toMatchObject(before);
  });

  it("appends to an existing group, and chooses another ID for a duplicate name", async () => {
    const { id } = await one();
    await lights("CreateGroup", { id: "pars", name: "Pars", type: "par", fixtureIds: [id] });
    expect((await lights("AddLights", { ...EIGHT, count: 2, groupId: "pars" })).body.group.fixtureIds).toEqual([
      1, 2, 3,
    ]);
    const { body } = await lights("AddLights", { ...EIGHT, count: 1, newGroup: { name: "Pars", type: "wash" } });
    expect(body.group).toMatchObject({ id: "pars_2", fixtureIds: [4] });
  });

  it("refuses overlaps and ranges past 512 with the free range, and stores nothing", async () => {
    await one({ label: "Spot 2", dmxAddressOverride: 97 });
    const before = await rig();
    const overlap = await lights("AddLights", { ...EIGHT, firstAddress: 90, newGroup: { name: "Pars", type: "par" } });
    expect([overlap.code, overlap.body.message]).toEqual([
      "already_exists",
      "Par 2 (94–97) overlaps Spot 2 (97–100) on universe 1. Next free for 4 channels: 1.",
    ]);
    const past = await lights("AddLights", { ...EIGHT, firstAddress: 500 });
    expect([past.code, past.body.message]).toEqual([
      "out_of_range",
      "500–531 runs past 512. Next free for 8 × 4 channels: 1.",
    ]);
    const tooMany = await lights("AddLights", { ...EIGHT, count: 120 });
    expect([tooMany.code, tooMany.body.message]).toEqual([
      "out_of_range",
      "Universe 1: There is no room for 120 × 4 channels: the longest free stretch is 101–512, which has room for 103. Take another universe.",
    ]);
    expect(await rig()).toEqual(before);
    expect((await lights("ListGroups", {})).body.groups ?? []).toEqual([]);
  });

  it.each([
    [{ label: " " }, "invalid_argument", "Label is required"],
    [{ label: "x".repeat(199) }, "invalid_argument", "with its number"],
    [{ count: 0 }, "invalid_argument", "count"],
    [{ count: 513 }, "invalid_argument", "count"],
    [{ mode: "9 channels" }, "invalid_argument", "no such mode"],
    [{ lightType: "" }, "invalid_argument", "Light type is required"],
    [{ groupId: "missing" }, "not_found", "Group missing"],
    [{ groupId: "a", newGroup: { name: "A", type: "par" } }, "invalid_argument", "not both"],
    [{ newGroup: { name: "", type: "par" } }, "invalid_argument", "Name is required"],
    [{ newGroup: { name: "A", type: "disco" } }, "invalid_argument", "type: must be one of"],
    [{ channelConfig: "[" }, "invalid_argument", "channelConfig"],
  ] as const)("refuses %j", async (change, code, text) => {
    const answer = await lights("AddLights", { ...EIGHT, ...change });
    expect([answer.code, answer.body.message]).toEqual([code, expect.stringContaining(text)]);
    expect(await rig()).toEqual([]);
  });

  it("patches exactly one of twenty simultaneous calls for the same addresses", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => lights("AddLights", { ...EIGHT, firstAddress: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rig()).toHaveLength(8);
  });
});

it("the next free range fits all of several lights", async () => {
  await one({ dmxAddressOverride: 30 });
  const next = async (fields: object) => (await lights("GetNextDMXAddress", fields)).body;
  expect(await next({ channelCount: 4, lightCount: 7 })).toEqual({ dmxAddress: 1, endAddress: 28 });
  expect(await next({ channelCount: 4, lightCount: 8 })).toEqual({ dmxAddress: 34, endAddress: 65 });
});

describe("re-addressing", () => {
  const shownIn = (answer: Wire) => answer.body.details?.[0]?.debug?.moves ?? [];
  const wide = { id: 1, mode: "7 channels" };

  beforeEach(async () => {
    for (const position of ["1", "2", "3"]) await one({ label: `Par ${position}`, position });
  });

  // kept: Stage and lamps | A new light changed the addresses of others without a warning | failed with the fault put
  // back
  it("is refused with its list of moves until the caller confirms the list", async () => {
    const refused = await lights("UpdateLight", { ...wide, shownMoves: {} });
    expect(refused.code).toBe("failed_precondition");
    expect(refused.body.message).toBe(
      "Other lights would get new addresses: Par 2: 5 → 8, Par 3: 9 → 12. Look at them, then save.",
    );
    const moves = shownIn(refused);
    expect(moves).toMatchObject([
      { lightId: 2, label: "Par 2", universe: 1, fromAddress: 5, toAddress: 8, channelCount: 4 },
      { lightId: 3, toAddress: 12 },
    ]);
    expect(await addresses()).toEqual({ "Par 1": 1, "Par 2": 5, "Par 3": 9 });
    expect((await lights("UpdateLight", { ...wide, shownMoves: { moves } })).code).toBeUndefined();
    expect(await addresses()).toEqual({ "Par 1": 1, "Par 2": 8, "Par 3": 12 });
  });

  it("is refused if another user changed the patch after the confirmation", async () => {
    const moves = shownIn(await lights("UpdateLight", { ...wide, shownMoves: {} }));
    await lights("DeleteLight", { id: 2 });
    const again = await lights("UpdateLight", { ...wide, shownMoves: { moves } });
    expect([again.code, shownIn(again).map((move: Wire) => [move.lightId, move.toAddress])]).toEqual([
      "failed_precondition",
      [[3, 8]],
    ]);
  });

  it("also needs confirmation for a new light, a deleted one and another order", async () => {
    const create = { ...PAR, label: "First", position: "1", dmxAddressOverride: 1, shownMoves: {} };
    const calls = [
      lights("CreateLight", create),
      lights("DeleteLight", { id: 1, shownMoves: {} }),
      lights("ReorderLights", { ids: [3, 2, 1], shownMoves: {} }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.code).toBe("failed_precondition");
    expect(await addresses()).toEqual({ "Par 1": 1, "Par 2": 5, "Par 3": 9 });
  });

  it("needs no confirmation for apps that do not support it, or if no light moves", async () => {
    expect((await lights("CreateLight", { ...PAR, label: "Last", shownMoves: {} })).code).toBeUndefined();
    expect((await lights("DeleteLight", { id: 1 })).code).toBeUndefined();
    expect(await addresses()).toEqual({ "Par 2": 1, "Par 3": 5, Last: 9 });
  });
});

describe("PlaceLights", () => {
  const poses = async () => {
    const library = await openFixtureLibrary(server.sql, GENERIC_FIXTURES);
    return (await readRig(server.sql, library)).lights.map(({ pose }) => pose);
  };
  // Default pose of pars without a place: on the truss, tilted slightly toward the hall.
  const PAR_ROW = { z: 4.5, hangs: true, turn: 0, lean: 12 };

  it("stores the places of lights for shows and the preview, and removes them again", async () => {
    await one();
    await one();
    const { body } = await lights("PlaceLights", { places: [{ lightId: 1, pose: { x: -5, y: 1.5 } }] });
    expect(body.lights).toMatchObject([{ id: 1, stageX: 0, stageY: 0.25, pose: { x: -5, y: 1.5 } }]);
    expect(await poses()).toEqual([{ x: -5, y: 1.5, ...PAR_ROW }, undefined]);
    const { updatedAt } = (await rig())[0]!;
    const onFloor = { x: 6, y: 3, z: 0.2, hangs: false, turn: -90, lean: 15 };
    await lights("PlaceLights", { places: [{ lightId: 1 }, { lightId: 2, pose: onFloor }] });
    expect(await poses()).toEqual([undefined, onFloor]);
    // It does not invalidate an open form.
    expect((await rig())[0]!.updatedAt).toBe(updatedAt);
  });

  it("accepts places from 0 to 1 of older apps, for a stage of 10 × 6 m, and keeps the height", async () => {
    await one();
    await lights("PlaceLights", {
      places: [{ lightId: 1, pose: { x: 0, y: 0, z: 2, hangs: false, turn: 45, lean: 0 } }],
    });
    const { body } = await lights("PlaceLights", { places: [{ lightId: 1, x: 0.123, y: 0.777 }] });
    expect(body.lights).toMatchObject([{ stageX: 0.123, stageY: 0.777 }]);
    const [pose] = await poses();
    expect(pose).toMatchObject({ z: 2, hangs: false, turn: 45, lean: 0 });
    expect(pose!.x).toBeCloseTo(-3.77, 9);
    expect(pose!.y).toBeCloseTo(4.662, 9);
  });

  it.each([
    [[{ lightId: 1, x: 2, y: 0 }], "invalid_argument"],
    [[{ lightId: 1, x: 0.5 }], "invalid_argument"],
    [[{ lightId: 1, pose: { x: 0, y: 0, z: 2 } }], "invalid_argument"],
    [[{ lightId: 1, pose: { x: 0, y: 0, z: 51, hangs: true, turn: 0, lean: 0 } }], "invalid_argument"],
    [[{ lightId: 1, pose: { x: 0, y: 0, z: 2, hangs: true, turn: 181, lean: 0 } }], "invalid_argument"],
    [[{ lightId: 1, x: "NaN", y: 0 }], "invalid_argument"],
    [[], "invalid_argument"],
    [[{ lightId: 1 }, { lightId: 1, x: 0, y: 0 }], "invalid_argument"],
    [
      [
        { lightId: 1, x: 0, y: 0 },
        { lightId: 99, x: 0, y: 0 },
      ],
      "not_found",
    ],
  ])("refuses %j and places no light", async (places, code) => {
    await one();
    expect((await lights("PlaceLights", { places })).code).toBe(code);
    expect((await rig())[0]!.stageX).toBeUndefined();
  });
});
