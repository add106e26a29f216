// The static checks of `npm run check` and `npm test`. Each counts as one test.
import { join } from "node:path";
import { ROOT, run, say } from "../house.mjs";

const bin = (name) => join(ROOT, "node_modules/.bin", name);
const script = (name) => [process.execPath, join(ROOT, "scripts", name)];
const CACHE = join(ROOT, ".cache");

const WORKSPACES = [
  "packages/contract",
  "packages/analysis",
  "packages/lighting",
  "packages/playing",
  "apps/server",
  "apps/console",
  "examples",
  "e2e",
  "bench",
  // These also drive pages of the console.
  "bench/console",
  "bench/night",
];
const INCREMENTAL = (workspace) => ["--incremental", "--tsBuildInfoFile", join(CACHE, "types", `${workspace}.json`)];
const CONTRACT = { cwd: join(ROOT, "packages/contract") };

/** Title, command and spawn options of each check, the slowest first. */
const CHECKS = [
  ["nothing unused", [bin("knip"), "--no-progress"]],
  ...WORKSPACES.map((workspace) => [`types of ${workspace}`, [bin("tsc"), "-p", workspace, ...INCREMENTAL(workspace)]]),
  ["format", [bin("oxfmt"), "--list-different", "."]],
  ["lint, and imports between workspaces", [bin("oxlint"), "--quiet"]],
  ["imports between folders follow the arrows in ARCHITECTURE.md", script("arrows.mjs")],
  ["English follows docs/style.md", script("english.mjs")],
  ["no promise without a handler", script("promises.mjs")],
  ["lint of the protos", [bin("buf"), "lint"], CONTRACT],
  ["protos still accept older clients", [bin("buf"), "breaking", "--against", "released.binpb"], CONTRACT],
  ["generated code matches the protos", [...script("generate.mjs"), "--check"]],
];

/**
 * Runs all checks, two at a time because half of them leave a processor idle.
 *
 * @param env of the run's folder
 * @returns how many passed and failed
 */
export async function runChecks(env) {
  const sum = { passed: 0, failed: 0 };
  say(`${CHECKS.length} checks: format, lint, types, imports, protos…`);
  const queue = CHECKS.values();
  const work = async () => {
    for (const [title, command, options] of queue) {
      const isOk = (await run(command, { ...options, env })) === 0;
      if (!isOk) say(`FAIL  ${title}`);
      sum[isOk ? "passed" : "failed"]++;
    }
  };
  await Promise.all([work(), work()]);
  return sum;
}
