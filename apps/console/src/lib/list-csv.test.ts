import { expect, test } from "vitest";
import { csvHead, csvLines } from "./list-csv.ts";

const columns = [
  { head: "Name", csv: ({ name }: { name: string }) => name },
  { head: "Length, in letters", csv: ({ name }: { name: string }) => name.length },
];
const cell = (name: string) => csvLines(columns.slice(0, 1), [{ name }]);

test("writes one line per row, quoting commas, quotes and line breaks", () => {
  expect(csvHead(columns)).toBe('\uFEFFName,"Length, in letters"\r\n');
  expect(csvLines(columns, [{ name: "Ada" }, { name: 'Ben "B" Lee' }, { name: "a\nb" }])).toBe(
    'Ada,3\r\n"Ben ""B"" Lee",11\r\n"a\nb",3\r\n',
  );
});

test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\tx", "\r=x"])(
  "escapes %j so that spreadsheets do not run it as a formula",
  (name) => {
    expect(cell(name).replace(/^"/, "").startsWith("'")).toBe(true);
  },
);

test.each(["-2.5", "+4", "Ada", "a=b"])("leaves %j unchanged", (name) => {
  expect(cell(name)).toBe(`${name}\r\n`);
});
