// npm run pack:contract [FOLDER]: the contract as a package for apps elsewhere, with JavaScript and types in place of our
// TypeScript. Prints the path of the tarball.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readOptions } from "../apps/server/src/platform/process/program-options.mjs";
import { ensureInstalled, fail, ROOT, run } from "./house.mjs";

const { positional: folder = "." } = readOptions("pack:contract");
await ensureInstalled();
const contract = join(ROOT, "packages/contract");
const target = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
const scratch = mkdtempSync(join(tmpdir(), "followspot-contract-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const dist = join(scratch, "dist");
const tsc = join(ROOT, "node_modules/.bin/tsc");
if ((await run([tsc, "-p", join(contract, "tsconfig.package.json"), "--outDir", dist])) !== 0)
  fail("The contract could not be compiled.", "See the message above.");
for (const name of readdirSync(dist, { recursive: true }).filter((each) => each.endsWith(".d.ts"))) {
  const path = join(dist, name);
  // The compiler leaves these as they were, and older ones take no `.ts` there.
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(["'])(\.{1,2}\/[^"']+)\.ts\1/g, "$1$2.js$1"));
}
cpSync(join(contract, "src/gen"), join(dist, "gen"), { recursive: true });
cpSync(join(contract, "proto"), join(scratch, "proto"), { recursive: true });
cpSync(join(contract, "README.md"), join(scratch, "README.md"));
cpSync(join(ROOT, "LICENSE"), join(scratch, "LICENSE"));
const [head, ...parts] = readFileSync(join(ROOT, "NOTICE"), "utf8").split("\n\n");
writeFileSync(
  join(scratch, "NOTICE"),
  [head, ...parts.filter((part) => part.includes("packages/contract"))].join("\n\n"),
);
const {
  private: _private,
  exports,
  dependencies,
  ...own
} = JSON.parse(readFileSync(join(contract, "package.json"), "utf8"));
const packed = {
  ...own,
  engines: { node: ">=22" },
  files: ["dist", "proto", "NOTICE"],
  exports: builtExports(exports),
  dependencies: ranges(dependencies),
};
writeFileSync(join(scratch, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
mkdirSync(target, { recursive: true });
const pack = ["npm", "pack", "--silent", "--pack-destination", target];
if ((await run(pack, { cwd: scratch, stdio: ["ignore", "ignore", "inherit"] })) !== 0)
  fail("npm could not pack the contract.", "See its message above.");
console.log(join(target, `followspot-contract-${own.version}.tgz`));

/** An app that has a newer release of the same kind has it once: messages of two releases would not fit together. */
function ranges(pinned) {
  return Object.fromEntries(Object.entries(pinned).map(([name, version]) => [name, `^${version}`]));
}

/** Where what our own code imports as TypeScript lies in the package. */
function builtExports(given) {
  const built = (path) => path.replace("./src/", "./dist/");
  const entries = Object.entries(given).map(([name, path]) => {
    if (typeof path !== "string") return [name, { types: built(path.types), default: built(path.default) }];
    if (!path.endsWith(".ts")) return [name, built(path)];
    const stem = built(path).slice(0, -".ts".length);
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }];
  });
  return Object.fromEntries(entries);
}
