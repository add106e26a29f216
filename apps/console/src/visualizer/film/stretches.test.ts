import type { Section } from "@followspot/contract";
import { expect, test } from "vitest";
import { stretchesAt } from "./stretches.ts";

const section = (label: Section["label"], start: number, end: number) => ({ label, start, end, energy: 1, intensity: 1, confidence: 1 }); // prettier-ignore
const song = { duration: 90, structure: { sections: [section("verse", 5, 30), section("drop", 30, 90)] } };

test("the loop comes first, then the section at the playhead, then the song", () => {
  expect(stretchesAt(song, { from: 40, to: 44 }, 33)).toEqual([
    { label: "The loop, 00:40 to 00:44", from: 40, to: 44 },
    { label: "This drop, 00:30 to 01:30", from: 30, to: 90 },
    { label: "The whole song, 01:30", from: 0, to: 90 },
  ]);
});

test("where no section has begun there is the song alone", () => {
  expect(stretchesAt(song, undefined, 2).map(({ from, to }) => [from, to])).toEqual([[0, 90]]);
});
