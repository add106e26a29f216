import { expect, test } from "vitest";
import { keysFit } from "./keys-that-fit.ts";

const KEYS = ["C", "G", "D", "A", "E", "B", "F#", "Db", "Ab", "Eb", "Bb", "F"].flatMap((note) => [`${note} major`, `${note} minor`]); // prettier-ignore

// The Camelot wheel of harmonic mixing: 8A is A minor, 8B C major; neighbors are 7A, 9A and 8B.
test.each([
  ["A minor", ["A minor", "C major", "D minor", "E minor"]],
  ["C major", ["A minor", "C major", "F major", "G major"]],
  ["F# minor", ["A major", "B minor", "C# minor", "F# minor"]],
  ["Bb major", ["Bb major", "Eb major", "F major", "G minor"]],
])("%s mixes with its relative key and a fifth either way", (key, fitting) => {
  const found = [...KEYS, "C# minor"].filter((other) => keysFit(key, other)).toSorted();
  expect(found.filter((each) => each !== "Db minor")).toEqual(fitting);
});

test("an unknown key fits no key, and sharps equal the flats above them", () => {
  for (const unknown of ["", "A", "H minor", "a minor"]) expect(keysFit(unknown, "A minor")).toBe(false);
  expect(keysFit("C# major", "Db major")).toBe(true);
});
