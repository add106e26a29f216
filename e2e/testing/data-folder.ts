import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fastFolder } from "../../apps/server/src/testing/fast-folder.ts";

/** Environment variable: data folder with a database as created by a first start. */
export const MADE_DATABASE = "TEST_MADE_DATABASE";
/** Files of the database, and its password. */
const PARTS = ["postgres", "postgres-password"];

/**
 * Creates a data folder for a product, with a copy of the prepared database unless the product should create its own.
 */
export async function makeDataFolder(fresh: boolean): Promise<string> {
  const made = process.env[MADE_DATABASE];
  // A benchmark also measures the cost of the disk.
  const folder = await mkdtemp(join(made ? await fastFolder() : tmpdir(), "followspot-journey-"));
  if (made && !fresh) {
    // `-a` preserves the owner of the files, which PostgreSQL requires.
    await promisify(execFile)("cp", ["-a", ...PARTS.map((part) => join(made, part)), folder]);
  }
  return folder;
}
