import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.resolve("@followspot/lighting/fixture-formats")));
const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

/** Version of the fixture file readers: a hash of their source, so that no manual counter is needed. */
export const FIXTURE_READERS = sources
  .toSorted()
  .reduce((hash, name) => hash.update(readFileSync(join(folder, name))), createHash("sha256"))
  .digest("hex")
  .slice(0, 16);
