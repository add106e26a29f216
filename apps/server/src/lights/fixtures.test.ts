import { BAR, bytesOf, gdtf, GDTF_DESCRIPTION, qxf, SPOT } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts"; // prettier-ignore
import { afterAll, beforeEach, expect, test } from "vitest";
import { openUntil } from "../testing/open-until.ts";
import { startTestServer, type Wire } from "../testing/test-server.ts";
import { openFixtureLibrary } from "./fixture-library.ts";
import { findDefinitions } from "./fixtures.store.ts";
import { readFixturesAgain } from "./read-fixtures-again.ts";
import { readRig, rigRevision } from "./stage-rig.ts";

const server = openUntil(afterAll, await startTestServer());
const admin = (await server.person("Ada", ["Admin"])).token;
beforeEach(async () => {
  await server.sql`truncate lights, lamps_seen, light_groups, light_group_members restart identity`;
  await server.sql`delete from fixture_definitions where format <> 'generic'`;
  await server.sql`truncate audit_log, outbox`;
});

const call = (method: string, body: object, token = admin) =>
  server.call(`lights.v1.LightsService/${method}`, body, token);
async function upload(files: Record<string, Uint8Array | string>, token = admin) {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) {
    form.append("files", new Blob([new Uint8Array(typeof content === "string" ? bytesOf(content) : content)]), name);
  }
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.base}/api/fixtures/import`, { method: "POST", headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Wire };
}
const search = async (query: string, more: object = {}): Promise<string[]> =>
  ((await call("ListFixtures", { list: { query, ...more } })).body.fixtures ?? []).map((fixture: Wire) => fixture.key);
const find = async (query: string): Promise<Wire> => (await call("ListFixtures", { list: { query } })).body.fixtures[0];
async function patch(fields: object = {}) {
  const light = { label: "Left", lightType: "wharf-co_spot-250_qlc", mode: "Extended", ...fields };
  const { body, code } = await call("CreateLight", light);
  expect([code, body.message]).toEqual([undefined, undefined]);
  return body.light as Wire;
}
const rig = async () => readRig(server.sql, await openFixtureLibrary(server.sql, []));
const definitionOf = async (key: string) => (await findDefinitions(server.sql, [key])).get(key)!;
const audits = async () => (await server.sql`select action from audit_log order by id`).map(({ action }) => action);
const OWN = {
  manufacturer: "Wharf",
  model: "Second-hand par",
  type: "par",
  modes: [{ name: "3 channels", channels: ["red", "green", "blue"].map((kind) => ({ kind, head: 0, default: 0 })) }],
};
const save = (fields: object, more: object = {}) =>
  call("SaveFixture", { definitionJson: JSON.stringify({ ...OWN, ...fields }), ...more });

// kept: Shows | There were ten generic fixtures, and a light's own channel order was ignored | failed with the fault
// put back
test("imports files of several formats at once, and gives a reason for each refused one", async () => {
  const { status, body } = await upload({
    "spot.qxf": SPOT,
    "gate.gdtf": gdtf(GDTF_DESCRIPTION),
    "notes.txt": "hello",
    "broken.qxf": SPOT.slice(0, 900),
    "again.qxf": SPOT,
  });
  expect(status).toBe(200);
  expect(body.imported).toBe(2);
  expect(body.refused).toEqual([
    { file: "notes.txt", reason: "Only .qxf (QLC+), .json (Open Fixture Library) and .gdtf files are read." },
    { file: "broken.qxf", reason: expect.stringContaining("not well-formed XML") },
    { file: "again.qxf", reason: "The same lamp as spot.qxf, which was taken." },
  ]);
  expect(await search("wharf")).toEqual(["wharf-co_spot-250_qlc", "wharf_gate-7_gdtf"]);
  expect(await audits()).toEqual(["fixture.imported"]);
});

// kept: Stage and lamps | Fixtures that are lit only by macros or switched values followed neither show nor blackout,
// without a warning | also
test("reports fixture modes that no show can light and darken, on import and per mode", async () => {
  const channels = '<Channel Name="Show"><Group Byte="0">Effect</Group><Capability Min="0" Max="255">Auto show</Capability></Channel>'; // prettier-ignore
  const lamp = qxf({ model: "Jelly", type: "Flower", channels, modes: [{ name: "1 channel", channels: ["Show"] }] });
  const { body } = await upload({ "jelly.qxf": lamp, "spot.qxf": SPOT });
  const reason = "This lamp cannot be driven: it rests at 0.";
  expect(body).toEqual({ imported: 2, refused: [], undriven: [{ file: "jelly.qxf", mode: "1 channel", reason }] });
  const modesOf = async (lightType: string) => (await call("GetLightModes", { lightType })).body.modes;
  expect(await modesOf("wharf-co_jelly_qlc")).toEqual([{ name: "1 channel", channelCount: 1, undriven: reason }]);
  expect((await modesOf("wharf-co_spot-250_qlc")).map((mode: Wire) => mode.undriven ?? "")).toEqual(["", ""]);
});

test("serves other requests during a slow import", async () => {
  const mode = /<Mode[\s\S]*?<\/Mode>/.exec(SPOT)![0];
  const modes = Array.from({ length: 1000 }, (_, i) => mode.replace(/Name="[^"]*"/, `Name="Mode ${i}"`));
  const from = performance.now();
  let isRead = false;
  const reading = upload({ "heavy.qxf": SPOT.replace(mode, modes.join("")) }).finally(() => (isRead = true));
  let longest = 0;
  while (!isRead) {
    const asked = performance.now();
    await search("wharf");
    longest = Math.max(longest, performance.now() - asked);
  }
  expect((await reading).body.refused).toEqual([{ file: "heavy.qxf", reason: "The fixture has more than 256 modes." }]);
  expect(longest).toBeLessThan(0.5 * (performance.now() - from));
});

test("finds fixtures by all words in any order, and counts the same ones", async () => {
  await upload({ "spot.qxf": SPOT, "gate.gdtf": gdtf(GDTF_DESCRIPTION) });
  for (const query of ["wharf 250", "250  WHARF", "spo wha co"]) {
    expect([query, await search(query)]).toEqual([query, ["wharf-co_spot-250_qlc"]]);
  }
  expect(await search("wharf 600")).toEqual([]);
  expect(await search("wharf 1 2 3 4 5 6 7 8 9 10 11 12 13")).toEqual([]);
  const { body } = await call("CountFixtures", { query: "250 wharf" });
  expect(body.counts.find(({ filter = "" }: Wire) => filter === "")?.count).toBe(1);
  // The wildcards of LIKE are matched literally.
  expect(await search("% _")).toEqual([]);
});

// kept: Stage and lamps | The stage knew only the built-in fixtures, by their index in a list | also
test("stores the original file, and keeps the ID of a fixture that is imported again", async () => {
  await upload({ "spot.qxf": SPOT });
  const { id } = await find("spot 250");
  expect((await upload({ "spot.qxf": SPOT })).body).toEqual({ imported: 1, refused: [], undriven: [] });
  expect(await audits()).toEqual(["fixture.imported"]);
  const changed = SPOT.replace('Name="Short"', 'Name="Brief"');
  await upload({ "new.qxf": changed });
  expect(await find("spot 250")).toMatchObject({ id, fileName: "new.qxf", format: "qlc" });
  const [row] = await server.sql`select original from fixture_definitions where id = ${id}`;
  expect(Buffer.from(row!["original"]).toString()).toBe(changed);
});

test("accepts uploads from Admins only, and only as a form", async () => {
  const member = (await server.person("Mo")).token;
  expect((await upload({ "spot.qxf": SPOT }, member)).status).toBe(403);
  expect((await upload({ "spot.qxf": SPOT }, "nobody")).status).toBe(401);
  const post = (type: string, body: string) =>
    fetch(`${server.base}/api/fixtures/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": type },
      body,
    });
  for (const [type, body] of [
    ["application/json", "{}"],
    ["multipart/form-data", "x"],
    ["multipart/form-data; boundary=x", "--x\r\nbroken"],
    ["multipart/form-data; boundary=x", "--x--\r\n"],
  ] as const) {
    expect((await post(type, body)).status).toBe(400);
  }
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.qxf`, "x"]));
  expect((await upload(many)).status).toBe(429);
});

// kept: Stage and lamps | The stage knew only the built-in fixtures, by their index in a list | failed with the fault
// put back
test("patches a light as an imported fixture, and the stage gets its whole mode", async () => {
  await upload({ "spot.qxf": SPOT });
  expect((await call("GetLightModes", { lightType: "wharf-co_spot-250_qlc" })).body.modes).toEqual([
    { name: "Extended", channelCount: 17 },
    { name: "Short", channelCount: 5 },
  ]);
  expect(await patch()).toMatchObject({ channelCount: 17 });
  const [light] = (await rig()).lights;
  expect(light?.mode.channels[5]).toMatchObject({ kind: "colorWheel", slots: [{ value: 0 }, {}, {}, {}] });
});

test("does not change a definition that a light uses, and names the light", async () => {
  await upload({ "spot.qxf": SPOT });
  await patch();
  const other = SPOT.replace('Preset="BeamZoomSmallBig"', 'Preset="BeamFocusNearFar"');
  expect((await upload({ "spot.qxf": other, "bar.qxf": BAR })).body).toEqual({
    imported: 1,
    refused: [{ file: "spot.qxf", reason: 'In use by "Left", which would get other channels. Nothing was changed.' }],
    undriven: [],
  });
  expect((await rig()).lights[0]?.mode.channels[11]?.kind).toBe("zoom");
  const without = SPOT.replace('Mode Name="Extended"', 'Mode Name="Long"');
  expect((await upload({ "spot.qxf": without })).body.refused[0].reason).toContain("would lose the mode in use");
});

test("changes the unused modes of a definition in use", async () => {
  await upload({ "spot.qxf": SPOT });
  await patch();
  const longer = SPOT.replace('Mode Name="Short"', 'Mode Name="Brief"');
  expect((await upload({ "spot.qxf": longer })).body).toEqual({ imported: 1, refused: [], undriven: [] });
});

test("creates a custom definition, finds it, and changes it", async () => {
  const { body } = await save({});
  expect(body.fixture).toMatchObject({
    key: "wharf_second-hand-par_own",
    format: "own",
    name: "Wharf Second-hand par",
  });
  expect(JSON.parse(body.fixture.definitionJson)).toMatchObject(OWN);
  expect((await save({})).code).toBe("already_exists");
  const renamed = await save({ model: "Par from the attic" }, { id: body.fixture.id });
  expect(renamed.body.fixture).toMatchObject({ id: body.fixture.id, key: "wharf_second-hand-par_own" });
  expect(await search("attic")).toEqual(["wharf_second-hand-par_own"]);
  const stale = await save({}, { id: body.fixture.id, ifUpdatedAt: body.fixture.updatedAt });
  expect(stale.code).toBe("aborted");
  expect(await audits()).toEqual(["fixture.created", "fixture.updated"]);
});

test("applies a changed definition to its lights if requested, and re-addresses the patch", async () => {
  const { id } = (await save({})).body.fixture;
  const own = { lightType: "wharf_second-hand-par_own", mode: "3 channels" };
  await patch({ ...own, position: "1" });
  await patch({ ...own, label: "Right", position: "2" });
  const channels = ["intensity", "red", "green", "blue"].map((kind) => ({ kind, head: 0, default: 0 }));
  const modes = [{ name: "3 channels", channels }];
  const refused = await save({ modes }, { id });
  expect([refused.code, refused.body.message]).toEqual([
    "failed_precondition",
    'In use by "Left" and "Right", which would get other channels. Nothing was changed.',
  ]);
  const before = await rigRevision(server.sql);
  expect((await save({ modes }, { id, applyToLights: true })).code).toBeUndefined();
  const { body } = await call("ListLights", {});
  expect(body.lights.map((light: Wire) => [light.dmxAddress, light.channelCount])).toEqual([
    [1, 4],
    [5, 4],
  ]);
  expect(await rigRevision(server.sql)).toBeGreaterThan(before);
  expect((await audits()).slice(-2)).toEqual(["fixture.updated", "light.repatched"]);
});

test("extends lights at the end of a universe only if they still fit", async () => {
  const { id } = (await save({})).body.fixture;
  await patch({ lightType: "wharf_second-hand-par_own", mode: "3 channels", dmxAddressOverride: 510 });
  const channels = Array.from({ length: 4 }, () => ({ kind: "red", head: 0, default: 0 }));
  const grown = await save({ modes: [{ name: "3 channels", channels }] }, { id, applyToLights: true });
  expect([grown.code, grown.body.message]).toEqual([
    "failed_precondition",
    '"Left" would run past address 512. Move it first.',
  ]);
});

test("deletes a definition only if no light uses it, and never a generic one", async () => {
  await upload({ "spot.qxf": SPOT });
  const { id } = await find("spot 250");
  const light = await patch();
  const used = await call("DeleteFixture", { id });
  expect([used.code, used.body.message]).toEqual(["failed_precondition", expect.stringContaining('"Left"')]);
  await call("DeleteLight", { id: light.id });
  expect((await call("DeleteFixture", { id })).code).toBeUndefined();
  expect((await call("DeleteFixture", { id })).code).toBe("not_found");
  const generic = await find("generic rgb par");
  expect((await call("DeleteFixture", { id: generic.id })).code).toBe("failed_precondition");
  expect((await save({}, { id: generic.id })).code).toBe("failed_precondition");
});

test.each([
  [{ modes: [] }, "modes"],
  [{ modes: [{ name: " ", channels: OWN.modes[0]!.channels }] }, "Every mode needs a name"],
  [{ modes: [...OWN.modes, ...OWN.modes] }, "Two modes have the same name"],
  [{ modes: [{ name: "a", channels: [{ kind: "disco", head: 0, default: 0 }] }] }, "kind"],
  [{ modes: [{ name: "a", channels: [{ kind: "red", head: 0, default: 256 }] }] }, "default"],
  [{ modes: [{ name: "a", channels: Array.from({ length: 513 }, () => OWN.modes[0]!.channels[0]) }] }, "channels"],
  [{ manufacturer: "\u200b " }, "Maker is required"],
  [{ model: "" }, "Model is required"],
  [{ type: "chair" }, "type: must be one of"],
])("refuses a definition with %j", async (fields, words) => {
  const { code, body } = await save(fields);
  expect([code, body.message]).toEqual(["invalid_argument", expect.stringContaining(words)]);
});

// kept: Shows | There were ten generic fixtures, and a light's own channel order was ignored | also
test("gives a light its own channel order, with the properties of its mode", async () => {
  await upload({ "spot.qxf": SPOT });
  const order = ["intensity", "shutter", "pan", "tilt", "cct"];
  const light = await patch({ channelConfig: JSON.stringify(order) });
  expect(light.channelCount).toBe(5);
  const [patched] = (await rig()).lights;
  expect(patched?.mode.channels.map(({ kind }) => kind)).toEqual(order);
  expect(patched?.mode.channels[1]).toMatchObject({ open: 255, closed: 0 });
  const changed = await call("UpdateLight", { id: light.id, channelConfig: '["pan"]' });
  expect(changed.body.light).toMatchObject({ channelCount: 1, channelConfig: '["pan"]' });
  expect((await call("UpdateLight", { id: light.id, label: "Same" })).body.light.channelCount).toBe(1);
  const other = await call("UpdateLight", { id: light.id, mode: "Short" });
  expect([other.body.light.channelCount, other.body.light.channelConfig]).toEqual([5, undefined]);
});

test("parses stored files of patched fixtures again after an upgrade", async () => {
  await upload({ "spot.qxf": SPOT, "bar.qxf": BAR });
  const light = await patch();
  const { key } = await find("spot 250");
  const known = await definitionOf(key);
  expect(JSON.stringify(known)).toContain('"range"');
  // As parsed by an older release: without the ranges that define the ends of a channel.
  await server.sql`
    update fixture_definitions set readers = 'older',
      definition = replace(definition::text, '"range"', '"nobody_knew"')::jsonb
    where original is not null`;
  expect(await definitionOf(key)).not.toEqual(known);
  const revision = await rigRevision(server.sql);

  expect(await readFixturesAgain(server.sql)).toEqual({ changed: 1, left: [] });
  expect(await definitionOf(key)).toEqual(known);
  expect(await rigRevision(server.sql)).toBeGreaterThan(revision);
  expect((await rig()).lights[0]!.address).toBe(light.dmxAddress);
  // Once per release.
  await server.sql`update fixture_definitions set original = ''::bytea where original is not null`;
  expect(await readFixturesAgain(server.sql)).toEqual({ changed: 0, left: [] });
});

test("keeps a patched fixture whose file now gives other channels, and names it", async () => {
  await upload({ "spot.qxf": SPOT });
  await patch({ label: "Left" });
  const { key } = await find("spot 250");
  const channels = (await definitionOf(key)).modes.find(({ name }) => name === "Extended")!.channels.length;
  const fewer = `jsonb_set(definition, '{modes,0,channels}', (definition #> '{modes,0,channels}') - 0)`;
  await server.sql.unsafe(
    `update fixture_definitions set readers = 'older', definition = ${fewer} where key = '${key}'`,
  );
  const before = await definitionOf(key);
  const { changed, left } = await readFixturesAgain(server.sql);
  expect([changed, left]).toEqual([0, ['Wharf & Co Spot 250: "Left" would get more or fewer channels.']]);
  expect(await definitionOf(key)).toEqual(before);
  expect(channels).toBeGreaterThan(before.modes[0]!.channels.length);
});

