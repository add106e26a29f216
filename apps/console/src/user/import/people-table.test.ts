import { create } from "@bufbuild/protobuf";
import { UserSchema } from "@followspot/contract/user";
import { expect, test } from "vitest";
import { csvHead, csvLines } from "../../lib/list-csv.ts";
import { parseCsv } from "../../lib/parse-csv.ts";
import { userCsv } from "../user-columns.tsx";
import { matchColumns, personIn, refusedFile, repeatedPeople } from "./people-table.ts";

const EMPTY = { name: "", email: "", phone: "", username: "", purpose: "", bio: "", roles: [] };

test("reads back what the Users list saved, phones that a spreadsheet would run included", () => {
  const ada = { name: "Ada, Countess", username: "ada", email: "ada@x.org", phone: "+49 30 1", roles: ["Admin", "AI"] };
  const [head, row] = parseCsv(csvHead(userCsv) + csvLines(userCsv, [create(UserSchema, { id: "u1", ...ada })]));
  expect(personIn(row!, matchColumns(head!.fields))).toEqual({ ...EMPTY, ...ada });
});

test.each([
  [["Full Name", "E-Mail", "Phone number"], { name: 0, email: 1, phone: 2 }],
  [["mobile", "MAIL", "name"], { name: 2, email: 1, phone: 0 }],
  [["Verein", "Stadt"], {}],
])("finds columns by the heads %j", (heads, columns) => {
  expect(matchColumns(heads)).toEqual(columns);
});

test("takes Member for no role, and several roles apart", () => {
  const roles = (text: string) => personIn({ line: 2, fields: ["Ada", text] }, { name: 0, roles: 1 }).roles;
  expect([roles("Member"), roles("Director; AI"), roles("")]).toEqual([[], ["Director", "AI"], []]);
});

test("a person stands in a file twice by email, whatever its case, or by the digits of a phone", () => {
  const people = [
    { ...EMPTY, email: "a@x.org", phone: "+49 30 1" },
    { ...EMPTY, email: "b@x.org" },
    { ...EMPTY, email: "A@X.org" },
    { ...EMPTY, phone: "+49 (30) 1" },
    EMPTY,
    EMPTY,
    { ...EMPTY, email: "b@", phone: "1a" },
    { ...EMPTY, email: "b@", phone: "1b" },
  ];
  const lines = people.map((_, index) => ({ line: index + 2 }));
  expect([...repeatedPeople(people, lines)]).toEqual([
    [2, 2],
    [3, 2],
  ]);
});

test("rows that were left out are saved as they stood, with a reason", async () => {
  const row = { line: 3, fields: ["Bea, N.", "b@"] };
  const file = refusedFile(["Name", "Mail"], [{ row, reason: "Invalid email address" }], "Reason");
  expect(parseCsv(await file.text()).map(({ fields }) => fields)).toEqual([
    ["Name", "Mail", "Reason"],
    ["Bea, N.", "b@", "Invalid email address"],
  ]);
});
