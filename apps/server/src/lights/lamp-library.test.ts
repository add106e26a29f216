import { afterAll, beforeEach, expect, it } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer } from "../testing/test-server.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
beforeEach(async () => {
  await server.sql`truncate lights, lamps_seen, light_group_members restart identity`;
  await server.sql`delete from fixture_definitions where format = 'qlc'`;
});

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin);
const search = async (query: string, limit = 0) => (await lights("SearchLampLibrary", { query, limit })).body;
const KEY = "american-dj_5p-hex_qlc";

it("finds library fixtures with their modes, and marks those that are light types already", async () => {
  const { lamps, total } = await search("american 5p hex");
  expect([lamps.length, total]).toEqual([1, 1]);
  expect(lamps[0]).toMatchObject({ key: KEY, manufacturer: "American DJ", model: "5P Hex" });
  expect(lamps[0].modes[0].channelCount).toBeGreaterThan(5);
  expect(lamps[0].isUsed).toBeUndefined();
  await lights("UseLibraryLamp", { key: KEY });
  expect((await search("american 5p hex")).lamps[0].isUsed).toBe(true);
});

it("shows the channels of a mode before a fixture is used", async () => {
  const { body } = await lights("GetLibraryLamp", { key: KEY });
  const kinds = Object.values(body.modes[0].channels);
  expect(kinds).toEqual(expect.arrayContaining(["red", "green", "blue", "white", "amber", "uv"]));
  expect(body.modes.map((mode: { name: string }) => mode.name)).toEqual(
    body.lamp.modes.map((mode: { name: string }) => mode.name),
  );
});

it("creates a light type from a library fixture, ready to patch; a second use returns the same one", async () => {
  const { fixture } = (await lights("UseLibraryLamp", { key: KEY })).body;
  expect(fixture).toMatchObject({ key: KEY, format: "qlc" });
  const [mode] = fixture.modes;
  const { light } = (await lights("CreateLight", { lightType: KEY, mode: mode.name, label: "Hex" })).body;
  expect(light.channelCount).toBe(mode.channelCount);
  expect((await lights("UseLibraryLamp", { key: KEY })).body.fixture.id).toBe(fixture.id);
});

it("refuses an unknown fixture", async () => {
  for (const method of ["GetLibraryLamp", "UseLibraryLamp"])
    expect((await lights(method, { key: "unknown" })).code).toBe("not_found");
});