test("keeps the stored definition if its file can no longer be parsed", async () => {
  await upload({ "spot.qxf": SPOT });
  const { key } = await find("spot 250");
  const before = await definitionOf(key);
  await server.sql`update fixture_definitions set readers = 'older', original = 'torn'::bytea where key = ${key}`;
  expect(await readFixturesAgain(server.sql)).toEqual({ changed: 0, left: [expect.stringContaining("Spot 250: ")] });
  expect(await definitionOf(key)).toEqual(before);
});

// kept: Stage and lamps | A GDTF file of one kilobyte took 20 s and a gigabyte, and one such file made the whole upload
// fail | also
test("parses the remaining stored files after one that takes too much memory, and names that one", async () => {
  await upload({ "spot.qxf": SPOT, "bar.qxf": BAR });
  const [spot, bar] = await Promise.all([find("spot 250"), find("bar 3")]);
  const known = await definitionOf(bar.key);
  const heavy = bytesOf(`<a>${'<b c="d"/>'.repeat(190_000)}${" ".repeat(1_900_000)}</a>`);
  await server.sql`update fixture_definitions set original = ${heavy} where key = ${spot.key}`;
  await server.sql`
    update fixture_definitions set readers = 'older', definition = jsonb_set(definition, '{type}', '"older"')
    where key in (${spot.key}, ${bar.key})`;
  const limits = { fileMs: 60_000, allMs: 120_000, megabytes: 20 };
  const why = "Wharf & Co Spot 250: This file takes too long or too much memory to read.";
  expect(await readFixturesAgain(server.sql, limits)).toEqual({ changed: 1, left: [why] });
  expect(await definitionOf(bar.key)).toEqual(known);
});

