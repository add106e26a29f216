import { expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { FixtureFileError, readWorkspace } from "./index.ts";
import { bytesOf } from "./testing/samples.ts";

const FIXTURE = "<Fixture><Manufacturer>Acme</Manufacturer><Model>Par</Model><Mode>RGB</Mode><ID>3</ID><Name>Par 1</Name><Universe>1</Universe><Address>9</Address><Channels>3</Channels></Fixture>"; // prettier-ignore
const workspace = (fixtures: string) =>
  bytesOf(`<!DOCTYPE Workspace><Workspace><Engine>${fixtures}</Engine></Workspace>`);
const withTag = (tag: string, text: string) =>
  FIXTURE.replace(new RegExp(`<${tag}>.*</${tag}>`), `<${tag}>${text}</${tag}>`);
const reasonFor = (bytes: Uint8Array) => {
  try {
    readWorkspace(bytes);
  } catch (error) {
    if (error instanceof FixtureFileError) return error.message;
    throw error;
  }
  return undefined;
};

it("reads fixtures with 1-based universes and addresses", () => {
  expect(readWorkspace(workspace(FIXTURE)).fixtures).toEqual([
    { id: 3, name: "Par 1", manufacturer: "Acme", model: "Par", mode: "RGB", universe: 2, address: 10, channelCount: 3, made: undefined }, // prettier-ignore
  ]);
});

it("creates definitions of dimmer packs and panels, which have no files", () => {
  const generic = (model: string, mode: string, channels: number) =>
    readWorkspace(
      workspace(
        FIXTURE.replace("Acme", "Generic").replace("Par<", `${model}<`).replace("RGB<", `${mode}<`).replace("s>3<", `s>${channels}<`),
      ),
    ).fixtures[0]!.made; // prettier-ignore
  expect(generic("Generic", "Generic", 4)?.modes[0]!.channels.map(({ kind, head }) => `${kind} ${head}`)).toEqual([
    "intensity 0",
    "intensity 1",
    "intensity 2",
    "intensity 3",
  ]);
  const panel = generic("RGBPanel", "BGR", 6);
  expect(panel?.modes[0]!.channels.map(({ kind, head }) => `${kind} ${head}`).slice(2, 4)).toEqual(["red 0", "blue 1"]);
  expect(generic("RGBPanel", "BGR", 7)).toBeUndefined();
  expect(generic("RGBPanel", "RRR", 6)).toBeUndefined();
  expect(generic("RGBPanel", "__proto__", 6)).toBeUndefined();
});

it("reads groups row by row without duplicate fixtures, and ignores fixtures that are not in the file", () => {
  const two = FIXTURE + withTag("ID", "4");
  const head = (x: number, y: number, fixture: string, n = 0) =>
    `<Head X="${x}" Y="${y}" Fixture="${fixture}">${n}</Head>`;
  const group = (name: string, ...heads: readonly string[]) =>
    `<FixtureGroup ID="1"><Name>${name}</Name><Size X="4" Y="2"/>${heads.join("")}</FixtureGroup>`;
  const groups = [
    group("Front", head(1, 1, "3"), head(0, 1, "4"), head(2, 0, "3", 1), head(0, 0, "99")),
    group("", head(0, 0, "4")),
    group("Empty", head(0, 0, "7"), head(0, 0, "constructor"), "<Head/>"),
  ];
  expect(readWorkspace(workspace(two + groups.join(""))).groups).toEqual([
    { name: "Front", fixtureIds: [3, 4] },
    { name: "Group 2", fixtureIds: [4] },
  ]);
});

it.each([
  ["501 groups", workspace(FIXTURE + "<FixtureGroup/>".repeat(501)), /more than 500 groups/],
  ["another program's XML", bytesOf("<FixtureDefinition/>"), /no QLC\+ workspace/],
  ["a workspace without fixtures", workspace(""), /has no fixtures/],
  ["an address in words", workspace(withTag("Address", "ten")), /"Par 1" has no Address/],
  ["a negative universe", workspace(withTag("Universe", "-1")), /has no Universe/],
  ["600 channels", workspace(withTag("Channels", "600")), /a universe has 512/],
  ["no channels", workspace(withTag("Channels", "0")), /0 channels/],
  ["one ID twice", workspace(FIXTURE + FIXTURE), /one ID/],
  ["2,001 fixtures", workspace(FIXTURE.repeat(2001)), /more than 2000/],
  [
    "entities",
    bytesOf('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Workspace>&a;</Workspace>'),
    /document type/,
  ],
  ["nothing", new Uint8Array(0), /empty/],
  ["5 MB", new Uint8Array(5 * 1024 * 1024), /larger than 4 MB/],
  ["elements nested 100,000 deep", bytesOf("<a>".repeat(100_000)), /nested deeper/],
])("rejects %s with a sentence", (_what, bytes, reason) => {
  expect(reasonFor(bytes)).toMatch(reason);
});

it("gives fixtures or a reason for 2,000 corrupted workspaces", () => {
  const random = randomStream(39);
  const sample = workspace(FIXTURE + withTag("ID", "4"));
  let refused = 0;
  for (let n = 0; n < 2000; n++) {
    const bytes = sample.slice(0, n % 7 === 0 ? Math.floor(random() * sample.length) : undefined);
    for (let k = 0; k < 4; k++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    const reason = reasonFor(bytes);
    if (reason === undefined) continue;
    refused++;
    expect(reason).toMatch(/^["A-Z].*\.$/s);
  }
  expect(refused).toBeGreaterThan(500);
});
