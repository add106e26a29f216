import { execFile } from "node:child_process";
import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { OFL, SAMPLE_FILES, SPOT } from "../../../../packages/lighting/src/fixture-formats/testing/samples.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";
import { startTestServer } from "../testing/test-server.ts";

const ADMIN = fileURLToPath(new URL("./admin.ts", import.meta.url));
const server = openUntil(afterAll, await startTestServer());
const folder = await folderUntil(afterAll);

function admin(...args: string[]) {
  const env = {
    ...process.env,
    DATABASE_URL: server.url,
    FOLLOWSPOT_SECRET: "s".repeat(48),
    FOLLOWSPOT_DATA_DIR: folder,
  };
  const run = promisify(execFile)(process.execPath, [ADMIN, ...args], { env });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test("imports a folder with its subfolders, and prints one JSON object with the rejected files", async () => {
  for (const { name, bytes } of SAMPLE_FILES) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  await mkdir(join(folder, "more", "deep"), { recursive: true });
  await writeFile(join(folder, "more", "deep", "entities.qxf"), SPOT.replace("FixtureDefinition>", 'FixtureDefinition [<!ENTITY a "b">]>')); // prettier-ignore
  await writeFile(join(folder, "more", "redirect.json"), JSON.stringify({ name: "Old", redirectTo: "a/b" }));
  await writeFile(join(folder, "more", "huge.qxf"), "");
  await truncate(join(folder, "more", "huge.qxf"), 5 * 1024 * 1024);
  await writeFile(join(folder, "README.md"), "no fixture");
  await symlink("/dev/zero", join(folder, "endless.qxf"));
  await symlink(folder, join(folder, "more", "again"));

  const { code, stdout } = await admin("import-fixtures", folder);
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  expect(answer).toEqual({
    imported: SAMPLE_FILES.length,
    refused: [
      { file: "more/huge.qxf", reason: "The file is larger than 4 MB." },
      { file: "more/deep/entities.qxf", reason: expect.stringContaining("document type") },
      { file: "more/redirect.json", reason: expect.stringContaining("another name") },
    ],
    undriven: [],
  });
  const [row] = await server.sql`select count(*)::int as n from fixture_definitions where format <> 'generic'`;
  expect(row?.["n"]).toBe(SAMPLE_FILES.length);
  const [told] = await server.sql`select count(*)::int as n from outbox where body like '%fixture.imported%'`;
  expect(told?.["n"]).toBe(1);
});

test("reports the same when the folder is imported again, and changes nothing", async () => {
  const { stdout } = await admin("import-fixtures", folder);
  expect(JSON.parse(stdout).imported).toBe(SAMPLE_FILES.length);
  const audits = await server.sql`select after from audit_log where action = 'fixture.imported'`;
  expect(audits).toHaveLength(1);
});

test("uses the folder name as manufacturer of an Open Fixture Library file", async () => {
  const [row] =
    await server.sql`select definition ->> 'manufacturer' as maker from fixture_definitions where format = 'ofl'`;
  expect([row?.["maker"], OFL.name]).toEqual(["Wharf Co", "Wheel 2000"]);
});

test("fails with a message for a missing folder and for a missing argument", async () => {
  const missing = await admin("import-fixtures", join(folder, "nowhere"));
  expect([missing.code, missing.stdout]).toEqual([2, ""]);
  expect((await admin("import-fixtures")).code).toBe(1);
});

// kept: Doors | `import-fixtures` ignored an MVR file silently | failed on the old code
test.each([
  ["stage.mvr", 0, /^An MVR file contains a whole stage\. Unpack it/],
  ["show.qxw", 0, /import-patch/],
  ["lamps.zip", 0, /^Unpack it first\.$/],
  ["notes.txt", 0, /^This is no fixture file/],
  ["spot.qxf", 1, undefined],
])("imports a single file such as %s, or says why not", async (name, imported, reason) => {
  const own = await folderUntil(onTestFinished);
  await writeFile(join(own, name), SPOT);
  const refused = reason ? [{ file: name, reason: expect.stringMatching(reason) }] : [];
  const { stdout } = await admin("import-fixtures", join(own, name));
  expect(JSON.parse(stdout)).toEqual({ imported, refused, undriven: [] });
  // In a folder, files of other kinds are not mentioned.
  const { stdout: ofFolder } = await admin("import-fixtures", own);
  expect(JSON.parse(ofFolder).refused).toEqual(name === "notes.txt" ? [] : refused);
});
