import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error a script before anything is installed: plain JavaScript without types
import { KEPT_PAGE, keptIn, writeKept } from "../../../../scripts/kept.mjs";
import { ROOT } from "../platform/settings.ts";

const tagged = (...lines: string[]) => keptIn("a.test.ts", lines.join("\n"));
const FAULT = "// kept: Doors | Anyone came in | failed on the old code";

test("the page of faults has a row for each tag in the tests", () => {
  const { page, rows, problems } = writeKept(ROOT);
  expect(problems).toEqual([]);
  expect(rows).toBeGreaterThan(200);
  expect(readFileSync(join(ROOT, KEPT_PAGE), "utf8"), "Run npm run generate and commit the page").toBe(page);
});

test("a tag of several lines, below another one, names the test with its groups", () => {
  const { tags, problems } = tagged(
    'describe("a door", () => {',
    "  // kept: Doors | Anyone came",
    "  // in | also",
    "  // kept: Lists | A list ended | failed with the fault put back",
    "  test.each([",
    '    ["one"], // (',
    '  ])("is shut for %s", () => {});',
    "});",
  );
  expect(problems).toEqual([]);
  expect(tags).toEqual([
    { file: "a.test.ts", area: "Doors", fault: "Anyone came in", sign: "also", title: "a door > is shut for %s" },
    expect.objectContaining({ area: "Lists", fault: "A list ended", title: "a door > is shut for %s" }),
  ]);
});

test.each([
  ["has no test below it", [FAULT, "", 'test("is shut", () => {});']],
  ["stands above a test that is not run", [FAULT, 'test.skip("is shut", () => {});']],
  ["has no sign", ["// kept: Doors | Anyone came in", 'test("is shut", () => {});']],
  ["is of an unknown part of the page", [FAULT.replace("Doors", "Gates"), 'test("is shut", () => {});']],
])("a tag that %s fails the check", (_, lines) => {
  const { tags, problems } = tagged(...lines);
  expect(tags).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("a.test.ts:1: ")]);
});
