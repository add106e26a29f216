import { expect, test } from "vitest";
import { csvHead, csvLines } from "./list-csv.ts";
import { parseCsv } from "./parse-csv.ts";

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

test.each([
  ["commas", "name,email\r\nAda,a@x.org\r\n"],
  ["semicolons", "name;email\nAda;a@x.org"],
  ["tabs", "name\temail\rAda\ta@x.org\r"],
  ["a byte order mark", "\uFEFFname,email\nAda,a@x.org\n"],
  ["empty lines", "\n\nname,email\n\n , \nAda,a@x.org\n\n"],
])("parses a file with %s", (_what, text) => {
  expect(fieldsOf(text)).toEqual([
    ["name", "email"],
    ["Ada", "a@x.org"],
  ]);
});

test("preserves delimiters, quotes and line breaks in a quoted field, and counts its lines", () => {
  expect(parseCsv('name,bio\n"Ngo, Bea","says ""hi""\r\nand goes"\nCy,\n')).toEqual([
    { line: 1, fields: ["name", "bio"] },
    { line: 2, fields: ["Ngo, Bea", 'says "hi"\r\nand goes'] },
    { line: 4, fields: ["Cy", ""] },
  ]);
});

test("ignores delimiters inside the quotes of the header when it detects the delimiter", () => {
  expect(fieldsOf('"name, in full, as written";email\nAda;a@x.org')[1]).toEqual(["Ada", "a@x.org"]);
});

test("preserves a quote inside a field, and text after a closing quote", () => {
  expect(fieldsOf('a,b\n5" nail,"x"y\n')[1]).toEqual(['5" nail', "xy"]);
});

test("reports the line on which an unclosed quoted field begins", () => {
  expect(() => parseCsv('a,b\nc,d\n"e,f\ng,h\n')).toThrow("line 3 has no end");
});

test("parses what the CSV export of lists writes", () => {
  const rows = ["plain", "with, comma", 'with "quotes"', "two\r\nlines", "ünïcode 🎛️", ""];
  const columns = [
    { head: "One", csv: (row: string) => row },
    { head: "Two; or more", csv: () => "x" },
  ];
  const file = csvHead(columns) + csvLines(columns, rows);
  expect(fieldsOf(file)).toEqual([["One", "Two; or more"], ...rows.map((row) => [row, "x"])]);
});

test("parses 5,000 long rows quickly", () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `"Person, ${i}",p${i}@example.org,"${"word ".repeat(40)}"`);
  const begun = performance.now();
  expect(parseCsv(`name,email,bio\n${rows.join("\n")}`)).toHaveLength(5001);
  expect(performance.now() - begun).toBeLessThan(1000);
});
