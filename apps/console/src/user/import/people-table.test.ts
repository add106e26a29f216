import { create } from "@bufbuild/protobuf";
import { UserSchema } from "@followspot/contract/user";
import { expect, test } from "vitest";
import { csvHead, csvLines } from "../../lib/list-csv.ts";
import { parseCsv } from "../../lib/parse-csv.ts";
import { userCsv } from "../user-columns.tsx";
import { matchColumns, personIn, refusedFile, repeatedPeople } from "./people-table.ts";
import { peopleTable, readPeopleFile } from "./read-people-file.ts";

const EMPTY = { name: "", email: "", phone: "", username: "", purpose: "", bio: "", roles: [] };

test("reads back an export of the Users list, including phones escaped against formula execution", () => {
  const ada = { name: "Ada, Countess", username: "ada", email: "ada@x.org", phone: "+49 30 1", roles: ["Admin", "AI"] };
  const [head, row] = parseCsv(csvHead(userCsv) + csvLines(userCsv, [create(UserSchema, { id: "u1", ...ada })]));
  expect(personIn(row!, matchColumns(head!.fields))).toEqual({ ...EMPTY, ...ada });
});

test.each([
  [["Full Name", "E-Mail", "Phone number"], { name: 0, email: 1, phone: 2 }],
  [["mobile", "MAIL", "name"], { name: 2, email: 1, phone: 0 }],
  [["Verein", "Stadt"], {}],
])("assigns columns with the headers %j", (heads, columns) => {
  expect(matchColumns(heads)).toEqual(columns);
});

test("reads Member as no role, and splits several roles", () => {
  const roles = (text: string) => personIn({ line: 2, fields: ["Ada", text] }, { name: 0, roles: 1 }).roles;
  expect([roles("Member"), roles("Director; AI"), roles("")]).toEqual([[], ["Director", "AI"], []]);
});

test("detects repeated users by email regardless of case, or by the digits of the phone", () => {
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

test("saves rejected rows unchanged, with a reason", async () => {
  const row = { line: 3, fields: ["Bea, N.", "b@"] };
  const file = refusedFile(["Name", "Mail"], [{ row, reason: "Invalid email address" }], "Reason");
  expect(parseCsv(await file.text()).map(({ fields }) => fields)).toEqual([
    ["Name", "Mail", "Reason"],
    ["Bea, N.", "b@", "Invalid email address"],
  ]);
});

const ANA = { name: "Ana Lima", email: "ana@example.org" };

// kept: Lists | Files from Eventbrite, pretix, Google, Outlook and Excel created users without a name, or were rejected | failed on the
// old code
test.each([
  [
    "Eventbrite",
    "Order #,Order Date,First Name,Last Name,Email,Quantity,Cell Phone\n1,2026-01-01,Ana,Lima,ana@example.org,1,+15550100",
    "+15550100",
  ],
  [
    "pretix",
    "Order code;Attendee name;Attendee name: Given name;Attendee name: Family name;Attendee email;Phone number\nABC;Ana Lima;Ana;Lima;ana@example.org;+49 30 1234",
    "+49 30 1234",
  ],
  [
    "pretix without full names",
    "Order code;Attendee name: Given name;Attendee name: Family name;Attendee email\nABC;Ana;Lima;ana@example.org",
    "",
  ],
  [
    "Google Contacts",
    "First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value\nAna,,Lima,Home,ana@example.org,Mobile,+351 900",
    "+351 900",
  ],
  [
    "Outlook",
    '"First Name","Last Name","E-mail Address","Mobile Phone"\n"Ana","Lima","ana@example.org","+351"',
    "+351",
  ],
  ["Excel in German", "Vorname;Nachname;E-Mail-Adresse;Handynummer\nAna;Lima;ana@example.org;0171 1", "0171 1"],
  ["name and given name in German", "Name;Vorname;E-Mail\nLima;Ana;ana@example.org", ""],
  ["Excel in French", "Nom;Prénom;Courriel;Téléphone\nLima;Ana;ana@example.org;+33 1", "+33 1"],
  ["Excel's first line", "sep=;\nName;Email\nAna Lima;ana@example.org", ""],
  ["a title row", "Participants 2026\n\nName;Email;Phone\nAna Lima;ana@example.org;+351", "+351"],
  ["a title row with as many fields", "List;;\nof May;;\nFirst name;Last name;Email\nAna;Lima;ana@example.org", ""],
  ["our own", "Name,Email\nAna Lima,ana@example.org", ""],
])("reads a file of %s", (_program, content, phone) => {
  const { heads, rows } = peopleTable(content);
  expect(rows.map((row) => personIn(row, matchColumns(heads)))).toEqual([{ ...EMPTY, ...ANA, phone }]);
});

test.each([
  ["UTF-8 with a byte order mark", new TextEncoder().encode("\uFEFFName;Email\nZoë Ñandú;zoe@x.org")],
  ["Windows-1252", Uint8Array.from("Name;Email\nZoë Ñandú;zoe@x.org", (letter) => letter.charCodeAt(0))],
  ["UTF-16, little-endian", utf16("\uFEFFName\tEmail\nZoë Ñandú\tzoe@x.org", true)],
  ["UTF-16, big-endian", utf16("\uFEFFName\tEmail\nZoë Ñandú\tzoe@x.org", false)],
])("reads a file in %s", async (_encoding, bytes) => {
  const { heads, rows } = await readPeopleFile(new Blob([bytes as BlobPart]));
  expect(rows.map((row) => personIn(row, matchColumns(heads)))).toEqual([
    { ...EMPTY, name: "Zoë Ñandú", email: "zoe@x.org" },
  ]);
});

test.each([
  ["a workbook", Uint8Array.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0])],
  ["bytes that are no text", Uint8Array.from([0xe4, 1, 2, 0xff, 0x0a])],
])("rejects %s", async (_what, bytes) => {
  await expect(readPeopleFile(new Blob([bytes]))).rejects.toThrow("This file is not text. Save it as CSV.");
});

test("retains line numbers below title rows, and the joined name in the file of rejected rows", async () => {
  const { heads, rows } = peopleTable("Guests\n\nFirst name,Last name,Email\nAna,Lima,ana@\nBo,,bo@x.org");
  expect(rows.map(({ line }) => line)).toEqual([4, 5]);
  expect(rows.map((row) => personIn(row, matchColumns(heads)).name)).toEqual(["Ana Lima", "Bo"]);
  const again = peopleTable(
    await refusedFile(heads, [{ row: rows[0]!, reason: "Invalid email address" }], "Reason").text(),
  );
  expect(personIn(again.rows[0]!, matchColumns(again.heads)).name).toBe("Ana Lima");
});

function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) bytes.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return new Uint8Array(bytes.buffer);
}
