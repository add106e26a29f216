import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readFixtureFile } from "@followspot/lighting/fixture-formats";
import { afterAll, describe, expect, it } from "vitest";
import { LampLibrary, shippedLamps } from "./lamp-library.ts";
import { packLamps, type LampFile } from "./lamp-pack.ts";
import { folderUntil } from "../../testing/open-until.ts";

/** Size of each file, bytes: three of them fit into a block. */
const FILL = 150_000;
const lamp = (manufacturer: string, model: string, type = "par", fill = 0): LampFile => ({
  key: `${manufacturer}_${model}`.toLowerCase().replaceAll(" ", "-"),
  name: `${manufacturer} ${model}`,
  manufacturer,
  model,
  type,
  modes: [{ name: "One", channels: 4 }],
  file: `${manufacturer}/${model}.qxf`,
  bytes: new Uint8Array(FILL).fill(fill),
});
const LAMPS = ["Zenith", "Wharf", "Mole", "Arc", "Cove"].map((maker, i) => lamp(maker, `Spot ${i}`, "moving_head", i));

const folder = await folderUntil(afterAll);
const { lamps, index } = packLamps([...LAMPS, lamp("Ark", "Barspot", "bar", 9)]);
await writeFile(join(folder, "lamps.br"), lamps);
await writeFile(join(folder, "index.br"), index);
const library = new LampLibrary(pathToFileURL(`${folder}/`));

const names = async (text: string, limit = 50) => (await library.search(text, limit)).lamps.map(({ name }) => name);

describe("a search", () => {
  it("finds fixtures by all words of maker, model and type, in any order", async () => {
    expect(await names("spot wharf")).toEqual(["Wharf Spot 1"]);
    expect(await names("MOVING head mole")).toEqual(["Mole Spot 2"]);
    expect(await names("wharf par")).toEqual([]);
  });

  it("lists matches at the start of a word first, then by name, and counts those beyond the limit", async () => {
    expect(await names("spot")).toEqual(["Arc Spot 3", "Cove Spot 4", "Mole Spot 2", "Wharf Spot 1", "Zenith Spot 0", "Ark Barspot"]); // prettier-ignore
    expect((await library.search("", 2)).total).toBe(6);
    expect(await names("", 2)).toEqual(["Arc Spot 3", "Ark Barspot"]);
  });
});

it("returns each fixture's file unchanged from any block", async () => {
  for (const { key, file, bytes } of LAMPS) {
    const found = await library.fileOf((await library.find(key))!);
    expect(found.name).toBe(file);
    expect(Buffer.compare(found.bytes, bytes)).toBe(0);
  }
});

it("packs the same files to the same bytes", () => {
  expect(packLamps(LAMPS).lamps.equals(packLamps(LAMPS).lamps)).toBe(true);
});

it("the shipped files match the shipped index", async () => {
  const shipped = shippedLamps();
  const { lamps, total } = await shipped.search("", 2000);
  expect(total).toBeGreaterThan(1300);
  for (const each of lamps.filter((_, i) => i % 25 === 0)) {
    const { name, bytes } = await shipped.fileOf(each);
    const { key, manufacturer, modes } = readFixtureFile(name, bytes).definition;
    expect([key, manufacturer, modes.map((mode) => mode.channels.length)]).toEqual([
      each.key,
      each.manufacturer,
      each.modes.map(({ channels }) => channels),
    ]);
  }
});
