import { expect, test } from "vitest";
import { findByLetters, findByTypos, findCommands } from "./find-commands.ts";

const commands = [
  { text: "Lights", kind: "Screen" },
  { text: "Theme: Light", kind: "Action" },
  { text: "Salt · Lina Brandt", kind: "Song" },
];
const found = (query: string) => findCommands(commands, query).map(({ text }) => text);

test("returns every command for an empty query", () => {
  expect(found("")).toHaveLength(3);
});

test("matches all typed words, in any order and case", () => {
  expect(found("brandt salt")).toEqual(["Salt · Lina Brandt"]);
  expect(found("salt zzz")).toEqual([]);
});

test("ranks names that start with the query first", () => {
  expect(found("light")).toEqual(["Lights", "Theme: Light"]);
  expect(found("theme")).toEqual(["Theme: Light"]);
});

test("matches letters of a name in order, the first at the start of a word", () => {
  const more = [{ text: "New Talk" }, { text: "Stage screen" }];
  const names = (query: string) => findByLetters(more, query).map(({ text }) => text);
  expect(names("ntk")).toEqual(["New Talk"]);
  expect(names("stg")).toEqual(["Stage screen"]);
  expect(names("st sc")).toEqual(["Stage screen"]);
  expect([names("lkt"), names("alk"), names("nt")]).toEqual([[], [], []]);
});

// kept: Console | The palette knew an action by its own words alone | failed with the fault put back
test("matches synonyms, ranked after names with the word", () => {
  const more = [
    { text: "Workers", kind: "Screen", also: "queues retry" },
    { text: "Retry all failed songs", kind: "Action" },
  ];
  expect(findCommands(more, "retry").map(({ text }) => text)).toEqual(["Retry all failed songs", "Workers"]);
  expect(findCommands(more, "queues")).toHaveLength(1);
});

// kept: Console | The palette found nothing by a word with two swapped letters | failed with the fault put back
test.each(["pasue", "pause musc", "pausee", "paues the", "music pauze"])("finds Pause the music by %s", (typed) => {
  const more = [
    { text: "Pause the music", kind: "Action" },
    { text: "Past talks", kind: "Screen" },
  ];
  expect(findByTypos(more, typed).map(({ text }) => text)).toEqual(["Pause the music"]);
});

test("two typos in a word, or one in a word of three letters, do not match", () => {
  const more = [{ text: "Pause the music", kind: "Action" }];
  expect(["pusae x", "pasueee", "teh", "psaeu"].flatMap((typed) => findByTypos(more, typed))).toEqual([]);
});
