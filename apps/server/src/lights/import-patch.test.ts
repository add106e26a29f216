import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { importWorkspace } from "../cli/import-patch.ts";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { workspaceOf, workspaceText, type WrittenFixture } from "../testing/workspace-file.ts";
import { importFixtures } from "./import-fixtures.ts";
import { bytesOf, gdtf, qxf } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts";

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
const FILES = {
  qlc: { name: "par.qxf", bytes: bytesOf(PAR_FILE) },
  ofl: {
    name: "wharf-co/slim-par.json",
    bytes: bytesOf(
      JSON.stringify({
        name: "Slim Par",
        categories: ["Color Changer"],
        availableChannels: {
          Dimmer: { capability: { type: "Intensity" } },
          ...Object.fromEntries(["Red", "Green", "Blue"].map((color) => [color, { capability: { type: "ColorIntensity", color } }])), // prettier-ignore
        },
        modes: [{ name: "4ch", channels: ["Dimmer", "Red", "Green", "Blue"] }],
      }),
    ),
  },
  gdtf: {
    name: "slim.gdtf",
    bytes: gdtf(`<GDTF DataVersion="1.2"><FixtureType Name="Slim Par" Manufacturer="Wharf &amp; Co" FixtureTypeID="0">
<Geometries><Geometry Name="Body"/></Geometries><DMXModes><DMXMode Name="4ch" Geometry="Body"><DMXChannels>
${["Dimmer", "ColorAdd_R", "ColorAdd_G", "ColorAdd_B"]
  .map(
    (
      attribute,
      i,
    ) => `<DMXChannel DMXBreak="1" Offset="${i + 1}" Geometry="Body"><LogicalChannel Attribute="${attribute}">
<ChannelFunction Name="first" Attribute="${attribute}" DMXFrom="0/1" Default="0/1"/></LogicalChannel></DMXChannel>`,
  )
  .join("")}
</DMXChannels></DMXMode></DMXModes></FixtureType></GDTF>`),
  },
};
const caller = { userId: admin.id, name: "Ada", roles: ["Admin"], sessionId: "" } as const;
const knowPar = () => importFixtures(server.sql, caller, [FILES.qlc]);
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

