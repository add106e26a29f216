// What changed since `npm run check` last passed, so that it tests that alone. The state of the working tree is a tree of
// git, whether files are committed or not.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "./house.mjs";

const REMEMBERED = join(ROOT, ".cache/checked-tree");
/** What the graph of imports shows. */
const IS_SOURCE = /\.(ts|tsx|mjs|css)$/;
/** What no test of the check depends on but those that read files, which always run. */
const IS_READ = /(\.(md|svg|webp|png|proto|yaml|sh|py)|(^|\/)(LICENSE|NOTICE|Containerfile))$/;
/** What may change any test. */
const IS_ROOT = /^(vitest\.config\.ts|scripts\/.*)$/;

/** The working tree as git would store it; undefined outside a checkout. */
export function treeOfNow() {
  const folder = mkdtempSync(join(tmpdir(), "followspot-tree-"));
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, "index") };
  try {
    git(["read-tree", "HEAD"], env);
    git(["add", "--all"], env);
    return git(["write-tree"], env);
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sources that changed since the last check that passed; undefined: everything is to be tested. */
export function sourcesSincePassed(tree) {
  if (tree === undefined || !existsSync(REMEMBERED)) return undefined;
  try {
    const names = git(["diff", "--name-only", "--no-renames", "-z", readFileSync(REMEMBERED, "utf8"), tree]);
    const changed = names.split("\0").filter(Boolean);
    const isKnown = (name) => !IS_ROOT.test(name) && (IS_SOURCE.test(name) || IS_READ.test(name));
    return changed.every(isKnown) ? changed.filter((name) => IS_SOURCE.test(name)) : undefined;
  } catch {
    return undefined; // git has thrown the tree away
  }
}

export function rememberPassed(tree) {
  if (tree === undefined) return;
  mkdirSync(dirname(REMEMBERED), { recursive: true });
  writeFileSync(REMEMBERED, tree);
}

const git = (words, env = process.env) =>
  execFileSync("git", words, { cwd: ROOT, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
