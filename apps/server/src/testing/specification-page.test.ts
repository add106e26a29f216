import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

const FOLDER = "docs/guide/specification";
const DEPENDENCIES = "docs/guide/dependencies.md";
/** Faults that the page has for each dependency. */
const FAULTS = ["refuses", "hangs", "is slow", "gives a wrong answer", "comes back"];

/** Returns the numbers in a text such as "177-179, 185". */
const numbersIn = (ranges: string) =>
  ranges.split(", ").flatMap((range) => {
    const [from = NaN, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/** Returns file and title of each test in the last cell of a row. */
const testsOf = (row: string) =>
  (row.split(" | ").at(-1) ?? "")
    .replace(/ \|$/, "")
    .split("<br>")
    .map((named) => /^`([\w./-]+\.test\.tsx?)`: (.+)$/.exec(named)?.slice(1));

/** Whether a file has a test, or a group of tests, of this name that is not skipped. */
function runs(source: string, name: string): boolean {
  const text = source.replaceAll(/\(\s+/g, "(");
  return ['"', "'", "`"].some((quote) => {
    const at = text.indexOf(`(${quote}${name}${quote}`);
    return at >= 0 && !/\.(skip|todo)$/.test(text.slice(0, at));
  });
}

/** Returns the tests in the last cells of rows that do not exist or do not run. */
const missingTests = (rows: readonly string[]) =>
  rows.flatMap(testsOf).flatMap(([file = "", title = ""] = []) => {
    if (!existsSync(join(ROOT, file))) return [file];
    const source = readFileSync(join(ROOT, file), "utf8");
    return title.split(" > ").every((name) => runs(source, name)) ? [] : [`${file}: ${title}`];
  });

describe.each(readdirSync(join(ROOT, FOLDER)))("the page %s of the specification", (page) => {
  const text = readFileSync(join(ROOT, FOLDER, page), "utf8");
  const rows = text.split("\n").filter((line) => /^\| \d/.test(line));

  test("has each line of its head once", () => {
    const listed = numbersIn(/^Lines: (.+)$/m.exec(text)?.[1] ?? "");
    expect(rows.map((row) => parseInt(row.slice(2), 10))).toEqual(listed);
  });

  test("names a test for each line", () => {
    expect(rows.filter((row) => testsOf(row).includes(undefined))).toEqual([]);
  });

  test("names only existing tests that run", () => {
    const hint = `A test was renamed, moved or removed: name in ${FOLDER}/${page} what holds the line`;
    expect(missingTests(rows), hint).toEqual([]);
  });
});

describe("the page of dependencies", () => {
  const text = readFileSync(join(ROOT, DEPENDENCIES), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => /^\| .+ \| .+ \| .+ \| .+ \|$/.test(line) && !/^\| (?:-|dependency)/.test(line));
  const cellsOf = (row: string) => row.slice(2, -2).split(" | ").slice(0, 2).join(": ");
  const untested = text.split("\n").flatMap((line) => /^- (.+: .+)$/.exec(line)?.[1] ?? []);

  test("has a row, or an entry among the cells without a test, for each dependency and fault", () => {
    const dependencies = [...new Set([...rows.map(cellsOf), ...untested].map((cell) => cell.split(": ")[0]))];
    const all = dependencies.flatMap((dependency) => FAULTS.map((fault) => `${dependency}: ${fault}`));
    expect([...rows.map(cellsOf), ...untested].toSorted()).toEqual(all.toSorted());
  });

  test("names only existing tests that run", () => {
    expect(rows.filter((row) => testsOf(row).includes(undefined))).toEqual([]);
    expect(missingTests(rows), `A test was renamed, moved or removed: name its successor in ${DEPENDENCIES}`).toEqual(
      [],
    );
  });
});
