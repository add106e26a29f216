// npm run generate: TypeScript from the protos. `--check` fails when the committed code differs.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled, fail, ROOT, run } from "./house.mjs";

await ensureInstalled();
const contract = join(ROOT, "packages/contract");
const generated = join(contract, "src/gen");
const buf = join(ROOT, "node_modules/.bin/buf");
const check = process.argv.includes("--check");
const before = mkdtempSync(join(tmpdir(), "followspot-gen-"));
if (check) cpSync(generated, before, { recursive: true });
rmSync(generated, { recursive: true, force: true });
if ((await run([buf, "generate"], { cwd: contract })) !== 0) fail("buf could not generate.", "See its message above.");
let difference = "";
if (check) {
  try {
    execFileSync("diff", ["-r", before, generated], { encoding: "utf8" });
  } catch (error) {
    difference = error.stdout ?? String(error);
  }
}
rmSync(before, { recursive: true, force: true });
if (difference) {
  process.stderr.write(difference.slice(0, 2000));
  fail("Generated code differed from the protos.", "It has been written anew: commit packages/contract/src/gen.");
}
