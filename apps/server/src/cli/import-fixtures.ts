import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
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

/**
 * Imports every fixture file of a folder and its subfolders; other files and links are skipped.
 *
 * @param say prints progress
 */
export async function importFolder(
  sql: Sql,
  caller: Caller,
  folder: string,
  say: (line: string) => void,
): Promise<ImportedFixtures> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && FIXTURE_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  let imported = 0;
  const refused: RefusedFile[] = [];
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
