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
  "apps/server",
  "apps/console",
  "examples",
];

const CHECKS = [
  ["format", [bin("prettier"), "--check", "--log-level=warn", "."]],
  ["lint and arrows between workspaces", [bin("oxlint"), "--quiet"]],
  ["arrows between folders, as ARCHITECTURE.md draws them", [process.execPath, join(ROOT, "scripts/arrows.mjs")]],
  ...WORKSPACES.map((workspace) => [`types of ${workspace}`, [bin("tsc"), "-p", workspace]]),
  ["the protos", [bin("buf"), "lint"], { cwd: join(ROOT, "packages/contract") }],
  [
    "the protos still understand older clients",
    [bin("buf"), "breaking", "--against", "released.binpb"],
    { cwd: join(ROOT, "packages/contract") },
  ],
  ["generated code equals the protos", [process.execPath, join(ROOT, "scripts/generate.mjs"), "--check"]],
  ["nothing unused", [bin("knip"), "--no-progress"]],
];

/** Runs the checks, then the named vitest projects; returns the sums. */
export async function runSuites(projects) {
  const sum = { passed: 0, failed: 0 };
  for (const [name, command, options] of CHECKS) {
    const ok = (await run(command, options)) === 0;
    say(`${ok ? "ok  " : "FAIL"} ${name}`);
    sum[ok ? "passed" : "failed"]++;
  }
  const folder = mkdtempSync(join(tmpdir(), "followspot-report-"));
  const report = join(folder, "report.json");
  const code = await run([
    node24(),
    join(ROOT, "node_modules/vitest/vitest.mjs"),
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    sum.passed += numPassedTests;
    // A file that cannot even be loaded, or a test that was left out, is a failure too.
    const broken = numFailedTests + numPendingTests;
    sum.failed += broken > 0 ? broken : code === 0 ? 0 : Math.max(1, numFailedTestSuites);
  } catch {
    say("The test runner left no report.");
    sum.failed++;
  }
  rmSync(folder, { recursive: true, force: true });
  return sum;
}

/** The closing line every reader waits for; exit code 1 when anything failed. */
export function close({ passed, failed }) {
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
