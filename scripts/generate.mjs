// npm run generate: TypeScript from the protos, and the page of old faults from tags in the tests. `--check` fails when
// what is committed differs.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ensureInstalled, fail, ROOT, run } from "./house.mjs";
import { KEPT_PAGE, writeKept } from "./kept.mjs";
import { commentsOf } from "./proto-comments.mjs";
import { limitsOf } from "./proto-limits.mjs";

const { values } = readOptions("generate");
await ensureInstalled();
const contract = join(ROOT, "packages/contract");
const generated = join(contract, "src/gen");
const buf = join(ROOT, "node_modules/.bin/buf");

// Made elsewhere first: what runs from this checkout meanwhile, and a checkout whose Ctrl-C comes now, keep their code.
const scratch = mkdtempSync(join(tmpdir(), "followspot-generated-"));
const image = join(scratch, "image.json");
const code =
  (await run([buf, "generate", "--output", scratch], { cwd: contract })) ||
  (await run([buf, "build", "--output", image], { cwd: contract }));
if (code === 0) {
  const files = JSON.parse(readFileSync(image, "utf8"));
  for (const [name, words] of Object.entries({ comments: commentsOf(files), limits: limitsOf(files) }))
    writeFileSync(join(scratch, `src/gen/${name}.json`), `${JSON.stringify(words, null, 2)}\n`);
}
const before = filesIn(generated);
const after = code === 0 ? filesIn(join(scratch, "src/gen")) : new Map();
rmSync(scratch, { recursive: true });
if (code !== 0) fail("buf could not generate.", "See its message above.");

const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
  (name) => before.get(name) !== after.get(name),
);
for (const name of changed) {
  const path = join(generated, name);
  if (!after.has(name)) rmSync(path);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after.get(name));
  }
}
const kept = writeKept(ROOT);
if (kept.problems.length > 0) fail(kept.problems.join("\n"), "scripts/kept.mjs says how a tag is written.");
const keptPage = join(ROOT, KEPT_PAGE);
const isKeptStale = readFileSync(keptPage, "utf8") !== kept.page;
if (isKeptStale) writeFileSync(keptPage, kept.page);

if (values.check && changed.length > 0) {
  fail(
    `Generated code differed from the protos: ${changed.slice(0, 10).join(", ")}.`,
    "It has been written anew: commit packages/contract/src/gen.",
  );
}
if (values.check && isKeptStale)
  fail(`${KEPT_PAGE} differed from the tags in the tests.`, "It has been written anew: commit it.");

/** Path below the folder → text of every file in it. */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}
