import type { Section } from "@followspot/contract";
import { expect, test } from "vitest";
import { stretchesAt } from "./stretches.ts";

const section = (label: Section["label"], start: number, end: number) => ({ label, start, end, energy: 1, intensity: 1, confidence: 1 }); // prettier-ignore
const song = { duration: 90, structure: { sections: [section("verse", 5, 30), section("drop", 30, 90)] } };

test("stretches are listed in the order loop, section at the playhead, whole song", () => {
  expect(stretchesAt(song, { from: 40, to: 44 }, 33)).toEqual([
    { label: "The loop, 00:40 to 00:44", from: 40, to: 44 },
    { label: "This drop, 00:30 to 01:30", from: 30, to: 90 },
    { label: "The whole song, 01:30", from: 0, to: 90 },
  ]);
});

test("only the whole song is offered before the first section", () => {
  expect(stretchesAt(song, undefined, 2).map(({ from, to }) => [from, to])).toEqual([[0, 90]]);
});
