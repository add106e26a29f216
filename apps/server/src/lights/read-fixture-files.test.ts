import { BAR, bytesOf, LASER, SPOT } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts";
import { expect, test } from "vitest";
import { readFixtureFiles } from "./read-fixture-files.ts";

/** A file of 3.8 MB, read in a process with less memory than it needs. */
const heavy = { name: "heavy.qxf", bytes: bytesOf(`<a>${'<b c="d"/>'.repeat(190_000)}${" ".repeat(1_900_000)}</a>`) };
const file = (name: string, text: string) => ({ name, bytes: bytesOf(text) });
const SMALL = { fileMs: 60_000, allMs: 120_000, megabytes: 32 };

// kept: Stage and lamps | A GDTF file of one kilobyte took 20 s and a gigabyte, and one such file made the whole upload
// fail | also
test("refuses a file that takes too much memory by its name, and reads the others", async () => {
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

// kept: Stage and lamps | A fixture file that took all memory could crash the API: it was read in a thread | failed on
// the old code
test("a file whose reader lacks the memory to start is refused, and no other process ends", async () => {
  const readings = await readFixtureFiles([file("spot.qxf", SPOT)], { ...SMALL, megabytes: 2 });
  expect(readings.map(({ reason }) => reason)).toEqual(["This file takes too long or too much memory to read."]);
});

test("refuses the remaining files without reading them once the total time is used up", async () => {
  const readings = await readFixtureFiles([file("spot.qxf", SPOT)], { ...SMALL, allMs: 0 });
  expect(readings.map(({ reason }) => reason)).toEqual([
    "The files before this one took too long to read. Import it again.",
  ]);
});