test("keeps channel settings of older apps, and refuses a list that is not a channel order", async () => {
  await upload({ "spot.qxf": SPOT });
  expect(await patch({ channelConfig: '{"dim":"slow"}' })).toMatchObject({
    channelCount: 17,
    channelConfig: '{"dim":"slow"}',
  });
  for (const config of ["[]", '["disco"]', "[1]", JSON.stringify(Array.from({ length: 513 }, () => "red"))]) {
    const answer = await call("CreateLight", { label: "x", lightType: "generic_rgb_par", mode: "3 channels", channelConfig: config }); // prettier-ignore
    expect([answer.code, answer.body.message]).toEqual(["invalid_argument", expect.stringContaining("channelConfig")]);
  }
});

test("lists by page and filter with counts, and everything by ID without a page", async () => {
  await upload({ "spot.qxf": SPOT, "bar.qxf": BAR });
  await save({});
  await patch();
  expect(await search("", { filter: "imported" })).toEqual(["wharf-co_bar-3_qlc", "wharf-co_spot-250_qlc"]);
  expect(await search("", { filter: "used" })).toEqual(["wharf-co_spot-250_qlc"]);
  const { body } = await call("CountFixtures", {});
  expect(Object.fromEntries(body.counts.map((row: Wire) => [row.filter ?? "", row.count]))).toMatchObject({
    used: 1,
    imported: 2,
    own: 1,
  });
  const first = (await call("ListLightTypes", { list: { pageSize: 2 } })).body;
  expect(first.types).toHaveLength(2);
  const all: Wire[] = (await call("ListLightTypes", {})).body.types;
  expect(all.slice(-1)[0]).toMatchObject({ key: "wharf_second-hand-par_own" });
  expect((await call("ListFixtures", {})).body.fixtures).toHaveLength(all.length);
});

test("imports one folder from several consoles at once without losing or duplicating a fixture", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `${i}.qxf`,
      qxf({
        model: `M${i}`,
        channels: '<Channel Name="R" Preset="IntensityRed"/>',
        modes: [{ name: "a", channels: ["R"] }],
      }),
    ]),
  );
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(files)));
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ imported: 30, refused: [], undriven: [] })));
  expect(await search("wharf", { pageSize: 100 })).toHaveLength(30);
  expect(await audits()).toEqual(["fixture.imported"]);
});

test("never patches a light as a fixture that is deleted at the same moment", async () => {
  for (let round = 0; round < 10; round++) {
    await upload({ "spot.qxf": SPOT });
    const { id } = await find("spot 250");
    const [light] = await Promise.all([
      call("CreateLight", { label: "x", lightType: "wharf-co_spot-250_qlc", mode: "Short" }),
      call("DeleteFixture", { id }),
    ]);
    expect((await rig()).lights).toHaveLength(light.code === undefined ? 1 : 0);
    await server.sql`delete from lights`;
  }
});
