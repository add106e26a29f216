import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error plain JavaScript without types
import { partsOf, RULES, subjectFault } from "./english.mjs";

interface Rule {
  readonly in: "text" | "code";
  readonly pattern: RegExp;
}
const rules = Object.entries(RULES as Record<string, Rule>);

/** Names of the rules that a file with this source breaks. */
function broken(file: string, source: string): string[] {
  const parts: Record<Rule["in"], [number, string][]> = partsOf(file, source);
  return rules
    .filter(([, { in: where, pattern }]) => parts[where].some(([, line]) => line.match(pattern)))
    .map(([name]) => name);
}

test.each([
  ["nobody", "a.md", "A song that nobody asked for is skipped."],
  ["anew", "a.ts", "// The stream is made anew."],
  ["is-told", "a.ts", "/** What the stage is told. */"],
  ["is-heard", "a.ts", 'test("the player that is heard stays", () => {});'],
  ["gives-up", "a.proto", "// The worker gives up after a minute."],
  ["of-its-own", "a.md", "It runs so long as the lease holds."],
  ["says-nothing", "a.ts", 'const text = "The node says nothing any more.";'],
  ["sign-of-life", "a.ts", "  // Every process sends a sign of life."],
  ["british", "a.strings.ts", 'export const title = "Colour of the wash";'],
  ["told", "a.ts", "const toldAt = 1;"],
  ["heard", "a.ts", "ports.onHeard(position);"],
  ["kept", "a.ts", "const isKept = true;"],
])("the rule %s finds its words in %s", (rule, file, source) => {
  expect(broken(file, source)).toEqual([rule]);
});

test.each([
  ["an identifier is no prose", "a.ts", "const colour = paint(somebody);"],
  ["prose is no identifier", "a.md", "The API stores `keptAt` in milliseconds."],
  ["a word inside another one", "a.ts", "const scrollLeft = 1; const leftover = unheardOf; // overcolored"],
])("passes %s", (_, file, source) => {
  expect(broken(file, source)).toEqual([]);
});

test.each([
  ["Say in /health that the stage stays away", "does not begin with what changed"],
  ["Let the plot of people end earlier", "does not begin with what changed"],
  [`Add ${"x".repeat(69)}`, "has 73 characters"],
])("refuses the commit subject %s", (subject, fault) => {
  expect(subjectFault(subject)).toContain(fault);
});

test.each(["Fix the session cookie on pages over plain HTTP", "Report an unavailable stage in /health"])(
  "accepts the commit subject %s",
  (subject) => expect(subjectFault(subject)).toBeUndefined(),
);

test("docs/style.md explains each rule", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/style.md"), "utf8");
  expect(rules.map(([name]) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
