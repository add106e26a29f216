import { csvHead, csvLines } from "../../lib/list-csv.ts";
import type { CsvRow } from "../../lib/parse-csv.ts";
import { userRules } from "../user-rules.ts";

/** What a file can say of a person. */
export const FIELDS = ["name", "email", "phone", "username", "purpose", "bio", "roles"] as const;
export type Field = (typeof FIELDS)[number];

/** A file: the heads of its columns, and one row for each person. */
export interface PeopleTable {
  readonly heads: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** In which column of the file a field stands, from 0; fields that it does not have are left out. */
export type Columns = Readonly<Partial<Record<Field, number>>>;

/**
 * Heads in the order of preference, in lower case, letters and digits only: of our own files, and of exports of Eventbrite, pretix,
 * Google, Outlook and spreadsheets in other languages.
 */
const HEADS: Readonly<Record<Field, readonly string[]>> = {
  name: ["fullname", "name", "attendeename", "displayname", "person", "member", "vollständigername", "nomcomplet"],
  email: [
    ...["email", "emailaddress", "mail", "attendeeemail", "email1value", "emailadresse", "mailadresse", "adresseemail"],
    ...["courriel", "correo", "correoelectrónico", "correoelectronico"],
  ],
  phone: [
    ...["phone", "phonenumber", "telephone", "tel", "mobile", "mobilephone", "cell", "cellphone", "phone1value"],
    ...[
      "handy",
      "handynummer",
      "mobilnummer",
      "telefon",
      "telefonnummer",
      "téléphone",
      "portable",
      "teléfono",
      "telefono",
    ],
  ],
  username: ["username", "user", "nickname", "handle", "login"],
  purpose: ["purpose", "about"],
  bio: ["bio", "biography", "description", "notes"],
  roles: ["roles", "role"],
};

/** Parts of a name in columns of their own, in the order in which they are joined. */
const NAME_PARTS: readonly (readonly string[])[] = [
  [
    ...[
      "firstname",
      "givenname",
      "attendeefirstname",
      "attendeenamegivenname",
      "vorname",
      "prénom",
      "prenom",
      "nombre",
    ],
    ...["voornaam", "nome"],
  ],
  ["middlename", "zweitername"],
  [
    ...["lastname", "surname", "familyname", "attendeelastname", "attendeenamefamilyname", "nachname", "familienname"],
    ...["nom", "nomdefamille", "apellido", "apellidos", "achternaam", "cognome", "sobrenome"],
  ],
];
/** Head of the column that joins the parts of a name. */
const JOINED_HEAD = "Full name";
/** Rows above the heads, such as a title, at most. */
const MAX_TITLE_ROWS = 10;

/**
 * Finds the heads of a file below title rows, and joins first and last name into a column of its own if the file has no full name.
 * @returns undefined for a file without rows
 */
export function toPeopleTable(rows: readonly CsvRow[]): PeopleTable | undefined {
  const isHead = ({ fields }: CsvRow) => Object.keys(matchColumns(fields)).length + partsIn(fields).length >= 2;
  const found = rows.slice(0, MAX_TITLE_ROWS + 1).findIndex(isHead);
  const [head, ...people] = rows.slice(Math.max(0, found));
  if (!head) return undefined;
  const parts = partsIn(head.fields);
  // "Name" beside a given name is the family name.
  const family = parts.length === 1 && parts[0]!.part === 0 ? matchColumns(head.fields).name : undefined;
  const columns = [...parts.map(({ column }) => column), ...(family === undefined ? [] : [family])];
  const hasName = matchColumns(head.fields).name !== undefined && family === undefined;
  if (hasName || parts.length === 0) return { heads: head.fields, rows: people };
  const width = head.fields.length;
  const joined = ({ line, fields }: CsvRow): CsvRow => {
    const name = columns.map((column) => (fields[column] ?? "").trim()).filter((part) => part !== "");
    return { line, fields: [...Array.from({ length: width }, (_, at) => fields[at] ?? ""), name.join(" ")] };
  };
  return { heads: [...head.fields, JOINED_HEAD], rows: people.map(joined) };
}

/** The columns with parts of a name, in the order in which they are joined. */
function partsIn(heads: readonly string[]): readonly { readonly part: number; readonly column: number }[] {
  const plain = heads.map(plainHead);
  return NAME_PARTS.flatMap((names, part) => {
    const column = plain.findIndex((head) => names.includes(head));
    return column < 0 ? [] : [{ part, column }];
  });
}

const plainHead = (head: string): string => head.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Finds fields by the heads of a file; a column stands for one field. */
export function matchColumns(heads: readonly string[]): Columns {
  const plain = heads.map(plainHead);
  const found = FIELDS.map((field) => {
    const index = HEADS[field].map((head) => plain.indexOf(head)).find((at) => at >= 0);
    return index === undefined ? [] : [[field, index]];
  });
  return Object.fromEntries(found.flat()) as Columns;
}

/** One person as a file says it. */
export type FilePerson = Readonly<Record<Exclude<Field, "roles">, string>> & { readonly roles: string[] };

export function personIn({ fields }: CsvRow, columns: Columns): FilePerson {
  const text = (field: Field) => unguarded(fields[columns[field] ?? -1] ?? "").trim();
  const roles = text("roles").split(/[,;|]/);
  return {
    name: text("name"),
    email: text("email"),
    phone: text("phone"),
    username: text("username"),
    purpose: text("purpose"),
    bio: text("bio"),
    // People without a role are members.
    roles: roles.map((role) => role.trim()).filter((role) => role !== "" && role !== "Member"),
  };
}

/** Our own files put an apostrophe before what a spreadsheet would run. */
const unguarded = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, "");

/** For each person that stands in the file twice, by email or phone, the line of the first; by place in `people`. */
export function repeatedPeople(
  people: readonly FilePerson[],
  rows: readonly Pick<CsvRow, "line">[],
): ReadonlyMap<number, number> {
  const lines = new Map<string, number>();
  const repeated = new Map<number, number>();
  for (const [index, { email, phone }] of people.entries()) {
    // Text that is no address is refused for that, and matches no person.
    const keys = [
      email !== "" && userRules.email(email) === true && `email ${email.toLowerCase()}`,
      phone !== "" && userRules.phone(phone) === true && `phone ${phone.replaceAll(/[^0-9+]/g, "")}`,
    ].filter((key) => key !== false);
    const line = keys.map((key) => lines.get(key)).find((each) => each !== undefined);
    if (line !== undefined) repeated.set(index, line);
    else for (const key of keys) lines.set(key, rows[index]?.line ?? 0);
  }
  return repeated;
}

/** The rows as they stood in the file, each with why it was left out. */
export function refusedFile(
  heads: readonly string[],
  refused: readonly { readonly row: CsvRow; readonly reason: string }[],
  reasonHead: string,
): Blob {
  type Refused = (typeof refused)[number];
  const columns = [
    ...heads.map((head, at) => ({ head, csv: ({ row }: Refused) => row.fields[at] ?? "" })),
    { head: reasonHead, csv: ({ reason }: Refused) => reason },
  ];
  return new Blob([csvHead(columns), csvLines(columns, refused)], { type: "text/csv;charset=utf-8" });
}
