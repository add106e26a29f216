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

/** Heads of our own files first; then what others call it. All in lower case, letters and digits alone. */
const HEADS: Readonly<Record<Field, readonly string[]>> = {
  name: ["name", "fullname", "displayname", "person", "member"],
  email: ["email", "emailaddress", "mail"],
  phone: ["phone", "phonenumber", "telephone", "tel", "mobile", "mobilephone", "cell"],
  username: ["username", "user", "nickname", "handle", "login"],
  purpose: ["purpose", "about"],
  bio: ["bio", "biography", "description", "notes"],
  roles: ["roles", "role"],
};

/** Finds fields by the heads of a file; a column stands for one field. */
export function matchColumns(heads: readonly string[]): Columns {
  const plain = heads.map((head) => head.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""));
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
