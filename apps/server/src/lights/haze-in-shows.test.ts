import { GENERIC_FIXTURES } from "@followspot/lighting";
import { afterAll, expect, it } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer } from "../testing/test-server.ts";
import { openFixtureLibrary } from "./fixture-library.ts";
import { readStageRig, rigRevision } from "./stage-rig.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;

const lights = (method: string, body: object) => server.call(`lights.v1.LightsService/${method}`, body, admin);
const create = async (lightType: string, mode: string) =>
  (await lights("CreateLight", { label: "Lamp", lightType, mode })).body.light.id as number;
const ofRig = async (id: number) =>
  (await readStageRig(server.sql, await openFixtureLibrary(server.sql, GENERIC_FIXTURES))).rig.lights.find(
    (light) => light.id === id,
  )?.hazeInShows;

it("allows haze in shows only after an Admin permits a machine; the stage is notified, and the change is audited", async () => {
  const id = await create("generic_hazer_machine", "2 channels");
  expect((await lights("GetLight", { id })).body.light.hazeInShows ?? "").toBe("");
  expect(await ofRig(id)).toBeUndefined();
  const before = await rigRevision(server.sql);
  expect((await lights("UpdateLight", { id, hazeInShows: "puffs" })).body.light.hazeInShows).toBe("puffs");
  expect(await ofRig(id)).toBe("puffs");
  expect(await rigRevision(server.sql)).toBeGreaterThan(before);
  const [entry] = await server.sql`select before, after from audit_log order by id desc limit 1`;
  expect(entry).toMatchObject({ before: { haze_in_shows: "" }, after: { haze_in_shows: "puffs" } });
  // The permission survives a renaming.
  await lights("UpdateLight", { id, label: "Hazer" });
  expect(await ofRig(id)).toBe("puffs");
  await lights("UpdateLight", { id, hazeInShows: "" });
  expect(await ofRig(id)).toBeUndefined();
});

it("drops the permission when a light becomes another fixture, and refuses it for fixtures without haze", async () => {
  const id = await create("generic_hazer_machine", "2 channels");
  await lights("UpdateLight", { id, hazeInShows: "steady" });
  await lights("UpdateLight", { id, lightType: "generic_rgb_par", mode: "3 channels" });
  expect((await lights("GetLight", { id })).body.light.hazeInShows ?? "").toBe("");
  const refused = await lights("UpdateLight", { id, hazeInShows: "puffs" });
  expect(refused).toMatchObject({ code: "invalid_argument" });
  expect((await lights("UpdateLight", { id, hazeInShows: "always" })).code).toBe("invalid_argument");
});

it("reports which modes of a light type produce haze", async () => {
  const hazes = async (lightType: string) =>
    (await lights("GetLightModes", { lightType })).body.modes.map((mode: { hazes?: boolean }) => mode.hazes ?? false);
  expect((await hazes("generic_hazer_machine")).every(Boolean)).toBe(true);
  expect((await hazes("generic_rgb_par")).some(Boolean)).toBe(false);
});
