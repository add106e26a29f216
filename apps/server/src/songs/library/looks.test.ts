import { afterAll, expect, test } from "vitest";
import type { Look } from "@followspot/contract";
import { folderUntil, openUntil } from "../../testing/open-until.ts";
import { startTestServer, type Wire } from "../../testing/test-server.ts";

const dataDir = await folderUntil(afterAll);
const server = openUntil(afterAll, await startTestServer({ dataDir }));
const ada = (await server.person("Ada", ["Admin"])).token;
const director = (await server.person("Dirk", ["Director"])).token;
const member = (await server.person("Mia", [])).token;

const PULSE: Look = {
  beats: 32,
  cues: [
    {
      target: "role:par",
      at: 0,
      beats: 32,
      intent: "beat_pulse",
      palette: ["#ff0055"],
      params: { level: 0.8 },
      energy: 0.9,
    },
  ],
};

async function call(method: string, body: object, token = ada): Promise<Wire> {
  const answer = await server.call(`music.v1.MusicService/${method}`, body, token);
  return { ...answer.body, code: answer.code ?? "" };
}
const save = (name: string, look: unknown = PULSE, token = ada) =>
  call("SaveLook", { name, look_json: JSON.stringify(look) }, token);
const names = async (token = ada): Promise<string[]> =>
  ((await call("ListLooks", {}, token)).looks ?? []).map(({ name }: Wire) => name);

test("a saved look is listed by name, and Directors can read it", async () => {
  await save("Wide wash");
  await save("  arms up ");
  expect(await names(director)).toEqual(["arms up", "Wide wash"]);
  const [look] = (await call("ListLooks", {})).looks;
  expect(JSON.parse(look.lookJson)).toEqual(PULSE);
  expect(await call("ListLooks", {}, member)).toMatchObject({ code: "permission_denied" });
  expect(await save("Mine", PULSE, director)).toMatchObject({ code: "permission_denied" });
});

test("names of looks are unique regardless of case, also if two are saved at once", async () => {
  const answers = await Promise.all([save("Twice"), save("twice")]);
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["", "already_exists"]);
  const { look } = await save("Another");
  expect(await call("RenameLook", { look_id: look.id, name: "TWICE" })).toMatchObject({
    code: "already_exists",
    message: 'There is a look named "TWICE" already. Choose another name.',
  });
  expect(await call("RenameLook", { look_id: look.id, name: "another" })).toMatchObject({ look: { name: "another" } });
});

test("a deleted look is not listed, and its name can be used again", async () => {
  const { look } = await save("Once");
  expect(await call("DeleteLook", { look_id: look.id })).toMatchObject({ code: "" });
  expect(await call("DeleteLook", { look_id: look.id })).toMatchObject({ code: "not_found" });
  expect(await save("Once")).toMatchObject({ code: "" });
});

test.each([
  ["no JSON", "{", "lookJson: is not JSON"],
  ["no cues", JSON.stringify({ ...PULSE, cues: [] }), "lookJson: cues"],
  ["an unknown intent", JSON.stringify({ ...PULSE, cues: [{ ...PULSE.cues[0], intent: "laser" }] }), "unknown intent"],
  ["control characters", JSON.stringify({ ...PULSE, cues: [{ ...PULSE.cues[0], target: "a\u0000" }] }), "control char"],
])("a look with %s is refused and not stored", async (_, look_json, message) => {
  const before = await names();
  expect(await call("SaveLook", { name: "Bad", look_json })).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining(message),
  });
  expect(await names()).toEqual(before);
});
