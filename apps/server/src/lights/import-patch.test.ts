import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { importWorkspace } from "../cli/import-patch.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { workspaceOf, workspaceText, type WrittenFixture } from "../testing/workspace-file.ts";
import { importFixtures } from "./import-fixtures.ts";
import { qxf } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts";

const RGB = { manufacturer: "Wharf & Co", model: "Slim Par", mode: "4ch", channels: 4 };
const PAR_FILE = qxf({
  model: "Slim Par",
  type: "Color Changer",
  channels: ["Red", "Green", "Blue"].map((c) => `<Channel Name="${c}" Preset="Intensity${c}"/>`).join("") + '<Channel Name="Dim" Preset="IntensityMasterDimmer"/>', // prettier-ignore
  modes: [{ name: "4ch", channels: ["Dim", "Red", "Green", "Blue"] }],
});
const written = (fixture: WrittenFixture) => ({
  ...fixture,
  manufacturer: fixture.manufacturer?.replace("&", "&amp;"),
});

const server = openUntil(afterAll, await startTestServer());
const admin = await server.person("Ada", ["Admin"]);
beforeEach(async () => {
  await server.sql`truncate lights, lamps_seen, light_groups, light_group_members restart identity`;
  await server.sql`delete from fixture_definitions where format <> 'generic'`;
});

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin.token);
const rig = async (): Promise<Wire[]> => (await lights("ListLights", {})).body.lights ?? [];
const knowPar = () =>
  importFixtures(server.sql, { userId: admin.id, name: "Ada", roles: ["Admin"], sessionId: "" }, [
    { name: "par.qxf", bytes: new TextEncoder().encode(PAR_FILE) },
  ]);
const fileOf = (...fixtures: readonly WrittenFixture[]) => workspaceOf(...fixtures.map(written));
async function preview(...fixtures: readonly WrittenFixture[]): Promise<Wire[]> {
  return (await lights("ImportPatch", { workspaceBase64: fileOf(...fixtures) })).body.fixtures;
}
async function apply(ids: readonly number[], ...fixtures: readonly WrittenFixture[]) {
  return lights("ImportPatch", { workspaceBase64: fileOf(...fixtures), apply: true, fixtureIds: ids });
}

const STAGE: readonly WrittenFixture[] = [
  { name: "Left", ...RGB, universe: 1, address: 9 },
  { name: "Right", ...RGB, universe: 1, address: 20 },
  { name: "House", channels: 1, address: 0 },
  { name: "Pack", channels: 6, address: 100 },
  { name: "Matrix", model: "RGBPanel", mode: "GRB", channels: 75, address: 200 },
];

it("patches a workspace where QLC+ has it: known lamps, dimmers and panels", async () => {
  await knowPar();
  const foreseen = await preview(...STAGE);
  expect(foreseen.map(({ state }) => state)).toEqual(STAGE.map(() => "ready"));
  expect(await rig()).toEqual([]);
  const { body } = await apply([0, 1, 2, 3, 4], ...STAGE);
  expect(body.lights).toHaveLength(5);
  const patched = (await rig()).map(({ label, universe, dmxAddress, lightType, mode }) => [label, universe, dmxAddress, lightType, mode]); // prettier-ignore
  expect(patched).toEqual([
    ["Left", 2, 10, "wharf-co_slim-par_qlc", "4ch"],
    ["Right", 2, 21, "wharf-co_slim-par_qlc", "4ch"],
    ["House", 1, 1, "generic_dimmer_channel", "1 channel"],
    ["Pack", 1, 101, "generic_dimmer-pack-6_own", "6 channels"],
    ["Matrix", 1, 201, "generic_grb-panel-25_own", "75 channels"],
  ]);
});

it("lists lamps and modes that are not known with what to do, and overlaps by name", async () => {
  const [unknown] = await preview(STAGE[0]!);
  expect(unknown).toMatchObject({
    state: "unknown",
    problem: "Wharf & Co Slim Par is not known here. Import the .qxf file that QLC+ uses under Fixtures, then open the workspace again.", // prettier-ignore
  });
  await knowPar();
  const [mode, first, second, past] = await preview(
    { ...STAGE[0]!, mode: "7ch", channels: 7 },
    { name: "Spot 1", ...RGB, address: 4 },
    { name: "Spot 2", ...RGB, address: 6 },
    { name: "Last", ...RGB, address: 510 },
  );
  expect(mode.problem).toContain('has no mode "7ch" with 7 channels here, only 4ch (4).');
  expect(first.state).toBe("ready");
  expect([second.state, second.problem]).toEqual([
    "overlap",
    "Spot 2 (7–10) overlaps Spot 1 (5–8) on universe 1. Next free for 4 channels: 1.",
  ]);
  expect([past.state, past.problem]).toEqual(["outside", expect.stringContaining("Last would end at 514, past 512.")]);
});

