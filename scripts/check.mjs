// npm run check: the fast part of npm test, for between two commits: all static checks, and the tests nearest to what changed
// since the last check that passed. With --all, all tests that need no services.
import { ensureInstalled, say } from "./house.mjs";

await ensureInstalled();
const { nearestTests } = await import("./test-run/nearest-tests.mjs");
const { rememberPassed, sourcesSincePassed, treeOfNow } = await import("./since-passed.mjs");
const { runSuite } = await import("./test-run/suite.mjs");

const tree = treeOfNow();
const changed = process.argv.includes("--all") ? undefined : sourcesSincePassed(tree);
const tests = changed && nearestTests(changed);
if (tests) {
  say(`Changed: ${changed.length} sources. Tests: the nearest ${tests.chosen.length} files; --all runs all.`);
  if (tests.farther > 0) say(`${tests.farther} more files depend on the change and are left to npm test.`);
}
const isGreen = await runSuite({
  checks: true,
  args: ["--project=pure", "--project=console", ...(tests?.chosen ?? [])],
});
if (isGreen) rememberPassed(tree);