it("patches a workspace at QLC+'s addresses: known fixtures, dimmers and panels", async () => {
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

it("lists unknown fixtures and modes with a remedy, and overlaps by name", async () => {
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

const own = (model: string) => async () => {
  const modes = [{ name: "4ch", channels: ["intensity", "red", "green", "blue"].map((kind) => ({ kind, head: 0, default: 0 })) }]; // prettier-ignore
  const definition = { manufacturer: "Wharf & Co", model, type: "par", modes };
  return lights("SaveFixture", { definitionJson: JSON.stringify(definition) });
};
/** Sources of one fixture, with the light type that each stores or ships, and its name. */
const SOURCES = [
  ["own definition", own("Slim Par"), "wharf-co_slim-par_own", ["Wharf & Co", "Slim Par", "4ch"]],
  ["copy of a definition", own("Slim Par (own)"), "wharf-co_slim-par-own_own", ["Wharf & Co", "Slim Par", "4ch"]],
  ...(["qlc", "ofl", "gdtf"] as const).map(
    (format) =>
    [`${format} file`, () => importFixtures(server.sql, caller, [FILES[format]]), `wharf-co_slim-par_${format}`, ["Wharf & Co", "Slim Par", "4ch"]] as const, // prettier-ignore
  ),
  ["shipped library", () => undefined, "showtec_led-par-56_qlc", ["Showtec", "LED Par 56", "6 Channel"]],
] as const;
const VARIANTS: readonly (readonly [string, (name: string) => string])[] = [
  ["the same names", (name) => name],
  ["hyphens", (name) => name.replaceAll(" ", "-")],
  ["no separators", (name) => name.replaceAll(" ", "")],
  ["capital letters", (name) => name.toUpperCase()],
  ["another mode name", (name) => (/ch/i.test(name) && /^\d/.test(name) ? `Mode ${name[0]}` : name)],
];

// kept: Stage and lamps | A QLC+ workspace lost fixtures whose files QLC+ ships, and those whose names differed in spaces | failed on the old code
describe.each(SOURCES)("a fixture of a workspace that a %s describes", (_source, store, lightType, names) => {
  it.each(VARIANTS)("is patched by %s", async (_variant, vary) => {
    await store();
    const [manufacturer, model, mode] = names.map(vary);
    const fixture = { name: "Left", manufacturer, model, mode, channels: Number.parseInt(names[2]) };
    const [foreseen] = await preview(fixture);
    expect(foreseen).toMatchObject({ state: "ready", lightType, lightMode: names[2] });
    expect(foreseen!.isFromLibrary ?? false).toBe(lightType.startsWith("showtec"));
    expect((await apply([0], fixture)).code).toBeUndefined();
    expect((await rig()).map((light) => [light.lightType, light.mode])).toEqual([[lightType, names[2]]]);
  });
});

it("prefers a stored file to the shipped one and never replaces it", async () => {
  const file = (model: string, mode: string) => ({
    name: `${model}.qxf`,
    bytes: bytesOf(PAR_FILE.replace("Wharf &amp; Co", "Stairville").replace("Slim Par", model).replace("4ch", mode)),
  });
  await importFixtures(server.sql, caller, [file("Crown FX PAR77", "4 Channel"), file("Crown-FX-PAR 77", "4 Channel")]);
  const stock = { name: "Front", manufacturer: "Stairville", model: "Crown FX PAR77" };
  const [mine, missing] = await preview(
    { ...stock, mode: "4 Channel", channels: 4 },
    { ...stock, mode: "9 Channel", channels: 9, address: 20 },
  );
  expect(mine).toMatchObject({ state: "ready", lightType: "stairville_crown-fx-par77_qlc" });
  // The shipped file has the same key: importing it would replace the stored one.
  expect(missing).toMatchObject({ state: "unknown", problem: expect.stringContaining('no mode "9 Channel"') });
});

it("reports fixtures of the shipped library that became light types", async () => {
  const stock = [
    { name: "Back", manufacturer: "Showtec", model: "LED Par 56", mode: "6 Channel", channels: 6 },
    { name: "Front", manufacturer: "Stairville", model: "Crown FX PAR77", mode: "9 Channel", channels: 9, address: 10 },
    { name: "Side", manufacturer: "Generic", model: "Generic RGB", mode: "RGB", channels: 3, address: 30 },
  ];
  await apply([0, 1, 2], ...stock);
  const [entry] =
    await server.sql`select after from audit_log where action = 'fixture.imported' order by id desc limit 1`;
  expect(entry!.after).toEqual(["generic_generic-rgb_qlc", "showtec_led-par-56_qlc", "stairville_crown-fx-par77_qlc"]);
});

it("creates the workspace's groups from the patched lights, and joins existing ones by name", async () => {
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

it("patches all selected lights or none", async () => {
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
  // Repeated.
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

it("the command patches what it can, and names the rest", async () => {
  const folder = await mkdtemp(join(tmpdir(), "followspot-patch-"));
  const path = join(folder, "stage.qxw");
  await writeFile(
    path,
    workspaceText([{ name: "House" }, { ...written(STAGE[0]!), address: 30 }], { Stage: [[0, 1]] }),
  );
  const done = await importWorkspace(server.sql, caller, path);
  expect(done.patched).toEqual([{ name: "House", universe: 1, address: 1 }]);
  expect(done.groups).toEqual(["Stage"]);
  expect(done.left_out).toEqual([{ name: "Left", reason: expect.stringContaining("Import the .qxf file") }]);
  await rm(folder, { recursive: true });
});
