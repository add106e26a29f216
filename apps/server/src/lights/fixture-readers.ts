import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.resolve("@followspot/lighting/fixture-formats")));
const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

/** Names the version of the readers of fixture files: a hash of their own text, so that no developer has to count it up. */
export const FIXTURE_READERS = sources
  .toSorted()
  .reduce((hash, name) => hash.update(readFileSync(join(folder, name))), createHash("sha256"))
  .digest("hex")
  .slice(0, 16);
