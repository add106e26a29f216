// npm run generate: TypeScript from the protos. `--check` fails when the committed code differs.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, fail, ROOT, run } from "./house.mjs";

await ensureInstalled();
const contract = join(ROOT, "packages/contract");
const generated = join(contract, "src/gen");
const buf = join(ROOT, "node_modules/.bin/buf");
const check = process.argv.includes("--check");
const before = check ? filesIn(generated) : new Map();
rmSync(generated, { recursive: true, force: true });
if ((await run([buf, "generate"], { cwd: contract })) !== 0) fail("buf could not generate.", "See its message above.");
if (check) {
  const after = filesIn(generated);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  if (changed.length > 0) {
    fail(
      `Generated code differed from the protos: ${changed.slice(0, 10).join(", ")}.`,
      "It has been written anew: commit packages/contract/src/gen.",
    );
  }
}

/** Path → text of every file below a folder. */
function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map(({ parentPath, name }) => join(parentPath, name)).map((path) => [path, readFileSync(path, "utf8")]),
  );
}
