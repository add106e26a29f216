import { expect, test } from "vitest";
import { findByLetters, findCommands } from "./find-commands.ts";

const commands = [
  { text: "Lights", kind: "Screen" },
  { text: "Theme: Light", kind: "Action" },
  { text: "Salt · Lina Brandt", kind: "Song" },
];
const found = (query: string) => findCommands(commands, query).map(({ text }) => text);

test("offers everything before anything is typed", () => {
  expect(found("")).toHaveLength(3);
});

test("finds all typed words, in any order and case", () => {
  expect(found("brandt salt")).toEqual(["Salt · Lina Brandt"]);
  expect(found("salt zzz")).toEqual([]);
});

test("puts what starts with the text first", () => {
  expect(found("light")).toEqual(["Lights", "Theme: Light"]);
  expect(found("theme")).toEqual(["Theme: Light"]);
});

test("finds a name by letters in their order, the first at the beginning of a word", () => {
  const more = [{ text: "New Talk" }, { text: "Stage screen" }];
  const names = (query: string) => findByLetters(more, query).map(({ text }) => text);
  expect(names("ntk")).toEqual(["New Talk"]);
  expect(names("stg")).toEqual(["Stage screen"]);
  expect(names("st sc")).toEqual(["Stage screen"]);
  expect([names("lkt"), names("alk"), names("nt")]).toEqual([[], [], []]);
});
