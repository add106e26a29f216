// @vitest-environment jsdom
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { UserService, type ImportUsersRequest } from "@followspot/contract/user";
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { parseCsv } from "../../lib/parse-csv.ts";
import { button, choose, eventually, field, press, show } from "../../testing/show.tsx";
import { Toasts } from "../../ui/toast.tsx";
import { ImportDialog } from "./import-dialog.tsx";

let asked: ImportUsersRequest[];
/** Emails of existing users. */
let there: Set<string>;
/** Roles of the existing users, whose name is There. */
let rolesThere: string[];
let deleted: string[];
/** Called before the fake server responds to a batch. */
let onSlice: (request: ImportUsersRequest) => void | Promise<void>;
let isClosed: boolean;
let saved: Blob | undefined;

beforeEach(() => {
  asked = [];
  there = new Set(["there@example.org"]);
  rolesThere = [];
  deleted = [];
  onSlice = () => undefined;
  isClosed = false;
  saved = undefined;
  vi.stubGlobal(
    "URL",
    Object.assign(URL, {
      createObjectURL: (blob: Blob) => ((saved = blob), "blob:x"),
      revokeObjectURL: () => undefined,
    }),
  );
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Fake server with the real rules: existing users stay unchanged, a name is required, a dry run stores nothing. */
function routes(router: ConnectRouter): void {
  router.service(UserService, {
    importUsers: async (request) => {
      asked.push(request);
      await onSlice(request);
      const results = request.rows.map(({ name, email }) => {
        if (name === "") return { state: "refused", reason: "Name is required" };
        if (there.has(email)) {
          const state = request.updateExisting ? "updated" : "unchanged";
          return { state, userId: email, name: "There", roles: rolesThere };
        }
        if (!request.dryRun) there.add(email);
        return { state: "created", userId: request.dryRun ? "" : email };
      });
      return { results };
    },
    deleteUser: ({ userId }) => {
      deleted.push(userId);
      return { success: true };
    },
    listUsers: () => ({}),
    countUsers: () => ({}),
  });
}

const open = () =>
  show(
    <>
      <ImportDialog onClose={() => (isClosed = true)} />
      <Toasts />
    </>,
    { routes },
  );

const page = () => document.body.textContent ?? "";
const isThere = (claim: string) => eventually(() => expect(page()).toContain(claim));

async function paste(lines: string): Promise<void> {
  const area = document.querySelector("textarea")!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(area, lines);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await press("Read lines");
}

async function chooseFile(bytes: BlobPart, name = "people.csv"): Promise<void> {
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
  Object.defineProperty(input, "files", { value: [new File([bytes], name)], configurable: true });
  await act(async () => input.dispatchEvent(new Event("change", { bubbles: true })));
}

const people = (n: number) =>
  ["name,email", ...Array.from({ length: n }, (_, i) => `Person ${i},p${i}@example.org`)].join("\n");

test("previews the outcome of each row and stores nothing before the import", async () => {
  await open();
  await paste(
    [
      "Name;E-Mail;Phone",
      "Ada;ada@example.org;",
      "There;there@example.org;",
      "Again;ADA@example.org;",
      ";nobody@example.org;",
    ].join("\n"),
  );
  await isThere("Pasted lines: 4 people");
  await press("Check 4 people");
  await isThere("Import 1 person");
  for (const claim of [
    "Line 2Ada ada@example.orgNew",
    "Line 3There there@example.orgAlready there",
    "Line 4Again ADA@example.orgTwice in the fileSame email or phone as line 2",
    "Line 5No name nobody@example.orgRefusedName is required",
  ])
    expect(page()).toContain(claim);
  expect(asked.map(({ dryRun, rows }) => [dryRun, rows.length])).toEqual([[true, 3]]);
  await press("Refused1");
  expect(page()).not.toContain("Line 2");
  await press("Save 2 refused rows");
  expect(parseCsv(await saved!.text()).map(({ fields }) => fields)).toEqual([
    ["Name", "E-Mail", "Phone", "Reason"],
    ["Again", "ADA@example.org", "", "Same email or phone as line 2"],
    ["", "nobody@example.org", "", "Name is required"],
  ]);
  expect(there.size).toBe(1);
});

test("imports in batches of 200, and Undo deletes only created users", async () => {
  await open();
  await chooseFile(`\uFEFF${people(449)}\nThere,there@example.org\n`);
  await isThere("people.csv: 450 people");
  await press("Check 450 people");
  await isThere("Import 449 people");
  await press("Import 449 people");
  await eventually(() => expect(isClosed).toBe(true));
  expect(asked.map(({ dryRun, rows }) => [dryRun, rows.length])).toEqual([
    [true, 200],
    [true, 200],
    [true, 50],
    [false, 200],
    [false, 200],
    [false, 49],
  ]);
  await isThere("Imported 449 people");
  await press("Undo");
  await isThere("Deleted 449 people that had been imported");
  expect(new Set(deleted).size).toBe(449);
  expect(deleted).not.toContain("there@example.org");
});

test("Cancel stops after the current batch, and the remaining rows can be saved", async () => {
  await open();
  await paste(people(500));
  await press("Check 500 people");
  await isThere("Import 500 people");
  const gate = Promise.withResolvers<void>();
  onSlice = ({ dryRun }) => (dryRun ? undefined : gate.promise);
  await press("Import 500 people");
  await isThere("Imported 0 of 500");
  await press("Cancel");
  gate.resolve();
  await isThere("Imported 200 people");
  expect(there.size).toBe(201);
  await press("Save 300 refused rows");
  expect(parseCsv(await saved!.text())).toHaveLength(301);
  expect(isClosed).toBe(false);
  await press("Close");
  expect(isClosed).toBe(true);
  await eventually(() => expect(button("Undo")).toBeTruthy());
});

test("shows the error of an interrupted import and the rows imported so far", async () => {
  await open();
  await paste(people(300));
  await press("Check 300 people");
  await isThere("Import 300 people");
  onSlice = () => {
    if (there.size > 200) throw new ConnectError("The database is not reachable", Code.Unavailable);
  };
  await press("Import 300 people");
  await isThere("The database is not reachable");
  expect(page()).toContain("Imported 200 people");
  expect(page()).toContain("Not imported100");
});

test("columns can be reassigned, and existing users can be updated", async () => {
  await open();
  await paste("who,mail,other\nAda,there@example.org,+49 30 1\n");
  await isThere("Say which column holds the name.");
  expect(button("Check 1 person").disabled).toBe(true);
  await choose("Name", "0");
  await choose("Phone", "2");
  await act(async () => field("Update people who are already there").click());
  await press("Check 1 person");
  await isThere("Import 1 person");
  expect(asked[0]).toMatchObject({
    updateExisting: true,
    rows: [{ name: "Ada", email: "there@example.org", phone: "+49 30 1" }],
  });
});

test.each([
  ["5,001 people", people(5001), "There are 5,001 people in this file. At most 5,000 fit: split it."],
  ["no people", "name,email\n", "There are no people in this file."],
  ["a quote without an end", 'name\n"Ada\n', "The quoted field that begins on line 2 has no end."],
  ["two bytes a letter", new Uint8Array([0x6e, 0, 0x0a, 0, 0x41, 0]), "This file is not text."],
])("rejects a file with %s and an explanation before sending anything", async (_what, content, words) => {
  await open();
  await chooseFile(content);
  await isThere(words);
  expect(asked).toEqual([]);
});

test("imports a file with 5,000 users", async () => {
  await open();
  await chooseFile(people(5000));
  await press("Check 5,000 people");
  await isThere("Import 5,000 people");
  expect(asked).toHaveLength(25);
  expect(document.querySelectorAll("li")).toHaveLength(100);
});

// kept: Changes | The import of a person under another name did not show whom it would rename | also
test.each([
  ["There", [], "Already there"],
  ["Other", [], "Already thereMatches There"],
  ["Other", ["Admin", "AI"], "Already thereMatches There (Admin, AI)"],
  ["There", ["Admin"], "Already thereMatches There (Admin)"],
])("of %s, who matches a person with the roles %j, shows %j", async (name, roles, said) => {
  rolesThere = roles;
  await open();
  await paste(`Name,Email\n${name},there@example.org`);
  await press("Check 1 person");
  await isThere("Already there");
  const row = [...document.querySelectorAll("li")].find(({ textContent }) => textContent.includes("Line 2"));
  expect(row?.textContent).toBe(`Line 2${name} there@example.org${said}`);
});
