import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

const PAGE = "docs/guide/kept.md";
const rows = readFileSync(join(ROOT, PAGE), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what"));

/** File and title of each test in the second cell of a row. */
const testsOf = (row: string) =>
  (row.split(" | ")[1] ?? "")
    .replace(/ \|$/, "")
    .split("<br>")
    .map((named) => /^`([\w./-]+\.test\.tsx?)`: (.+)$/.exec(named)?.slice(1));

/** Whether a file has a test, or a group of tests, of this name that is run. */
function runs(source: string, name: string): boolean {
  const text = source.replaceAll(/\(\s+/g, "(");
  return ['"', "`"].some((quote) => {
    const at = text.indexOf(`(${quote}${name}${quote}`);
    return at >= 0 && !/\.(skip|todo)$/.test(text.slice(0, at));
  });
}

test("the page of faults that are gone names a test for each", () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => testsOf(row).includes(undefined))).toEqual([]);
});

test("each test that keeps a fault away is there under its name", () => {
  const missing = rows.flatMap(testsOf).flatMap(([file = "", title = ""] = []) => {
    if (!existsSync(join(ROOT, file))) return [file];
    const source = readFileSync(join(ROOT, file), "utf8");
    return title.split(" > ").every((name) => runs(source, name)) ? [] : [`${file}: ${title}`];
  });
  expect(missing, `A test was renamed, moved or taken away: name in ${PAGE} what holds the fault off now`).toEqual([]);
});
