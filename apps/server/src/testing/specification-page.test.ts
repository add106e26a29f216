import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";

const FOLDER = "docs/guide/specification";

/** Returns the numbers in a text such as "177-179, 185". */
const numbersIn = (ranges: string) =>
  ranges.split(", ").flatMap((range) => {
    const [from = NaN, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/** Returns file and title of each test in the last cell of a row. */
const testsOf = (row: string) =>
  (row.split(" | ")[2] ?? "")
    .replace(/ \|$/, "")
    .split("<br>")
    .map((named) => /^`([\w./-]+\.test\.tsx?)`: (.+)$/.exec(named)?.slice(1));

/** Whether a file has a test, or a group of tests, of this name that is not skipped. */
function runs(source: string, name: string): boolean {
  const text = source.replaceAll(/\(\s+/g, "(");
  return ['"', "`"].some((quote) => {
    const at = text.indexOf(`(${quote}${name}${quote}`);
    return at >= 0 && !/\.(skip|todo)$/.test(text.slice(0, at));
  });
}

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
    const missing = rows.flatMap(testsOf).flatMap(([file = "", title = ""] = []) => {
      if (!existsSync(join(ROOT, file))) return [file];
      const source = readFileSync(join(ROOT, file), "utf8");
      return title.split(" > ").every((name) => runs(source, name)) ? [] : [`${file}: ${title}`];
    });
    expect(missing, `A test was renamed, moved or taken away: name in ${FOLDER}/${page} what holds the line`).toEqual(
      [],
    );
  });
});
