import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fastFolder } from "../../apps/server/src/testing/fast-folder.ts";

/** Of the environment: in which data folder there is a database as a first start leaves it. */
export const MADE_DATABASE = "TEST_MADE_DATABASE";
/** Its files, and the password they were made with. */
const PARTS = ["postgres", "postgres-password"];

/** A data folder for a product, with a copy of the made database in it unless the product is to make its own. */
export async function makeDataFolder(fresh: boolean): Promise<string> {
  const made = process.env[MADE_DATABASE];
  // A bench measures what a disk costs as well.
  const folder = await mkdtemp(join(made ? await fastFolder() : tmpdir(), "followspot-journey-"));
  if (made && !fresh) {
    // It keeps the owner of the files, whom PostgreSQL insists on.
    await promisify(execFile)("cp", ["-a", ...PARTS.map((part) => join(made, part)), folder]);
  }
  return folder;
}
