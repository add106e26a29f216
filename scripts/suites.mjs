// The checks and suites behind `npm run check` and `npm test`. Each check counts as one test.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { node24, ROOT, run, say } from "./house.mjs";

const bin = (name) => join(ROOT, "node_modules/.bin", name);
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
  // These drive pages of the console as well.
  "bench/console",
  "bench/night",
];

const STOPS = ["SIGINT", "SIGTERM", "SIGHUP"];

const CACHE = join(ROOT, ".cache");
const FORMATTED = ["--cache", "--cache-strategy=content", `--cache-location=${join(CACHE, "formatted")}`];
const typed = (workspace) => ["--incremental", "--tsBuildInfoFile", join(CACHE, "types", `${workspace}.json`)];

const CHECKS = [
  ["format", [bin("prettier"), "--check", "--log-level=warn", ...FORMATTED, "."]],
  ["lint and arrows between workspaces", [bin("oxlint"), "--quiet"]],
  ["arrows between folders, as ARCHITECTURE.md draws them", [process.execPath, join(ROOT, "scripts/arrows.mjs")]],
  ...WORKSPACES.map((workspace) => [`types of ${workspace}`, [bin("tsc"), "-p", workspace, ...typed(workspace)]]),
  ["the protos", [bin("buf"), "lint"], { cwd: join(ROOT, "packages/contract") }],
  [
    "the protos still understand older clients",
    [bin("buf"), "breaking", "--against", "released.binpb"],
    { cwd: join(ROOT, "packages/contract") },
  ],
  ["generated code equals the protos", [process.execPath, join(ROOT, "scripts/generate.mjs"), "--check"]],
  ["nothing unused", [bin("knip"), "--no-progress"]],
];

/** Runs the checks, then the named vitest projects, or of them what imports one of the sources; returns the sums. */
export async function runSuites(projects, sources) {
  const sum = { passed: 0, failed: 0, left: [], crashed: 0 };
  const add = ({ passed, failed, left = [] }) => {
    sum.passed += passed;
    sum.failed += failed;
    sum.left.push(...left);
  };
  const waiting = CHECKS.values();
  const check = async () => {
    for (const [name, command, options] of waiting) {
      const ok = (await runUnlessStopped(command, options)) === 0;
      say(`${ok ? "ok  " : "FAIL"} ${name}`);
      sum[ok ? "passed" : "failed"]++;
    }
  };
  // Half of them leave a processor idle.
  await Promise.all([check(), check()]);
  const inProjects = projects.flatMap((project) => ["--project", project]);
  const first = await runTests(inProjects, sources);
  add(first);
  sum.crashed = first.crashed.length;
  if (sum.crashed > 0) {
    say(`\nThe JavaScript engine crashed; once more: ${first.crashed.join(", ")}`);
    const again = await runTests([...inProjects, ...first.crashed]);
    add({ ...again, failed: again.failed + again.crashed.length });
  }
  return sum;
}

/** Runs the test files whose paths hold one of the words; returns the sums. */
export async function runFiles(args) {
  const { crashed, ...sum } = await runTests(args);
  return { ...sum, failed: sum.failed + crashed.length, crashed: 0 };
}

/** Runs a command, and ends with it when we are told to end meanwhile: the next one would begin else. */
async function runUnlessStopped(command, options) {
  let isStopped = false;
  const stop = () => (isStopped = true);
  for (const signal of STOPS) process.on(signal, stop);
  const code = await run(command, options);
  for (const signal of STOPS) process.off(signal, stop);
  if (isStopped) process.exit(130);
  return code;
}

/**
 * One run of vitest. Files during which the engine crashed, as V8 seldom does, are not counted but named: they run once
 * more.
 */
async function runTests(args, sources) {
  const folder = mkdtempSync(join(tmpdir(), "followspot-report-"));
  const report = join(folder, "sum.json");
  const code = await runUnlessStopped(
    [
      node24(),
      join(ROOT, "node_modules/vitest/vitest.mjs"),
      ...(sources ? ["related", "--run", ...sources] : ["run"]),
      ...args,
      "--reporter=default",
      `--reporter=${join(ROOT, "scripts/sum-of-tests.mjs")}`,
    ],
    { env: { ...process.env, SUM_OF_TESTS: report } },
  );
  try {
    const { passed, failed, left, errors, crashed } = JSON.parse(readFileSync(report, "utf8"));
    if (code === 0) return { passed, failed, left, crashed };
    for (const error of errors) say(`ERROR ${error}`);
    const isUnexplained = failed + errors.length + crashed.length === 0;
    return { passed, failed: failed + errors.length + (isUnexplained ? 1 : 0), left, crashed };
  } catch {
    say("The test runner left no report.");
    return { passed: 0, failed: 1, crashed: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The closing line every reader waits for, after what was run again and what this machine or account could not try, such
 * as mounting a small disk; exit code 1 when anything failed.
 */
export function close({ passed, failed, left = [], crashed }) {
  say(`\nTest files that crashed in the JavaScript engine and were run again: ${crashed}`);
  for (const name of left) say(`Not tried here: ${name}`);
  const skipped = left.length > 0 ? `, ${left.length} skipped` : "";
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped}\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
