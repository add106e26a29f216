import { csvHead, csvLines } from "../../lib/list-csv.ts";
import type { CsvRow } from "../../lib/parse-csv.ts";
import { userRules } from "../user-rules.ts";

/** User fields that a file can contain. */
export const FIELDS = ["name", "email", "phone", "username", "purpose", "bio", "roles"] as const;
export type Field = (typeof FIELDS)[number];

/** Parsed import file: column headers, and one row per user. */
export interface PeopleTable {
  readonly heads: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** Column index of each field, from 0. Fields that the file lacks are missing. */
export type Columns = Readonly<Partial<Record<Field, number>>>;

/**
 * Recognized column headers per field in order of preference, in lower case, letters and digits only. They come from our own files,
 * from exports of Eventbrite, pretix, Google and Outlook, and from spreadsheets in other languages.
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

/** Headers of columns with parts of a name, in the order in which the parts are joined. */
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
/** Header of the added column with the joined name. */
const JOINED_HEAD = "Full name";
/** Maximum number of rows above the column headers, for example a title. */
const MAX_TITLE_ROWS = 10;

/**
 * Finds the column headers below title rows. If the file has no full name, adds a column that joins the parts of the name.
 *
 * @returns undefined for a file without rows
 */
export function toPeopleTable(rows: readonly CsvRow[]): PeopleTable | undefined {
  const isHead = ({ fields }: CsvRow) => Object.keys(matchColumns(fields)).length + partsIn(fields).length >= 2;
  const found = rows.slice(0, MAX_TITLE_ROWS + 1).findIndex(isHead);
  const [head, ...people] = rows.slice(Math.max(0, found));
  if (!head) return undefined;
  const parts = partsIn(head.fields);
  // A column "Name" next to a given-name column holds the family name.
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

/** Returns the columns with parts of a name, in the order in which they are joined. */
function partsIn(heads: readonly string[]): readonly { readonly part: number; readonly column: number }[] {
  const plain = heads.map(plainHead);
  return NAME_PARTS.flatMap((names, part) => {
    const column = plain.findIndex((head) => names.includes(head));
    return column < 0 ? [] : [{ part, column }];
  });
}

const plainHead = (head: string): string => head.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Assigns columns to fields by their headers. */
export function matchColumns(heads: readonly string[]): Columns {
  const plain = heads.map(plainHead);
  const found = FIELDS.map((field) => {
    const index = HEADS[field].map((head) => plain.indexOf(head)).find((at) => at >= 0);
    return index === undefined ? [] : [[field, index]];
  });
  return Object.fromEntries(found.flat()) as Columns;
}

/** User as read from a row of the file. */
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
    // "Member" means no role.
    roles: roles.map((role) => role.trim()).filter((role) => role !== "" && role !== "Member"),
  };
}

/** Removes the apostrophe that our own exports put before text that a spreadsheet would execute as a formula. */
const unguarded = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, "");

/** Maps the index of each user with a repeated email or phone to the file line of the first occurrence. */
export function repeatedPeople(
  people: readonly FilePerson[],
  rows: readonly Pick<CsvRow, "line">[],
): ReadonlyMap<number, number> {
  const lines = new Map<string, number>();
  const repeated = new Map<number, number>();
  for (const [index, { email, phone }] of people.entries()) {
    // Invalid emails and phones are rejected elsewhere and never count as repeated.
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

/** Builds a CSV file of the rejected rows with their original fields and the reason. */
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
