import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { FIXTURE_FILE, FIXTURE_LIMITS } from "@followspot/lighting/fixture-formats";
import type { Caller } from "../platform/caller.ts";
import type { Sql } from "../platform/database/database.ts";
import {
  importFixtures,
  type ImportedFixtures,
  type RefusedFile,
  type UndrivenFile,
} from "../lights/import-fixtures.ts";
import type { FixtureFile } from "../lights/read-fixture-files.ts";

/** Number of files read and stored at once. */
const BATCH = 100;

/** Files that contain fixtures, but are not read here → what to do instead. */
const CONTAINERS: readonly (readonly [RegExp, string])[] = [
  [/\.mvr$/i, "An MVR file contains a whole stage. Unpack it like a ZIP file: the .gdtf files in it are imported."],
  [/\.qxw$/i, "This is a workspace. Import it with import-patch."],
  [/\.zip$/i, "Unpack it first."],
];

/**
 * Imports a fixture file, or every one of a folder and its subfolders. Links and files of other kinds are skipped; of
 * those, the ones that contain fixtures are refused with the reason.
 *
 * @param path the folder or file
 * @param say prints progress
 */
export async function importFolder(
  sql: Sql,
  caller: Caller,
  path: string,
  say: (line: string) => void,
): Promise<ImportedFixtures> {
  const isFile = (await stat(path)).isFile();
  const folder = isFile ? dirname(path) : path;
  const found = isFile ? [path] : await filesBelow(folder);
  const paths = found.filter((each) => FIXTURE_FILE.test(each));
  let imported = 0;
  const refused: RefusedFile[] = found.flatMap((each) => {
    const other = isFile ? "This is no fixture file: .qxf, .gdtf or .json." : undefined;
    const reason = FIXTURE_FILE.test(each) ? undefined : (CONTAINERS.find(([name]) => name.test(each))?.[1] ?? other);
    return reason === undefined ? [] : [{ file: relative(folder, each).split(sep).join("/"), reason }];
  });
  const undriven: UndrivenFile[] = [];
  for (let at = 0; at < paths.length; at += BATCH) {
    const files: FixtureFile[] = [];
    for (const path of paths.slice(at, at + BATCH)) {
      const name = relative(folder, path).split(sep).join("/");
      const read = await readSmall(path);
      if (typeof read === "string") refused.push({ file: name, reason: read });
      else files.push({ name, bytes: read });
    }
    const batch = await importFixtures(sql, caller, files);
    imported += batch.imported;
    refused.push(...batch.refused);
    undriven.push(...batch.undriven);
    say(`${Math.min(at + BATCH, paths.length)} of ${paths.length} files`);
  }
  return { imported, refused, undriven };
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** @returns the file, or why it cannot be read */
async function readSmall(path: string): Promise<Uint8Array | string> {
  try {
    const { size } = await lstat(path);
    if (size > FIXTURE_LIMITS.fileBytes) return "The file is larger than 4 MB.";
    return new Uint8Array(await readFile(path));
  } catch (error) {
    return `The file cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`;
  }
}