it("makes the groups of the workspace of what is patched, and joins those that are here by name", async () => {
  await knowPar();
  const own = await lights("CreateLight", { label: "Own", lightType: "generic_rgb_par", mode: "3 channels", dmxAddressOverride: 400 }); // prettier-ignore
  await lights("CreateGroup", { id: "front", name: "front", type: "wash", fixtureIds: [own.body.light.id] });
  const file = (more: object) =>
    lights("ImportPatch", {
      workspaceBase64: Buffer.from(
        workspaceText(STAGE.map(written), {
          Front: [[1, 0]],
          "Pars &amp; dimmers": [[0], [2]],
          Pars: [[1, 0]],
          Matrix: [[4]],
        }),
      ).toString("base64"),
      ...more,
    });
  const { groups } = (await file({})).body;
  expect(groups.map(({ name, groupId }: Wire) => [name, groupId ?? ""])).toEqual([
    ["Front", "front"],
    ["Pars & dimmers", ""],
    ["Pars", ""],
    ["Matrix", ""],
  ]);
  const { body } = await file({ apply: true, fixtureIds: [0, 1, 2] });
  expect(body.groups.map(({ groupId }: Wire) => groupId)).toEqual(["front", "pars_dimmers", "pars"]);
  const labels = new Map((await rig()).map(({ id, label }) => [id, label]));
  const here: Wire[] = (await lights("ListGroups", {})).body.groups;
  expect(
    here.map(({ name, type, fixtureIds }) => [name, type, fixtureIds.map((id: number) => labels.get(id))]),
  ).toEqual([
    ["Pars", "par", ["Right", "Left"]],
    ["Pars & dimmers", "mixed", ["Left", "House"]],
    ["front", "wash", ["Own", "Right", "Left"]],
  ]);
  expect((await file({ apply: true, fixtureIds: [4], withoutGroups: true })).body.groups ?? []).toEqual([]);
  expect((await lights("ListGroups", {})).body.groups).toHaveLength(3);
});

it("patches all that are chosen or none", async () => {
  const two = [{ name: "A", address: 10 }, { name: "B", address: 11 }] as const; // prettier-ignore
  expect((await preview(...two)).map(({ state }) => state)).toEqual(["ready", "ready"]);
  await lights("CreateLight", { label: "First", lightType: "generic_dimmer_channel", mode: "1 channel", dmxAddressOverride: 12 }); // prettier-ignore
  const refused = await apply([0, 1], ...two);
  expect([refused.code, refused.body.message]).toEqual([
    "failed_precondition",
    "Nothing was patched. B (12) overlaps First (12) on universe 1. Next free for 1 channel: 1.",
  ]);
  expect(await rig()).toHaveLength(1);
  expect((await apply([0], ...two)).code).toBeUndefined();
  // Pressed again.
  expect((await apply([0], ...two)).code).toBe("failed_precondition");
  expect((await apply([], ...two)).code).toBe("invalid_argument");
  expect((await apply([7], ...two)).code).toBe("not_found");
  expect(await rig()).toHaveLength(2);
});

it.each([
  ["no base64", "%%%", "is not base64"],
  ["no XML", "aGVsbG8=", "The file is not well-formed XML"],
  ["entities", Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><Workspace/>').toString("base64"), "document type"],
])("refuses %s as the caller's mistake", async (_what, workspaceBase64, text) => {
  const { code, body } = await lights("ImportPatch", { workspaceBase64 });
  expect([code, body.message]).toEqual(["invalid_argument", expect.stringContaining(text)]);
});

it("patches from the command line what can be patched, and names the rest", async () => {
  const folder = await mkdtemp(join(tmpdir(), "followspot-patch-"));
  const path = join(folder, "stage.qxw");
  await writeFile(
    path,
    workspaceText([{ name: "House" }, { ...written(STAGE[0]!), address: 30 }], { Stage: [[0, 1]] }),
  );
  const caller = { userId: admin.id, name: "", roles: ["Admin"], sessionId: "" } as const;
  const done = await importWorkspace(server.sql, caller, path);
  expect(done.patched).toEqual([{ name: "House", universe: 1, address: 1 }]);
  expect(done.groups).toEqual(["Stage"]);
  expect(done.left_out).toEqual([{ name: "Left", reason: expect.stringContaining("Import the .qxf file") }]);
  await rm(folder, { recursive: true });
});
