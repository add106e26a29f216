import { BAR, bytesOf, LASER, SPOT } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts";
import { expect, test } from "vitest";
import { readFixtureFiles } from "./read-fixture-files.ts";

/** A file of 3.8 MB, read in a process that has less memory than it takes. */
const heavy = { name: "heavy.qxf", bytes: bytesOf(`<a>${'<b c="d"/>'.repeat(190_000)}${" ".repeat(1_900_000)}</a>`) };
const file = (name: string, text: string) => ({ name, bytes: bytesOf(text) });
const SMALL = { fileMs: 60_000, allMs: 120_000, megabytes: 32 };

// kept: Stage and lamps | A GDTF file of a kilobyte took 20 s and a gigabyte, and one such file had all others of an
// upload refused | also
test("refuses a file that takes too much memory by its name, and reads those around it", async () => {
  const files = [file("spot.qxf", SPOT), heavy, file("bar.qxf", BAR), heavy, file("laser.qxf", LASER)];
  const readings = await readFixtureFiles(files, SMALL);
  expect(readings.map(({ file, fixture, reason }) => [file.name, fixture?.definition.model ?? reason])).toEqual([
    ["spot.qxf", "Spot 250"],
    ["heavy.qxf", "This file takes too long or too much memory to read."],
    ["bar.qxf", "Bar 3"],
    ["heavy.qxf", "This file takes too long or too much memory to read."],
    ["laser.qxf", "Beam"],
  ]);
});

// kept: Stage and lamps | A fixture file that took all memory could end the API with it: it was read in a thread | failed on
// the old code
test("a file whose reader cannot even begin for want of memory is refused, and ends nothing else", async () => {
  const readings = await readFixtureFiles([file("spot.qxf", SPOT)], { ...SMALL, megabytes: 2 });
  expect(readings.map(({ reason }) => reason)).toEqual(["This file takes too long or too much memory to read."]);
});

test("refuses what is left when all time is over, and reads nothing of it", async () => {
  const readings = await readFixtureFiles([file("spot.qxf", SPOT)], { ...SMALL, allMs: 0 });
  expect(readings.map(({ reason }) => reason)).toEqual([
    "The files before this one took too long to read. Import it again.",
  ]);
});
